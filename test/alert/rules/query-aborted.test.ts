import { describe, expect, it } from 'vitest';
import { queryAborted } from '../../../src/alert/rules/query-aborted.ts';
import type { Situation } from '../../../src/model/situation.ts';
import { abort, guarded } from './aborting.ts';
import { minute, situationWith, verdicts, wall } from './judging.ts';

/** A guard whose abort succeeded so long ago. */
function ended(ago: number): Situation {
  return guarded({ aborts: [abort({ outcome: 'confirmed', endedAt: wall - ago })] });
}

describe('an abort', () => {
  it('is told from its intent on, to those whom its policy names', () => {
    expect(verdicts(queryAborted, guarded({ aborts: [abort({ notify: ['oncall-db'] })] }))).toMatchObject([
      {
        labels: { node: 'm1', graph: 'fraud', query: 'ring_scan', policy: 'runaway' },
        facts: { state: 'is being aborted' },
        since: wall,
        receivers: ['oncall-db'],
      },
    ]);
  });

  it('is told for a while after its outcome is known, so that everybody hears of it', () => {
    expect(verdicts(queryAborted, ended(5 * minute - 1))).toMatchObject([{ facts: { state: 'was aborted' } }]);
    expect(verdicts(queryAborted, ended(5 * minute))).toEqual([]);
    expect(verdicts(queryAborted, ended(5 * minute), { shown_for: 600 })).toHaveLength(1);
  });

  it('is open for as long as nobody knows what came of it', () => {
    expect(verdicts(queryAborted, guarded({ aborts: [abort({ at: wall - 90 * minute })] }))).toHaveLength(1);
  });

  it('by hand is less urgent: whoever did it knows', () => {
    const manual = { by: 'ada', reason: 'it blocks the load' };
    const given = verdicts(queryAborted, guarded({ aborts: [abort(), abort({ policy: '', manual })] }));
    expect(given.map(({ severity }) => severity)).toEqual([undefined, 'info']);
  });

  it('has no company where nobody guards', () => {
    expect(verdicts(queryAborted, situationWith({}))).toEqual([]);
    expect(verdicts(queryAborted, guarded())).toEqual([]);
  });
});

it('is not over before the guard knows what it did', () => {
  expect(queryAborted.knows?.(guarded({ isRestored: false }), {})).toBe(false);
});
