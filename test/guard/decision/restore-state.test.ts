import { describe, expect, it } from 'vitest';

import { decisionKey } from '../../../src/guard/decision/decision.ts';
import type { StoredGuardState, StoredIntent } from '../../../src/guard/decision/input.ts';
import { initialNodeView } from '../../../src/guard/decision/node-view.ts';
import { restoreState } from '../../../src/guard/decision/restore-state.ts';
import { initialState, withNodeView } from '../../../src/guard/decision/state.ts';
import { at, epoch } from '../observations.ts';

const intent: StoredIntent = {
  node: 'n1',
  id: 'i',
  startTime: 's',
  graph: 'fraud',
  query: 'ring_scan',
  policy: 'runaway',
  at: epoch - 5000,
  outcome: undefined,
};
const nothing: StoredGuardState = {
  intents: [],
  breakers: [],
  breakerResets: {},
  abortsWithoutRelief: {},
  offsets: {},
  isPaused: false,
};
const before = withNodeView(initialState(), 'n1', initialNodeView());

describe('restored guard state', () => {
  it('verifies an open intent like one with a lost response', () => {
    const { decisions, excludedKeys } = restoreState(before, { ...nothing, intents: [intent] }, at(0));
    expect([...decisions.values()]).toMatchObject([
      { phase: 'verifying', answer: 'lost', sentAt: at(0).mono, absences: 0 },
    ]);
    expect([...excludedKeys]).toEqual([decisionKey(intent)]);
  });

  it('keeps the key of a further intent for the same entry, and excludes the entry', () => {
    const { decisions, attempts, excludedKeys } = restoreState(
      before,
      { ...nothing, intents: [{ ...intent, key: 'k' }] },
      at(0),
    );
    expect([[...decisions.keys()], attempts.map(({ key }) => key), [...excludedKeys]]).toEqual([
      ['k'],
      ['k'],
      [decisionKey(intent)],
    ]);
  });

  it('does not verify an intent with an outcome, but excludes its entry and counts it', () => {
    const after = restoreState(before, { ...nothing, intents: [{ ...intent, outcome: 'confirmed' }] }, at(0));
    expect(after.decisions.size).toBe(0);
    expect([...after.excludedKeys]).toEqual([decisionKey(intent)]);
    expect(after.attempts).toMatchObject([{ isWithdrawn: false }]);
  });

  it.each([
    ['the latest time at which its request was sent', 'confirmed', 5000, -2000],
    ['now, if its request may have just been sent', undefined, 1000, 0],
    ['its own time, if no request was sent', 'withdrawn', 5000, -5000],
  ] as const)('counts an intent from %s', (_, outcome, ago, from) => {
    const after = restoreState(before, { ...nothing, intents: [{ ...intent, at: epoch - ago, outcome }] }, at(0));
    expect(after.attempts).toMatchObject([{ at: at(from).mono }]);
  });

  it('counts an intent once if it is restored twice, and keeps its current state', () => {
    const kept = { ...nothing, intents: [intent] };
    const once = restoreState(before, kept, at(0));
    const key = decisionKey(intent);
    const gone = { ...once, decisions: new Map() };
    expect(restoreState(once, kept, at(1000))).toEqual(once);
    expect([...restoreState(gone, kept, at(1000)).decisions.keys()]).toEqual([]);
    expect(restoreState(gone, kept, at(1000)).attempts.map((one) => one.key)).toEqual([key]);
  });

  it('does not replace values of the current process', () => {
    const known = {
      ...before,
      excludedKeys: new Set(['other']),
      breakers: { ...before.breakers, open: new Set(['b']), abortsWithoutRelief: new Map([['runaway', 1]]) },
    };
    const kept = { ...nothing, intents: [intent], breakers: ['c'], abortsWithoutRelief: { runaway: 2, second: 1 } };
    const { excludedKeys, breakers } = restoreState(known, kept, at(0));
    expect([...excludedKeys]).toEqual(['other', decisionKey(intent)]);
    expect([...breakers.open]).toEqual(['b', 'c']);
    expect(Object.fromEntries(breakers.abortsWithoutRelief)).toEqual({ runaway: 1, second: 1 });
  });

  it('counts a withdrawn intent in the budget, but not as an attempt', () => {
    const after = restoreState(before, { ...nothing, intents: [{ ...intent, outcome: 'withdrawn' }] }, at(0));
    expect(after.attempts).toMatchObject([{ isWithdrawn: true }]);
  });

  it('counts an intent in the future from now, so that a clock that was set back frees no budget', () => {
    const after = restoreState(before, { ...nothing, intents: [{ ...intent, at: epoch + 9_999_999 }] }, at(0));
    expect(after.attempts).toMatchObject([{ at: at(0).mono }]);
  });

  it.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
  ])('with paused %s before and paused %s stored: paused %s', (earlier, kept, isPaused) => {
    const state = { ...before, status: { ...before.status, isPaused: earlier } };
    expect(restoreState(state, { ...nothing, isPaused: kept }, at(0)).status).toMatchObject({
      isRestored: true,
      isPaused,
    });
  });

  it('keeps circuit breakers open and clock offsets known', () => {
    const kept = {
      ...nothing,
      breakers: ['b'],
      abortsWithoutRelief: { p: 1 },
      offsets: { n1: { offset: 7, anchor: 6 } },
    };
    const after = restoreState(before, kept, at(0));
    expect([...after.breakers.open]).toEqual(['b']);
    expect([...after.breakers.abortsWithoutRelief]).toEqual([['p', 1]]);
    expect(after.views.get('n1')?.offset).toMatchObject({ offset: 7, anchor: 6 });
    const known = withNodeView(before, 'n1', initialNodeView({ offset: 1 }));
    expect(restoreState(known, kept, at(0)).views.get('n1')?.offset.offset).toBe(1);
  });
});
