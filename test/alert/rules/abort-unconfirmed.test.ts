import { describe, expect, it } from 'vitest';
import { abortUnconfirmed } from '../../../src/alert/rules/abort-unconfirmed.ts';
import type { AbortOutcome } from '../../../src/model/guard.ts';
import { abort, guarded } from './guard-fixtures.ts';
import { findings, firingIdentities, situationWith, wall } from './rule-fixtures.ts';

function ended(outcome: AbortOutcome) {
  return guarded({ aborts: [abort({ outcome, endedAt: wall - 5000, at: wall - 35_000, notify: ['oncall-db'] })] });
}

describe('an abort that may have done nothing', () => {
  it.each(['still_running', 'unknown'] as const)('pages for %s, since then', (outcome) => {
    const [verdict] = findings(abortUnconfirmed, ended(outcome));
    expect(verdict).toMatchObject({ since: wall - 5000, receivers: ['oncall-db'] });
    expect(verdict?.facts.state).toContain('still run');
  });

  it.each(['confirmed', 'finished_first', 'not_aborted', 'vanished', 'refused', 'withdrawn'] as const)(
    'is not what %s means',
    (outcome) => {
      expect(firingIdentities(abortUnconfirmed, ended(outcome))).toEqual([]);
    },
  );

  it('does not fire while its outcome is open', () => {
    expect(firingIdentities(abortUnconfirmed, guarded({ aborts: [abort()] }))).toEqual([]);
    expect(firingIdentities(abortUnconfirmed, situationWith({}))).toEqual([]);
  });

  it('says what to do next', () => {
    expect(abortUnconfirmed.description).toMatch(/graphwarden queries --node.*manually.*restart.*last resort/);
  });
});

it('is not over before the guard knows what it did', () => {
  expect(abortUnconfirmed.knows?.(guarded({ isRestored: false }), {})).toBe(false);
});
