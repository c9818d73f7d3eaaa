import { describe, expect, it } from 'vitest';
import { queryAborted } from '../../../src/alert/rules/query-aborted.ts';
import type { Situation } from '../../../src/model/situation.ts';
import { abort, guarded } from './guard-fixtures.ts';
import { findings, minute, situationWith, wall } from './rule-fixtures.ts';

/** A guard whose abort succeeded so long ago. */
function ended(ago: number): Situation {
  return guarded({ aborts: [abort({ outcome: 'confirmed', endedAt: wall - ago })] });
}

describe('an abort', () => {
  it('fires from its intent on, for the receivers of its policy', () => {
    expect(findings(queryAborted, guarded({ aborts: [abort({ notify: ['oncall-db'] })] }))).toMatchObject([
      {
        labels: { node: 'm1', graph: 'fraud', query: 'ring_scan', policy: 'runaway' },
        facts: { state: 'is being aborted' },
        since: wall,
        receivers: ['oncall-db'],
      },
    ]);
  });

  it('keeps firing for shown_for after its outcome', () => {
    expect(findings(queryAborted, ended(5 * minute - 1))).toMatchObject([{ facts: { state: 'was aborted' } }]);
    expect(findings(queryAborted, ended(5 * minute))).toEqual([]);
    expect(findings(queryAborted, ended(5 * minute), { shown_for: 600 })).toHaveLength(1);
  });

  it('keeps firing while its outcome is unknown', () => {
    expect(findings(queryAborted, guarded({ aborts: [abort({ at: wall - 90 * minute })] }))).toHaveLength(1);
  });

  it('by an operator has severity info', () => {
    const manual = { by: 'ada', reason: 'it blocks the load' };
    const given = findings(queryAborted, guarded({ aborts: [abort(), abort({ policy: '', manual })] }));
    expect(given.map(({ severity }) => severity)).toEqual([undefined, 'info']);
  });

  it('does not fire without a guard', () => {
    expect(findings(queryAborted, situationWith({}))).toEqual([]);
    expect(findings(queryAborted, guarded())).toEqual([]);
  });
});

it('query_aborted › is not resolved before the guard restores its aborts', () => {
  expect(queryAborted.knows?.(guarded({ isRestored: false }), {})).toBe(false);
});
