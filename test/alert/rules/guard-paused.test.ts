import { describe, expect, it } from 'vitest';
import { guardPaused } from '../../../src/alert/rules/guard-paused.ts';
import type { SelfSituation } from '../../../src/model/situation.ts';
import { minute, wall } from './rule-fixtures.ts';

const well: SelfSituation = { receivers: [], stateDurable: true, stateProblem: '' };

function pausedFor(...reasons: readonly string[]) {
  const self = { ...well, guardPaused: { since: wall - minute, reasons } };
  return [...guardPaused.evaluate(self, {}, { wall, mono: 0 })];
}

describe('a paused guard', () => {
  it('paused by an operator fires after the for duration', () => {
    expect(pausedFor('operator', 'file')).toEqual([
      {
        labels: {},
        facts: {
          when: '2026-09-22 04:52:20 UTC',
          why: 'an operator paused the guard, and its pause file is there, or cannot be read',
        },
        since: wall - minute,
      },
    ]);
    expect(guardPaused.for).toBe(60 * minute);
  });

  it.each(['unexpected_id', 'state_lost'])('paused by itself (%s) is critical immediately', (reason) => {
    expect(pausedFor('operator', reason)).toMatchObject([{ severity: 'critical', for: 0 }]);
  });

  it('for an unknown reason states the reason as it is', () => {
    expect(pausedFor('not_the_leader')[0]?.facts.why).toBe('not_the_leader');
  });

  it('does not fire while the guard acts, or without an enforcing policy', () => {
    expect([...guardPaused.evaluate(well, {}, { wall, mono: 0 })]).toEqual([]);
  });
});
