import { describe, expect, it } from 'vitest';
import { abortUnconfirmed } from '../../../src/alert/rules/abort-unconfirmed.ts';
import type { AbortOutcome } from '../../../src/model/guard.ts';
import { abort, guarded } from './aborting.ts';
import { places, situationWith, verdicts, wall } from './judging.ts';

function ended(outcome: AbortOutcome) {
  return guarded({ aborts: [abort({ outcome, endedAt: wall - 5000, at: wall - 35_000, notify: ['oncall-db'] })] });
}

describe('an abort that may have done nothing', () => {
  it.each(['still_running', 'unknown'] as const)('pages for %s, since then', (outcome) => {
    const [verdict] = verdicts(abortUnconfirmed, ended(outcome));
    expect(verdict).toMatchObject({ since: wall - 5000, receivers: ['oncall-db'] });
    expect(verdict?.facts.state).toContain('still run');
  });

  it.each(['confirmed', 'finished_first', 'not_aborted', 'vanished', 'refused', 'withdrawn'] as const)(
    'is not what %s means',
    (outcome) => {
      expect(places(abortUnconfirmed, ended(outcome))).toEqual([]);
    },
  );

  it('is not told while its outcome is open', () => {
    expect(places(abortUnconfirmed, guarded({ aborts: [abort()] }))).toEqual([]);
    expect(places(abortUnconfirmed, situationWith({}))).toEqual([]);
  });

  it('says what to do next', () => {
    expect(abortUnconfirmed.description).toMatch(/graphwarden queries --node.*by hand.*restart.*last resort/);
  });
});

it('is not over before the guard knows what it did', () => {
  expect(abortUnconfirmed.knows?.(guarded({ isRestored: false }), {})).toBe(false);
});
