import { describe, expect, it } from 'vitest';
import { advanced } from '../../../src/guard/decision/advancing.ts';
import { opened, queryBreaker } from '../../../src/guard/decision/breakers.ts';
import type { Decision } from '../../../src/guard/decision/decision.ts';
import { confirmationOf } from '../../../src/guard/decision/doubts.ts';
import type { GuardState } from '../../../src/guard/decision/state.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import { globs, policyOf } from '../scenes.ts';
import { contextOf } from './contexts.ts';
import { attemptAt } from './decisions.ts';
import { settingsOf, World } from './world.ts';

const settings = settingsOf([policyOf()]);
const world = new World(settings).begin();
world.start();
world.run(70_000);
const [begun] = world.state.decisions.values();
if (begun === undefined) throw new Error('nothing was begun');
const { key } = begun;
const now = world.state.views.get('n1')?.list?.times.received ?? world.now();

/** Goes on from a decision of which all is well, as it is said to be. */
function advance(changes: Partial<Decision>, state: Partial<GuardState> = {}, given: GuardSettings = settings) {
  const decision: Decision = { ...(begun ?? never()), ...changes };
  const before = { ...world.state, decisions: new Map([[key, decision]]), ...state };
  const step = advanced(before, contextOf(given, now));
  return { ...step, phase: step.state.decisions.get(key)?.phase, kinds: step.outputs.map(({ kind }) => kind) };
}

function never(): never {
  throw new Error('nothing was begun');
}

const due = { due: now.mono };
const onDisk = { phase: 'committing', isOnDisk: true, due: now.mono - 100 } as const;
const recent = attemptAt(now.mono - 1000, { query: 'other' });

