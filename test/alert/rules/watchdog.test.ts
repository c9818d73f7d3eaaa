import { expect, it } from 'vitest';
import { watchdog } from '../../../src/alert/rules/watchdog.ts';

it('watchdog › always fires', () => {
  const self = { receivers: [], stateDurable: true, stateProblem: '' };
  expect([...watchdog.evaluate(self, {}, { wall: 0, mono: 0 })]).toEqual([{ labels: {}, facts: {} }]);
});
