import { describe, expect, it } from 'vitest';
import { applyInput } from '../../../src/guard/decision/apply-input.ts';
import type { GuardInput } from '../../../src/guard/decision/input.ts';
import { initialNodeView } from '../../../src/guard/decision/node-view.ts';
import { type GuardState, initialState, withDecision, withNodeView } from '../../../src/guard/decision/state.ts';
import { bound, policyOf } from '../match-inputs.ts';
import { at, entryOf, idAt, listAt } from '../observations.ts';
import { stepContextOf } from './contexts.ts';
import { attemptAt, decisionOf } from './decisions.ts';
import { settingsOf } from './guard-simulation.ts';

const gate = { needs: 'any', clauses: [{ source: 'queue_depth', bound: bound('> 20'), for: 0 }] } as const;
const context = stepContextOf(settingsOf([policyOf(undefined, { gate })]), at(1000));
const empty = withNodeView(initialState({ n1: 'RESTPP_1_1' }), 'n1', initialNodeView());
const target = { ...decisionOf().target, id: idAt(0) };
const sent = decisionOf({ target, phase: 'sent', sentAt: at(500).mono });
const { key } = sent;

function take(state: GuardState, input: GuardInput) {
  return applyInput(state, input, context);
}

function list(results: readonly unknown[], times = listAt(1000), node = 'n1'): GuardInput {
  return { kind: 'listed', node, body: { results }, times, connection: 'a' };
}

describe('list input', () => {
  it('reports covered nodes, skipped entries, rejected lists and nodes without lists', () => {
    const { state, outputs } = take(empty, list([entryOf(), { requestid: 'odd' }]));
    expect(outputs).toEqual([
      { kind: 'skipped', scope: 'entry', node: 'n1', reason: 'id' },
      { kind: 'covered', node: 'n1', isCovered: true },
    ]);
    expect(take(state, list([entryOf(), entryOf()])).outputs).toEqual([
      { kind: 'skipped', scope: 'node', node: 'n1', reason: 'duplicate_ids' },
    ]);
    const twice = take(take(state, { kind: 'unlisted', node: 'n1' }).state, { kind: 'unlisted', node: 'n1' });
    const threeTimes = take(twice.state, { kind: 'unlisted', node: 'n1' });
    expect(threeTimes.outputs).toContainEqual({ kind: 'blind', node: 'n1', isBlind: true });
    expect(take(threeTimes.state, list([])).outputs).toEqual([{ kind: 'blind', node: 'n1', isBlind: false }]);
  });

  it('determines the instance of a node after enough lists', () => {
    let state = withNodeView(initialState(), 'n1', initialNodeView());
    const covered = Array.from({ length: 12 }, (_, index) => {
      const step = take(state, list([entryOf({ elapsedTime: 1000 * index })], listAt(1000 * index)));
      state = step.state;
      return step.outputs.some((one) => one.kind === 'covered' && one.isCovered);
    });
    expect(covered.filter((one) => one)).toHaveLength(1);
    expect(state.views.get('n1')?.isCovered).toBe(true);
  });

  it('reports the reason for a missing list if the response has one', () => {
    const { outputs } = take(empty, { kind: 'unlisted', node: 'n1', skipReason: 'error' });
    expect(outputs).toContainEqual({ kind: 'skipped', scope: 'node', node: 'n1', reason: 'error' });
  });

  it('has no effect for a list that was not requested', () => {
    const requested = take(empty, { kind: 'tick' }).state;
    const { state, outputs } = take(requested, { kind: 'list_not_sent', node: 'n1' });
    expect([state.views.get('n1')?.rejectedLists, state.views.get('n1')?.pace.isRequesting, outputs]).toEqual([
      0,
      false,
      [],
    ]);
    expect(state.views.get('n1')?.pace.notBefore).toBe(1_002_000);
    expect(take(empty, { kind: 'list_not_sent', node: 'n9' }).state.views.has('n9')).toBe(false);
  });

  it.each([list([], undefined, 'n9'), { kind: 'unlisted', node: 'n9' } as const])(
    'has no effect for an unknown node (case %$)',
    (input) => {
      expect(take(empty, input)).toEqual({ state: empty, outputs: [] });
    },
  );

  it.each([
    ['contains it', [entryOf()], listAt(1000), { absences: 0, listedAt: at(1000).mono }],
    [
      'contains it with a malformed entry',
      [{ requestid: idAt(0) }],
      listAt(1000),
      { absences: 0, listedAt: at(1000).mono },
    ],
    ['does not contain it', [], listAt(1000), { absences: 2 }],
    ['was requested together with the abort request', [], listAt(1000, 500), { absences: 2 }],
    ['was requested before the abort request', [], listAt(1000, 600), { absences: 1 }],
    ['is rejected', [entryOf(), entryOf()], listAt(1000), { absences: 1 }],
  ])('for a sent decision, if a list %s', (_, results, times, expected) => {
    const state = withDecision(empty, key, { ...sent, absences: 1 });
    expect(take(state, list(results, times)).state.decisions.get(key)).toEqual({ ...sent, ...expected });
  });

  it('does not change a decision on another node or a decision that is not sent', () => {
    const elsewhere = { ...sent, target: { ...target, node: 'n2' } };
    const waiting = decisionOf({ target, phase: 'committing' });
    for (const one of [elsewhere, waiting])
      expect(take(withDecision(empty, key, one), list([])).state.decisions.get(key)).toEqual(one);
  });
});

