import { describe, expect, it } from 'vitest';
import { abortUnconfirmed } from '../../../src/alert/rules/abort-unconfirmed.ts';
import type { AbortOutcome } from '../../../src/model/guard.ts';
import { abort, guarded } from './guard-fixtures.ts';
import { findings, firingIdentities, situationWith, wall } from './rule-fixtures.ts';

function ended(outcome: AbortOutcome) {
  return guarded({ aborts: [abort({ outcome, endedAt: wall - 5000, at: wall - 35_000, notify: ['oncall-db'] })] });
}

function runningOn(minutes: number) {
  return guarded({
    aborts: [abort({ outcome: 'still_running', endedAt: wall - minutes * 60_000, notify: ['oncall-db'] })],
    escalation: { runaway: ['oncall-lead', 'oncall-db'] },
  });
}

function notSent(ago: number) {
  return guarded({
    aborts: [abort({ outcome: 'not_sent', at: wall - ago - 10, endedAt: wall - ago, firstAt: wall - 400_000 })],
    escalation: { runaway: ['oncall-lead'] },
  });
}

describe('an unconfirmed abort', () => {
  it.each(['still_running', 'unknown'] as const)('pages for %s, since the time of the outcome', (outcome) => {
    const [verdict] = findings(abortUnconfirmed, ended(outcome));
    expect(verdict).toMatchObject({ since: wall - 5000, receivers: ['oncall-db'] });
    expect(verdict?.facts.state).toContain('still run');
  });

  it.each(['confirmed', 'finished_first', 'not_aborted', 'vanished', 'refused', 'withdrawn'] as const)(
    'does not fire for %s',
    (outcome) => {
      expect(firingIdentities(abortUnconfirmed, ended(outcome))).toEqual([]);
    },
  );

  it('does not fire while its outcome is open', () => {
    expect(firingIdentities(abortUnconfirmed, guarded({ aborts: [abort()] }))).toEqual([]);
    expect(firingIdentities(abortUnconfirmed, situationWith({}))).toEqual([]);
  });

  it('notifies the receivers of the next policy if the query keeps running', () => {
    expect(findings(abortUnconfirmed, runningOn(4))).toMatchObject([{ receivers: ['oncall-db'] }]);
    expect(findings(abortUnconfirmed, runningOn(5))).toMatchObject([{ receivers: ['oncall-db', 'oncall-lead'] }]);
    expect(findings(abortUnconfirmed, runningOn(4), { escalate_after: 60 })).toMatchObject([
      { receivers: ['oncall-db', 'oncall-lead'] },
    ]);
  });

  it('pages after a minute in which abort requests could not be sent', () => {
    const [finding] = findings(abortUnconfirmed, notSent(30_000));
    expect(finding).toMatchObject({ for: 60_000, since: wall - 400_000 });
    expect(finding?.receivers).toContain('oncall-lead');
    expect(finding?.facts.retry).toContain('tries again');
    expect(findings(abortUnconfirmed, notSent(121_000))).toEqual([]);
  });

  it('states the next step', () => {
    expect(abortUnconfirmed.description).toMatch(/graphwarden queries --node.*manually.*restart.*last resort/);
  });
});

it('abort_unconfirmed › does not resolve before the guard restores its aborts', () => {
  expect(abortUnconfirmed.knows?.(guarded({ isRestored: false }), {})).toBe(false);
});
