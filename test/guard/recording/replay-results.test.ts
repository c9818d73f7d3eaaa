import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/guard/decision/decision.ts';
import { ReplayResults } from '../../../src/guard/recording/replay-results.ts';
import { candidate, policyOf } from '../match-inputs.ts';
import { at, epoch } from '../observations.ts';

function decisionOf(serial: number): Decision {
  const target = { node: 'n1', id: `${serial}`, startTime: 's', graph: 'fraud', query: 'ring_scan' };
  const [matchedAt, due] = [at(0).mono, at(30_000).mono];
  return { key: `k${serial}`, target, policy: 'runaway', mode: 'enforce', matchedAt, due, phase: 'grace', absences: 0 };
}

describe('replay results', () => {
  it('keep the result of each decision', () => {
    const tally = new ReplayResults();
    tally.addDecision(decisionOf(1), candidate(), at(1000));
    tally.addDecision(decisionOf(2), undefined, at(1000));
    tally.update('runaway', 'k1', { result: 'aborted', at: 5 });
    tally.update('other', 'k2', { result: 'aborted' });
    tally.update('runaway', 'k3', { result: 'aborted' });
    expect(tally.rows).toMatchObject([
      {
        id: '1',
        result: 'aborted',
        at: 5,
        matchedAt: epoch,
        due: epoch + 30_000,
        age: 150_000,
        grantedTimeout: 3_600_000,
      },
      { id: '2', result: 'open', at: epoch + 1000, age: 0 },
    ]);
    expect(tally.find('runaway', 'k2')?.id).toBe('2');
  });

  it('keep one row for a decision that starts again', () => {
    const tally = new ReplayResults();
    tally.addDecision(decisionOf(1), candidate(), at(0));
    tally.update('runaway', 'k1', { result: 'over', reason: 'not_matched' });
    tally.addDecision(decisionOf(1), candidate(), at(9000));
    expect(tally.rows).toMatchObject([{ result: 'open', at: epoch + 9000 }]);
    expect(tally.rows[0]).not.toHaveProperty('reason');
  });

  it('record a match that a breaker blocks once', () => {
    const tally = new ReplayResults();
    const one = candidate();
    const match = {
      candidate: one,
      policy: policyOf(),
      mode: 'enforce',
      group: '',
      since: at(0).mono,
      holds: true,
      owns: true,
    } as const;
    tally.addBlockedByBreaker(match, 'k1', at(2000));
    tally.addBlockedByBreaker(match, 'k1', at(4000));
    expect(tally.rows).toMatchObject([
      { id: one.observation.id, result: 'held', reason: 'breaker', due: epoch + 30_000, at: epoch + 2000 },
    ]);
  });

  it('count the decisions above the limit', () => {
    const tally = new ReplayResults();
    for (let serial = 0; serial < 10_003; serial += 1) tally.addDecision(decisionOf(serial), undefined, at(0));
    tally.addDecision(decisionOf(7), undefined, at(0));
    expect([tally.rows.length, tally.dropped]).toEqual([10_000, 3]);
  });
});
