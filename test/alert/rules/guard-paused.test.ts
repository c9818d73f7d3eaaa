import { describe, expect, it } from 'vitest';
import { guardPaused } from '../../../src/alert/rules/guard-paused.ts';
import type { GuardView } from '../../../src/model/guard.ts';
import { findings, minute, situationWith, wall } from './rule-fixtures.ts';

const well: GuardView = { aborts: [], breakers: [], nodesWithoutData: [], isEnforcing: true };

function findingsFor(guard: GuardView | undefined) {
  return findings(guardPaused, situationWith({}, { guard }));
}

function pausedFor(...reasons: readonly string[]) {
  return findingsFor({ ...well, paused: { since: wall - minute, reasons } });
}

describe('a paused guard', () => {
  it('paused by an operator fires after the for duration', () => {
    expect(pausedFor('operator', 'file')).toEqual([
      {
        labels: {},
        facts: {
          when: '2026-09-22 04:52:20 UTC',
          why: 'an operator paused the guard, and the pause file exists, or cannot be read',
        },
        since: wall - minute,
      },
    ]);
    expect(guardPaused.for).toBe(60 * minute);
  });

  it.each(['unexpected_id', 'state_lost'])('paused by itself (%s) is critical immediately', (reason) => {
    expect(pausedFor('operator', reason)).toMatchObject([{ severity: 'critical', for: 0 }]);
  });

  it('for an unknown reason states the unchanged reason', () => {
    expect(pausedFor('not_the_leader')[0]?.facts.why).toBe('not_the_leader');
  });

  it('does not fire while the guard acts, or without an enforcing policy', () => {
    expect(findingsFor(well)).toEqual([]);
    expect(findingsFor({ ...well, isEnforcing: false, paused: { since: wall, reasons: ['operator'] } })).toEqual([]);
    expect(findingsFor(undefined)).toEqual([]);
  });
});
