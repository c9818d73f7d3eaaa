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
const simulation = new GuardSimulation(settings).begin();
simulation.start();
simulation.run(70_000);
const [begun] = simulation.state.decisions.values();
if (begun === undefined) throw new Error('no decision began');
const { key } = begun;
const now = simulation.state.views.get('n1')?.list?.times.received ?? simulation.now();

/** Advances a decision that passes all guard conditions, with these changes. */
function advance(changes: Partial<Decision>, state: Partial<GuardState> = {}, given = settings, at = now) {
  const decision: Decision = { ...(begun ?? never()), ...changes };
  const before = { ...simulation.state, decisions: new Map([[key, decision]]), ...state };
  const step = advanceDecisions(before, stepContextOf(given, at));
  return { ...step, phase: step.state.decisions.get(key)?.phase, kinds: step.outputs.map(({ kind }) => kind) };
}

function never(): never {
  throw new Error('no decision began');
}

const due = { due: now.mono };
const ready = { phase: 'preparing', isOnDisk: true, isReady: true, due: now.mono - 100 } as const;
const onDisk = { phase: 'committing', isOnDisk: true, due: now.mono - 100 } as const;
const recent = attemptAt(now.mono - 1000, { query: 'other' });

describe('decision step', () => {
  it.each([
    ['waits for the earliest abort time', {}, 'grace', []],
    ['stores its intent at the earliest abort time', due, 'committing', ['intent']],
    ['stores its intent when it has a fresh list', { ...due, phase: 'fresh' }, 'committing', ['intent']],
    ['waits until its intent is stored', { phase: 'committing' }, 'committing', []],
    ['is prepared when its intent is stored', onDisk, 'preparing', ['abort']],
    ['is sent when it is prepared', ready, 'sent', ['sent']],
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
    expect(advance({ ...due, late: 'cooldown', delays: ['cooldown'] }, { attempts: [recent] }).kinds).toEqual([]);
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
      { kind: 'cancelled', skipReason: 'excluded' },
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
    const confirmed = confirmedSince({ decision: begun, state: simulation.state, context }) ?? 0;
    expect(advance({ ...onDisk, matchedAt: confirmed }).phase).toBe('preparing');
    expect(advance({ ...onDisk, matchedAt: confirmed - 1 }).outputs).toMatchObject([
      { outcome: 'withdrawn', skipReason: 'unconfirmed' },
    ]);
  });

  it('is withdrawn if other decisions have spent the budget', () => {
    const attempts = [1, 2, 3].map((one) => attemptAt(now.mono - one, { query: 'other' }));
    expect(advance(onDisk, { attempts }).outputs).toMatchObject([{ outcome: 'withdrawn', skipReason: 'budget' }]);
  });

  it('is prepared for the connection of the list', () => {
    expect(advance(onDisk).outputs).toMatchObject([
      {
        policy: 'runaway',
        order: { key, node: 'n1', connection: 'connection to n1', id: begun.target.id, graph: 'fraud' },
      },
    ]);
    expect(advance({ ...onDisk, phase: 'preparing' }).outputs).toEqual([]);
    expect(advance(ready)).toMatchObject({
      phase: 'sent',
      outputs: [{ kind: 'sent', policy: 'runaway', reaction: 100 }],
    });
  });

  it.each([
    ['withdrawn', 'paused', { status: { ...simulation.state.status, isPaused: true } }],
    ['withdrawn', 'stopping', { status: { ...simulation.state.status, isStopping: true } }],
    ['withdrawn', 'unknown_graph', { graphs: new Set<string>() }],
  ] as const)('is %s by the last check before its write: %s', (outcome, skipReason, state: Partial<GuardState>) => {
    expect(advance(ready, state).outputs).toMatchObject([{ kind: 'outcome', outcome, skipReason }]);
  });

  it('is not sent, spends no budget and excludes no entry if its list is too old before its write', () => {
    const own = attemptAt(now.mono - 700, { key });
    const excluding = { ...ready, excludes: true } as const;
    const excludedKeys = new Set([key]);
    const later = { wall: now.wall + 4000, mono: now.mono + 4000 };
    const { outputs, state } = advance(excluding, { attempts: [own], excludedKeys }, settings, later);
    expect(outputs).toMatchObject([{ kind: 'outcome', outcome: 'not_sent', skipReason: 'too_old' }]);
    expect([state.attempts, [...state.excludedKeys], [...state.retries]]).toEqual([
      [],
      [],
      [[key, { count: 1, notBefore: later.mono }]],
    ]);
  });

  it('spends budget from the time of the request, for any duration of the commit', () => {
    const own = attemptAt(now.mono - 700, { key });
    expect(advance(ready, { attempts: [own] }).state.attempts).toEqual([{ ...own, at: now.mono }]);
    expect(advance({ ...onDisk, isOnDisk: false }, { attempts: [own] }).state.attempts).toEqual([]);
  });

  it.each(['committing', 'preparing', 'sent'] as const)('waits while another abort of its node is %s', (phase) => {
    const other = { ...begun, key: 'other', phase };
    const decisions = new Map([
      [key, { ...(begun ?? never()), ...due }],
      [other.key, other],
    ]);
    const context = stepContextOf(settings, now);
    const { outputs, state } = advanceDecisions({ ...simulation.state, decisions }, context);
    expect(outputs).toMatchObject([{ kind: 'late', key, reason: 'queue' }]);
    expect(state.decisions.get(key)).toMatchObject({ phase: 'fresh', late: 'queue', delays: ['queue'] });
    const elsewhere = { ...other, target: { ...other.target, node: 'n2' } };
    const apart = new Map(decisions).set(other.key, elsewhere);
    expect(advanceDecisions({ ...simulation.state, decisions: apart }, context).outputs).toMatchObject([
      { kind: 'intent' },
    ]);
  });

  it('opens the circuit breaker with the last allowed abort', () => {
    const attempts = [100_000, 200_000].map((one) => attemptAt(now.mono - one, { node: 'n2' }));
    const own = attemptAt(now.mono, { key });
    expect(advance(ready, { attempts: [...attempts, own] }).kinds).toEqual(['sent', 'breaker']);
    expect(advance(ready, { attempts: [own] }).kinds).toEqual(['sent']);
  });

  it('opens a circuit breaker only once, and does not delay a manual abort because of it', () => {
    const attempts = [1, 2, 3].map((one) => attemptAt(now.mono - one, { node: 'n2' }));
    const manual = { ...ready, manual: { by: 'me', reason: 'slow', whilePaused: false } };
    const breakers = openBreaker(simulation.state.breakers, queryBreakerKey(begun.target));
    expect(advance(manual, { attempts }).kinds).toEqual(['sent', 'breaker']);
    expect(advance(manual, { attempts, breakers }).kinds).toEqual(['sent']);
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
        ...simulation.state,
        decisions: new Map(decisions.map(([one, changes]) => [one, { ...over, ...changes, key: one }])),
      };
      const { outputs } = advanceDecisions(state, stepContextOf(settings, now));
      expect(outputs.map((one) => one.kind === 'outcome' && one.key)).toEqual(['1', '2', '3', '4', '5', '6']);
    }
  });
});
