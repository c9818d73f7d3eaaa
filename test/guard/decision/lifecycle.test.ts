import { describe, expect, it } from 'vitest';
import { openBreaker, queryBreakerKey } from '../../../src/guard/decision/circuit-breakers.ts';
import type { Decision } from '../../../src/guard/decision/decision.ts';
import { confirmedSince } from '../../../src/guard/decision/guard-conditions.ts';
import { advanceDecisions } from '../../../src/guard/decision/lifecycle.ts';
import type { GuardState } from '../../../src/guard/decision/state.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import { globs, policyOf } from '../match-inputs.ts';
import { stepContextOf } from './contexts.ts';
import { attemptAt } from './decisions.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const settings = settingsOf([policyOf()]);
const world = new GuardSimulation(settings).begin();
world.start();
world.run(70_000);
const [begun] = world.state.decisions.values();
if (begun === undefined) throw new Error('no decision began');
const { key } = begun;
const now = world.state.views.get('n1')?.list?.times.received ?? world.now();

/** Advances a decision that passes all guard conditions, with these changes. */
function advance(changes: Partial<Decision>, state: Partial<GuardState> = {}, given: GuardSettings = settings) {
  const decision: Decision = { ...(begun ?? never()), ...changes };
  const before = { ...world.state, decisions: new Map([[key, decision]]), ...state };
  const step = advanceDecisions(before, stepContextOf(given, now));
  return { ...step, phase: step.state.decisions.get(key)?.phase, kinds: step.outputs.map(({ kind }) => kind) };
}

function never(): never {
  throw new Error('no decision began');
}

const due = { due: now.mono };
const onDisk = { phase: 'committing', isOnDisk: true, due: now.mono - 100 } as const;
const recent = attemptAt(now.mono - 1000, { query: 'other' });

describe('decision step', () => {
  it.each([
    ['waits for E', {}, 'grace', []],
    ['stores its intent at E', due, 'committing', ['intent']],
    ['stores its intent when it has a fresh list', { ...due, phase: 'fresh' }, 'committing', ['intent']],
    ['waits until its intent is stored', { phase: 'committing' }, 'committing', []],
    ['is sent when its intent is stored', onDisk, 'sent', ['abort']],
    ['is withdrawn without a row', { ...onDisk, isOnDisk: false }, undefined, ['outcome']],
    ['waits for the abort response', { phase: 'sent', sentAt: now.mono }, 'sent', []],
    ['waits for the verification', { phase: 'verifying', sentAt: now.mono, answer: 'named' }, 'verifying', []],
    ['ends with its outcome', { phase: 'verifying', sentAt: now.mono, answer: 'refused' }, undefined, ['outcome']],
  ] as const)('%s', (_, changes: Partial<Decision>, phase, kinds) => {
    expect(advance(changes)).toMatchObject({ phase, kinds });
  });

  it('is reported as late once if something delays it', () => {
    const held = advance(due, { attempts: [recent] });
    expect(held).toMatchObject({ phase: 'grace', kinds: ['late'] });
    expect(advance({ ...due, late: 'cooldown' }, { attempts: [recent] }).kinds).toEqual([]);
    expect(advance({ ...due, phase: 'fresh' }, { attempts: [recent] })).toMatchObject({
      phase: 'grace',
      kinds: ['late'],
    });
  });

  it('reports an exhausted budget', () => {
    const attempts = [1, 2, 3].map((one) => attemptAt(now.mono - 100_000 - one, { query: 'other' }));
    expect(advance(due, { attempts }).outputs).toMatchObject([
      { kind: 'late', reason: 'node_budget' },
      { kind: 'exhausted', budget: 'node' },
    ]);
  });

  it('never has a second intent for one entry', () => {
    expect(advance(due, { excludedKeys: new Set([key]) }).outputs).toMatchObject([
      { kind: 'cancelled', skipReason: 'barred' },
    ]);
  });

  it.each([
    ['protected', {}, { ...settings, protect: [{ graph: globs('*') }] }],
    ['mode', {}, { ...settings, mode: 'observe' }],
    ['unknown_graph', { graphs: new Set<string>() }, settings],
  ] as const)(
    'checks the guard conditions again before the call: %s',
    (skipReason, state: Partial<GuardState>, given: GuardSettings) => {
      expect(advance(onDisk, state, given).outputs).toMatchObject([
        { kind: 'outcome', outcome: 'withdrawn', skipReason },
      ]);
      expect(advance(due, state, given).outputs).toMatchObject([{ kind: 'cancelled', skipReason }]);
    },
  );

  it('is withdrawn if its query was confirmed again after the match, since the grace period did not restart', () => {
    const context = stepContextOf(settings, now);
    const confirmed = confirmedSince({ decision: begun, state: world.state, context }) ?? 0;
    expect(advance({ ...onDisk, matchedAt: confirmed }).phase).toBe('sent');
    expect(advance({ ...onDisk, matchedAt: confirmed - 1 }).outputs).toMatchObject([
      { outcome: 'withdrawn', skipReason: 'unconfirmed' },
    ]);
  });

  it('is withdrawn if other decisions have spent the budget', () => {
    const attempts = [1, 2, 3].map((one) => attemptAt(now.mono - one, { query: 'other' }));
    expect(advance(onDisk, { attempts }).outputs).toMatchObject([{ outcome: 'withdrawn', skipReason: 'budget' }]);
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
          id: begun.target.id,
          graph: 'fraud',
        },
      },
    ]);
  });

  it('spends budget from the time of the request, however long the commit took', () => {
    const own = attemptAt(now.mono - 700, { key });
    const spent = { ...own, at: now.mono + 500 };
    expect(advance(onDisk, { attempts: [own] }).state.attempts).toEqual([spent]);
    expect(advance({ ...onDisk, isOnDisk: false }, { attempts: [own] }).state.attempts).toMatchObject([{ at: own.at }]);
  });

  it('opens the circuit breaker with the last allowed abort', () => {
    const attempts = [100_000, 200_000].map((one) => attemptAt(now.mono - one, { node: 'n2' }));
    const own = attemptAt(now.mono, { key });
    expect(advance(onDisk, { attempts: [...attempts, own] }).kinds).toEqual(['abort', 'breaker']);
    expect(advance(onDisk, { attempts: [own] }).kinds).toEqual(['abort']);
  });

  it('opens a circuit breaker only once, and does not delay a manual abort because of it', () => {
    const attempts = [1, 2, 3].map((one) => attemptAt(now.mono - one, { node: 'n2' }));
    const byHand = { ...onDisk, manual: { by: 'me', reason: 'slow', whilePaused: false } };
    const breakers = openBreaker(world.state.breakers, queryBreakerKey(begun.target));
    expect(advance(byHand, { attempts }).kinds).toEqual(['abort', 'breaker']);
    expect(advance(byHand, { attempts, breakers }).kinds).toEqual(['abort']);
  });

  it('processes decisions by mode (enforce first), due time and key', () => {
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
      const { outputs } = advanceDecisions(state, stepContextOf(settings, now));
      expect(outputs.map((one) => one.kind === 'outcome' && one.key)).toEqual(['1', '2', '3', '4', '5', '6']);
    }
  });
});
