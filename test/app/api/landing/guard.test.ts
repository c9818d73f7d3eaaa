import { describe, expect, it } from 'vitest';
import { type GuardFacts, guardFactsOf, guardInWords } from '../../../../src/app/api/landing/guard.ts';
import type { DecisionView } from '../../../../src/app/guard/guard-control.ts';
import { abortOutcomes } from '../../../../src/model/guard.ts';
import { createGuardFixture, runaway } from '../../guard/guard-fixture.ts';
import { lines, wall } from './landing-fixtures.ts';

const enforcing = { name: 'runaway', mode: 'enforce' } as const;
const observing = { name: 'greedy', mode: 'observe' } as const;
const quiet: GuardFacts = {
  policies: [enforcing],
  pause: { isPaused: false, reasons: [] },
  breakers: [],
  decisions: [],
};
const abort: DecisionView = {
  key: 'k',
  cluster: 'prod',
  mode: 'enforce',
  phase: 'over',
  node: 'm1',
  id: '1.RESTPP_1_1.1795271976309.N',
  graph: 'fraud',
  query: 'ring_scan',
  policy: 'runaway',
  notify: [],
  age: 47_000,
  at: wall - 40_000,
  outcome: 'confirmed',
  endedAt: wall - 10_000,
};
const loop = {
  key: 'same_query fraud ring_scan',
  reason: 'same_query',
  graph: 'fraud',
  query: 'ring_scan',
  policy: '',
  since: wall - 60_000,
} as const;

function reported(facts: Partial<GuardFacts>) {
  return guardInWords({ ...quiet, ...facts }, 'prod', wall);
}

describe('the guard in words', () => {
  it('is not spoken of where no policy concerns the cluster', () => {
    expect(guardInWords(undefined, 'prod', wall)).toEqual([]);
  });

  it.each([
    [[enforcing], 'good: Enforces runaway'],
    [[observing, enforcing], 'good: Enforces runaway, observes by greedy'],
    [[observing], 'plain: Observes by greedy: it aborts nothing by itself'],
  ])('has what the modes come to: %#', (policies, expected) => {
    expect(lines(reported({ policies }))).toEqual([expected]);
  });

  it('says that it is paused, why, and how that ends', () => {
    const paused = reported({ pause: { isPaused: true, reasons: ['operator'] } });
    expect(lines(paused)).toEqual([
      'plain: Enforces runaway',
      'warning: Paused, and aborts nothing: an operator paused the guard',
    ]);
    expect(paused[1]?.hint).toBe('graphwarden guard resume lets it go on.');
    const byFile = reported({ policies: [observing], pause: { isPaused: true, reasons: ['operator', 'file'] } })[1];
    expect(byFile).toMatchObject({ tone: 'plain', hint: expect.stringMatching(/^Take the file away\. /) });
    expect(byFile?.text).toMatch(/an operator paused the guard and the file guard\.paused exists/);
  });

  it('has the breakers that are open, with the command for each', () => {
    const relief = { ...loop, key: 'no_relief runaway', reason: 'no_relief', policy: 'runaway' } as const;
    const [, first, second] = reported({ breakers: [loop, relief] });
    expect(first).toEqual({
      tone: 'bad',
      text: 'A breaker is open: ring_scan of fraud is not aborted, since its clients repeated it, for 1m',
      hint: "When the cause is gone: graphwarden guard reset-breaker prod 'same_query fraud ring_scan'",
    });
    expect(second?.text).toBe('A breaker is open: runaway aborts nothing, since the pressure did not fall, for 1m');
    const many = lines(reported({ breakers: [loop, loop, loop, loop, loop] }));
    expect(many).toHaveLength(5);
    expect(many.at(-1)).toBe('bad: 2 breakers more open');
  });

  it('has the latest aborts, and what came of them', () => {
    expect(lines(reported({ decisions: [abort, { ...abort, policy: '', mode: 'manual' }] })).slice(1)).toEqual([
      'plain: ring_scan of fraud on m1 was aborted (by runaway, 40s ago)',
      'plain: ring_scan of fraud on m1 was aborted (by hand, 40s ago)',
    ]);
    expect(reported({ decisions: [abort, abort, abort, abort] })).toHaveLength(4);
    const texts = abortOutcomes.map((outcome) => reported({ decisions: [{ ...abort, outcome }] })[1]?.text);
    expect(new Set(texts).size).toBe(abortOutcomes.length);
  });

  it('does not call an abort what is none yet, or never was', () => {
    const { outcome: _, endedAt: __, ...open } = abort;
    const waiting = ['grace', 'fresh'] as const;
    expect(reported({ decisions: waiting.map((phase) => ({ ...open, phase })) })).toHaveLength(1);
    expect(reported({ decisions: [{ ...abort, mode: 'observe' }] })).toHaveLength(1);
    expect(lines(reported({ decisions: [{ ...open, phase: 'sent' }] }))[1]).toMatch(/^plain: .* is being aborted /);
  });

  it('asks for a look where the query may run on, for an hour', () => {
    const running = { ...abort, outcome: 'still_running' } as const;
    expect(reported({ decisions: [running] })[1]?.tone).toBe('bad');
    expect(reported({ decisions: [{ ...running, endedAt: wall - 3_600_001 }] })[1]?.tone).toBe('plain');
  });
});

describe('what is known of the guard', () => {
  it('is what its watch has', async () => {
    const { watch, clock, begin, run, end } = createGuardFixture({
      mode: 'enforce',
      policies: [{ ...runaway, mode: 'enforce' }],
    });
    await begin();
    await run(5);
    expect(guardFactsOf(watch, 'test', clock.now())).toBeUndefined();
    expect(guardFactsOf(watch, 'prod', clock.now())).toEqual(quiet);
    await end();
  });
});