describe('one step of a decision', () => {
  it.each([
    ['waits for E', {}, 'grace', []],
    ['commits to its intent at E', due, 'committing', ['intent']],
    ['commits once it has a fresh list', { ...due, phase: 'fresh' }, 'committing', ['intent']],
    ['waits for its commit', { phase: 'committing' }, 'committing', []],
    ['is sent then', onDisk, 'sent', ['abort']],
    ['is withdrawn where there is no row', { ...onDisk, isOnDisk: false }, undefined, ['outcome']],
    ['waits for its answer', { phase: 'sent', sentAt: now.mono }, 'sent', []],
    ['waits to be verified', { phase: 'verifying', sentAt: now.mono, answer: 'named' }, 'verifying', []],
    ['ends with its outcome', { phase: 'verifying', sentAt: now.mono, answer: 'refused' }, undefined, ['outcome']],
  ] as const)('%s', (_, changes: Partial<Decision>, phase, kinds) => {
    expect(advance(changes)).toMatchObject({ phase, kinds });
  });

  it('is late where something holds it, and says so once', () => {
    const held = advance(due, { attempts: [recent] });
    expect(held).toMatchObject({ phase: 'grace', kinds: ['late'] });
    expect(advance({ ...due, late: 'cooldown' }, { attempts: [recent] }).kinds).toEqual([]);
    expect(advance({ ...due, phase: 'fresh' }, { attempts: [recent] })).toMatchObject({
      phase: 'grace',
      kinds: ['late'],
    });
  });

  it('tells of a budget that is exhausted', () => {
    const attempts = [1, 2, 3].map((one) => attemptAt(now.mono - 100_000 - one, { query: 'other' }));
    expect(advance(due, { attempts }).outputs).toMatchObject([
      { kind: 'late', reason: 'node_budget' },
      { kind: 'exhausted', budget: 'node' },
    ]);
  });

  it('never has a second intent for one entry', () => {
    expect(advance(due, { barred: new Set([key]) }).outputs).toMatchObject([{ kind: 'cancelled', doubt: 'barred' }]);
  });

  it.each([
    ['protected', {}, { ...settings, protect: [{ graph: globs('*') }] }],
    ['mode', {}, { ...settings, mode: 'observe' }],
    ['unknown_graph', { graphs: new Set<string>() }, settings],
  ] as const)('checks once more beside the call: %s', (doubt, state: Partial<GuardState>, given: GuardSettings) => {
    expect(advance(onDisk, state, given).outputs).toMatchObject([{ kind: 'outcome', outcome: 'withdrawn', doubt }]);
    expect(advance(due, state, given).outputs).toMatchObject([{ kind: 'cancelled', doubt }]);
  });

  it('is withdrawn where it was confirmed anew since it matched: its grace has not begun again', () => {
    const context = contextOf(settings, now);
    const confirmed = confirmationOf({ decision: begun, state: world.state, context }) ?? 0;
    expect(advance({ ...onDisk, matchedAt: confirmed }).phase).toBe('sent');
    expect(advance({ ...onDisk, matchedAt: confirmed - 1 }).outputs).toMatchObject([
      { outcome: 'withdrawn', doubt: 'unconfirmed' },
    ]);
  });

  it('is withdrawn where others have spent the budget', () => {
    const attempts = [1, 2, 3].map((one) => attemptAt(now.mono - one, { query: 'other' }));
    expect(advance(onDisk, { attempts }).outputs).toMatchObject([{ outcome: 'withdrawn', doubt: 'budget' }]);
  });

  it('sends to the address that the list came from', () => {
    expect(advance(onDisk).outputs).toMatchObject([
      {
        policy: 'runaway',
        reaction: 100,
        order: {
          key,
          node: 'n1',
          address: '10.0.0.1:n1',
          graph: 'fraud',
          path: `/abortquery/fraud?requestid=${begun.target.id}`,
        },
      },
    ]);
  });

  it('spends its budget from when the call leaves, however long its commit took', () => {
    const own = attemptAt(now.mono - 700, { key });
    const spent = { ...own, at: now.mono + 500 };
    expect(advance(onDisk, { attempts: [own] }).state.attempts).toEqual([spent]);
    expect(advance({ ...onDisk, isOnDisk: false }, { attempts: [own] }).state.attempts).toMatchObject([{ at: own.at }]);
  });

  it('opens the breaker with the last abort that may be', () => {
    const attempts = [100_000, 200_000].map((one) => attemptAt(now.mono - one, { node: 'n2' }));
    const own = attemptAt(now.mono, { key });
    expect(advance(onDisk, { attempts: [...attempts, own] }).kinds).toEqual(['abort', 'breaker']);
    expect(advance(onDisk, { attempts: [own] }).kinds).toEqual(['abort']);
  });

  it('does not open a breaker that is open, which holds no operator', () => {
    const attempts = [1, 2, 3].map((one) => attemptAt(now.mono - one, { node: 'n2' }));
    const byHand = { ...onDisk, manual: { by: 'me', reason: 'slow', whilePaused: false } };
    const breakers = opened(world.state.breakers, queryBreaker(begun.target));
    expect(advance(byHand, { attempts }).kinds).toEqual(['abort', 'breaker']);
    expect(advance(byHand, { attempts, breakers }).kinds).toEqual(['abort']);
  });

  it('comes in turn: those that enforce, those due first, and then by their keys', () => {
    const over = { ...begun, phase: 'verifying', sentAt: now.mono, answer: 'refused' } as const;
    const all: readonly (readonly [string, Partial<Decision>])[] = [
      ['5', { mode: 'observe', due: 1 }],
      ['3', { due: 2 }],
      ['6', { mode: 'observe', due: 2 }],
      ['4', { due: 2 }],
      ['1', { due: 1 }],
      ['2', { due: 1 }],
    ];
    for (const decisions of [all, all.toReversed()]) {
      const state = {
        ...world.state,
        decisions: new Map(decisions.map(([one, changes]) => [one, { ...over, ...changes, key: one }])),
      };
      const { outputs } = advanced(state, contextOf(settings, now));
      expect(outputs.map((one) => one.kind === 'outcome' && one.key)).toEqual(['1', '2', '3', '4', '5', '6']);
    }
  });
});
