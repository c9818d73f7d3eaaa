import { expect, it } from 'vitest';
import { configRejected } from '../../../src/alert/rules/config-rejected.ts';

const self = { receivers: [], stateDurable: true, stateProblem: '' };
const now = { wall: Date.UTC(2026, 8, 22, 5), mono: 0 };

it('config_rejected › does not fire while the configuration file is active', () => {
  expect([...configRejected.evaluate(self, {}, now)]).toEqual([]);
});

it('config_rejected › states the time of the first rejection and the first problem', () => {
  const since = Date.UTC(2026, 8, 22, 4, 53, 20);
  const rejected = { since, problem: 'a.yml:3:1: lisen: unknown key' };
  expect([...configRejected.evaluate({ ...self, configRejected: rejected }, {}, now)]).toEqual([
    { labels: {}, facts: { when: '2026-09-22 04:53:20 UTC', problem: rejected.problem }, since },
  ]);
});
