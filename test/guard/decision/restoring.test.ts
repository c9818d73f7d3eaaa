import { describe, expect, it } from 'vitest';
import { decisionKey } from '../../../src/guard/decision/decision.ts';
import type { Kept, KeptIntent } from '../../../src/guard/decision/kept.ts';
import { restored } from '../../../src/guard/decision/restoring.ts';
import { initialState, withView } from '../../../src/guard/decision/state.ts';
import { initialView } from '../../../src/guard/decision/view.ts';
import { at, epoch } from '../listed.ts';

const intent: KeptIntent = {
  node: 'n1',
  id: 'i',
  startTime: 's',
  graph: 'fraud',
  query: 'ring_scan',
  policy: 'runaway',
  at: epoch - 5000,
  outcome: undefined,
};
const nothing: Kept = { intents: [], breakers: [], reliefless: {}, offsets: {}, isPaused: false };
const before = withView(initialState(), 'n1', initialView());

describe('what an earlier run left', () => {
  it('an open intent is verified, as if its answer was lost', () => {
    const { decisions, barred } = restored(before, { ...nothing, intents: [intent] }, at(0));
    expect([...decisions.values()]).toMatchObject([
      { phase: 'verifying', answer: 'lost', sentAt: at(0).mono, absences: 0 },
    ]);
    expect([...barred]).toEqual([decisionKey(intent)]);
  });

  it('a further intent of an entry keeps the key of its row, and bars the entry', () => {
    const { decisions, attempts, barred } = restored(before, { ...nothing, intents: [{ ...intent, key: 'k' }] }, at(0));
    expect([[...decisions.keys()], attempts.map(({ key }) => key), [...barred]]).toEqual([
      ['k'],
      ['k'],
      [decisionKey(intent)],
    ]);
  });

  it('an intent with its outcome is no longer open, and still bars and counts', () => {
    const after = restored(before, { ...nothing, intents: [{ ...intent, outcome: 'confirmed' }] }, at(0));
    expect(after.decisions.size).toBe(0);
    expect([...after.barred]).toEqual([decisionKey(intent)]);
    expect(after.attempts).toMatchObject([{ isWithdrawn: false }]);
  });

  it.each([
    ['the instant at which its call left at the latest', 'confirmed', 5000, -2000],
    ['the present, where its call may have left just now', undefined, 1000, 0],
    ['its own instant, where nothing left', 'withdrawn', 5000, -5000],
  ] as const)('an intent counts from %s', (_, outcome, ago, from) => {
    const after = restored(before, { ...nothing, intents: [{ ...intent, at: epoch - ago, outcome }] }, at(0));
    expect(after.attempts).toMatchObject([{ at: at(from).mono }]);
  });

  it('it is told twice, and counts once: what this run made of it stays', () => {
    const kept = { ...nothing, intents: [intent] };
    const once = restored(before, kept, at(0));
    const key = decisionKey(intent);
    const gone = { ...once, decisions: new Map() };
    expect(restored(once, kept, at(1000))).toEqual(once);
    expect([...restored(gone, kept, at(1000)).decisions.keys()]).toEqual([]);
    expect(restored(gone, kept, at(1000)).attempts.map((one) => one.key)).toEqual([key]);
  });

  it('what is known already stays so', () => {
    const known = {
      ...before,
      barred: new Set(['other']),
      breakers: { ...before.breakers, open: new Set(['b']), reliefless: new Map([['runaway', 1]]) },
    };
    const kept = { ...nothing, intents: [intent], breakers: ['c'], reliefless: { runaway: 2, second: 1 } };
    const { barred, breakers } = restored(known, kept, at(0));
    expect([...barred]).toEqual(['other', decisionKey(intent)]);
    expect([...breakers.open]).toEqual(['b', 'c']);
    expect(Object.fromEntries(breakers.reliefless)).toEqual({ runaway: 1, second: 1 });
  });

  it('a withdrawn one is spent, and no try', () => {
    const after = restored(before, { ...nothing, intents: [{ ...intent, outcome: 'withdrawn' }] }, at(0));
    expect(after.attempts).toMatchObject([{ isWithdrawn: true }]);
  });

  it('one of the future was just now: a clock that went back frees no budget', () => {
    const after = restored(before, { ...nothing, intents: [{ ...intent, at: epoch + 9_999_999 }] }, at(0));
    expect(after.attempts).toMatchObject([{ at: at(0).mono }]);
  });

  it.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
  ])('paused before %s, kept %s: paused %s', (earlier, kept, isPaused) => {
    const state = { ...before, standing: { ...before.standing, isPaused: earlier } };
    expect(restored(state, { ...nothing, isPaused: kept }, at(0)).standing).toMatchObject({
      isRestored: true,
      isPaused,
    });
  });

  it('breakers stay open, and clocks known', () => {
    const kept = { ...nothing, breakers: ['b'], reliefless: { p: 1 }, offsets: { n1: { offset: 7, anchor: 6 } } };
    const after = restored(before, kept, at(0));
    expect([...after.breakers.open]).toEqual(['b']);
    expect([...after.breakers.reliefless]).toEqual([['p', 1]]);
    expect(after.views.get('n1')?.offset).toMatchObject({ offset: 7, anchor: 6 });
    const known = withView(before, 'n1', initialView({ offset: 1 }));
    expect(restored(known, kept, at(0)).views.get('n1')?.offset.offset).toBe(1);
  });
});
