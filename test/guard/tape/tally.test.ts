import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/guard/decision/decision.ts';
import { Tally } from '../../../src/guard/tape/tally.ts';
import { at, epoch } from '../listed.ts';
import { candidate, policyOf } from '../scenes.ts';

function decisionOf(serial: number): Decision {
  const target = { node: 'n1', id: `${serial}`, startTime: 's', graph: 'fraud', query: 'ring_scan' };
  const [matchedAt, due] = [at(0).mono, at(30_000).mono];
  return { key: `k${serial}`, target, policy: 'runaway', mode: 'enforce', matchedAt, due, phase: 'grace', absences: 0 };
}

describe('a tally', () => {
  it('keeps what came of each decision', () => {
    const tally = new Tally();
    tally.began(decisionOf(1), candidate(), at(1000));
    tally.began(decisionOf(2), undefined, at(1000));
    tally.note('runaway', 'k1', { verdict: 'aborted', at: 5 });
    tally.note('other', 'k2', { verdict: 'aborted' });
    tally.note('runaway', 'k3', { verdict: 'aborted' });
    expect(tally.rows).toMatchObject([
      {
        id: '1',
        verdict: 'aborted',
        at: 5,
        matchedAt: epoch,
        due: epoch + 30_000,
        age: 150_000,
        grantedTimeout: 3_600_000,
      },
      { id: '2', verdict: 'open', at: epoch + 1000, age: 0 },
    ]);
    expect(tally.of('runaway', 'k2')?.id).toBe('2');
  });

  it('keeps one row for what begins again', () => {
    const tally = new Tally();
    tally.began(decisionOf(1), candidate(), at(0));
    tally.note('runaway', 'k1', { verdict: 'over', reason: 'not_matched' });
    tally.began(decisionOf(1), candidate(), at(9000));
    expect(tally.rows).toMatchObject([{ verdict: 'open', at: epoch + 9000 }]);
    expect(tally.rows[0]).not.toHaveProperty('reason');
  });

  it('notes once whom a breaker keeps from beginning', () => {
    const tally = new Tally();
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
    tally.broken(match, 'k1', at(2000));
    tally.broken(match, 'k1', at(4000));
    expect(tally.rows).toMatchObject([
      { id: one.sighting.id, verdict: 'held', reason: 'breaker', due: epoch + 30_000, at: epoch + 2000 },
    ]);
  });

  it('counts what is too much to be kept', () => {
    const tally = new Tally();
    for (let serial = 0; serial < 10_003; serial += 1) tally.began(decisionOf(serial), undefined, at(0));
    tally.began(decisionOf(7), undefined, at(0));
    expect([tally.rows.length, tally.dropped]).toEqual([10_000, 3]);
  });
});