describe('abort response input', () => {
  const waiting = withDecision(empty, key, sent);
  it.each([
    [{ kind: 'accepted', aborted: [target.id] }, 'named', false],
    [{ kind: 'accepted', aborted: [] }, 'empty', false],
    [{ kind: 'accepted', aborted: [target.id, 'other'] }, 'named', true],
    [{ kind: 'lost' }, 'lost', false],
    [{ kind: 'refused' }, 'refused', false],
  ] as const)('sets the answer for %j', (answer, known, pauses) => {
    const { state, outputs } = take(waiting, { kind: 'answered', key, answer });
    expect(state.decisions.get(key)).toEqual({ ...sent, phase: 'verifying', answer: known });
    expect(state.status.isPaused).toBe(pauses);
    expect(outputs).toEqual(pauses ? [{ kind: 'pause', reason: 'unexpected_id' }] : []);
    expect(take(state, { kind: 'answered', key, answer: { kind: 'lost' } }).state).toEqual(state);
  });

  it('counts the attempt from the answer, because the request may have travelled as long', () => {
    const attempts = [attemptAt(at(500).mono, { key }), attemptAt(at(400).mono, { key: 'other' })];
    const { state } = take({ ...waiting, attempts }, { kind: 'answered', key, answer: { kind: 'lost' } });
    expect(state.attempts).toEqual([{ ...attempts[0], at: context.now.mono }, attempts[1]]);
  });
});

describe('commit input', () => {
  it.each([true, false])('sets whether the intent is on disk: %s', (isOnDisk) => {
    const committing = decisionOf({ target, phase: 'committing' });
    const { state } = take(withDecision(empty, key, committing), { kind: 'committed', key, isOnDisk });
    expect(state.decisions.get(key)).toEqual({ ...committing, isOnDisk });
    expect(state.status.isAuditable).toBe(isOnDisk);
  });

  it('has no effect without a waiting decision', () => {
    const state = withDecision(empty, key, sent);
    expect(take(state, { kind: 'committed', key, isOnDisk: true })).toEqual({ state, outputs: [] });
  });
});

function pressureOf(value: number): GuardInput {
  return {
    kind: 'gate_value',
    pressure: {
      node: 'n1',
      source: 'queue_depth',
      value,
      at: at(1000).mono,
      collectedAt: at(1000).mono,
      interval: 100,
    },
  };
}

describe('pressure input', () => {
  const reliefChecks = [{ key, policy: 'runaway', node: 'n1', before: { queue_depth: 30 }, outcomeAt: at(800).mono }];

  it('opens gates and is stored', () => {
    const { state } = take(empty, pressureOf(25));
    expect([state.gates.size, state.pressures.get('n1 queue_depth')?.value]).toEqual([1, 25]);
  });

  it('reports relief, or opens the circuit breaker after the last allowed abort without relief', () => {
    const fell = take({ ...empty, reliefChecks }, pressureOf(29));
    expect(fell.outputs).toEqual([{ kind: 'relief', policy: 'runaway', node: 'n1', aborts: 0 }]);
    expect(fell.state.reliefChecks).toEqual([]);
    const once = take({ ...empty, reliefChecks }, pressureOf(30)).state;
    expect(take({ ...once, reliefChecks }, pressureOf(30)).outputs).toEqual([
      { kind: 'relief', policy: 'runaway', node: 'n1', aborts: 2 },
      { kind: 'breaker', breaker: 'no_relief runaway', isOpen: true },
    ]);
  });
});

describe('operator input', () => {
  it('resets open circuit breakers only', () => {
    const state = { ...empty, breakers: { ...empty.breakers, open: new Set(['b']) } };
    expect(take(state, { kind: 'reset', breaker: 'b' }).outputs).toEqual([
      { kind: 'breaker', breaker: 'b', isOpen: false },
    ]);
    expect(take(state, { kind: 'reset', breaker: 'c' })).toEqual({ state, outputs: [] });
  });

  it.each([
    [{ kind: 'paused', isPaused: true }, { isPaused: true }],
    [{ kind: 'audit', isWritable: false }, { isAuditable: false }],
    [{ kind: 'stop' }, { isStopping: true }],
    [{ kind: 'tick' }, {}],
  ] as const)('%j', (input, status) => {
    expect(take(empty, input).state).toEqual({ ...empty, status: { ...empty.status, ...status } });
  });
});
