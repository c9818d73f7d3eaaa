import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/guard/decision/decision.ts';
import { initialListRateLimit, type ListRateLimit } from '../../../src/guard/decision/list-rate-limit.ts';
import { initialNodeView } from '../../../src/guard/decision/node-view.ts';
import { scheduleLists } from '../../../src/guard/decision/schedule.ts';
import { type GuardState, initialState, withDecision, withNodeView } from '../../../src/guard/decision/state.ts';
import { updateGates } from '../../../src/guard/gates.ts';
import { bound, candidate, policyOf } from '../match-inputs.ts';
import { at } from '../observations.ts';
import { stepContextOf } from './contexts.ts';
import { decisionOf } from './decisions.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const settings = settingsOf([policyOf()]);
const full = { extra: { tokens: 2, at: at(0).mono }, reserve: { tokens: 12, at: at(0).mono } };
const empty = { extra: { tokens: 0, at: at(1000).mono }, reserve: { tokens: 0, at: at(1000).mono } };

/** State with a list request to the node at 0. */
function listRequested(pace: Partial<ListRateLimit> = {}, decisions: readonly Decision[] = []): GuardState {
  const state = withNodeView(initialState(), 'n1', {
    ...initialNodeView(),
    pace: { ...initialListRateLimit, ...full, requestedAt: at(0).mono, ...pace },
  });
  return decisions.reduce((before, one) => withDecision(before, one.key, one), state);
}

/** Returns the list requests at a time, as a list of `purpose`, `late reason` or the time of the wake. */
function plan(state: GuardState, now: number): readonly (string | number)[] {
  return scheduleLists(state, stepContextOf(settings, at(now))).outputs.map((one) => {
    if (one.kind === 'wake') return one.at - at(0).mono;
    if (one.kind === 'late') return `late ${one.reason}`;
    return one.kind === 'list' ? one.purpose : one.kind;
  });
}

const stale = decisionOf({ phase: 'fresh', due: at(900).mono });
const committing = decisionOf({ phase: 'committing', due: at(900).mono });
const sent = decisionOf({ phase: 'sent', sentAt: at(-100).mono });
const verified = decisionOf({ phase: 'verifying', sentAt: at(-100).mono });
const held = decisionOf({ due: at(900).mono, late: 'relief' });
const gone = withDecision(initialState(), sent.key, sent);

describe('list schedule', () => {
  it.each([
    ['requests a list at once', withNodeView(initialState(), 'n1', initialNodeView()), 0, ['regular']],
    ['waits for the interval', listRequested(), 1000, [5000]],
    ['requests a list after the interval', listRequested(), 5000, ['regular']],
    ['waits while requests are delayed', listRequested({ notBefore: at(9000).mono }), 8999, [9000]],
    ['requests a list after the delay', listRequested({ notBefore: at(9000).mono }), 9000, ['regular']],
    ['requests one list at a time', listRequested({ isRequesting: true }), 9000, []],
    [
      'shifts the regular list to the earliest abort time',
      listRequested({}, [decisionOf({ due: at(7000).mono })]),
      5000,
      [7000],
    ],
    ['wakes at the earliest abort time', listRequested({}, [decisionOf({ due: at(7000).mono })]), 1000, [7000]],
    ['requests a fresh list at the earliest abort time', listRequested({}, [stale]), 1000, ['fresh']],
    ['requests a fresh list after the earliest abort time', listRequested({}, [stale]), 950, ['fresh']],
    ['requests no list while an intent is being stored', listRequested({}, [committing]), 1000, [5000]],
    ['counts a fresh list as regular if one is due', listRequested({}, [stale]), 2500, ['regular']],
    ['is late if the reserve is empty', listRequested(empty, [stale]), 1000, ['late reserve', 2000]],
    ['reports a late list once', listRequested(empty, [{ ...stale, late: 'list' }]), 1000, [2000]],
    ['requests no fresh list during a cooldown', listRequested({}, [held]), 1000, [5000]],
    ['requests a list after an abort request', listRequested({}, [sent]), 1000, ['verify']],
    [
      'requests the first list instead of a verification list',
      listRequested({ requestedAt: undefined }, [sent]),
      1000,
      ['regular'],
    ],
    ['wakes at the deadline of a decision on a removed node', gone, 1000, [34_900]],
    ['does not wake without work', initialState(), 1000, []],
    ['requests a fresh list first', listRequested({}, [verified, { ...stale, key: 'other' }]), 1000, ['fresh']],
    [
      'requests no fresh list behind another abort',
      listRequested({}, [sent, { ...stale, key: 'other' }]),
      1000,
      ['verify'],
    ],
    [
      'reserves three requests for fresh lists',
      listRequested({ reserve: { tokens: 3, at: at(1000).mono } }, [sent]),
      1000,
      ['late reserve', 2000],
    ],
  ])('%s', (_, state, now, expected) => {
    const planned = plan(state, now);
    expect(planned.slice(0, expected.length)).toEqual(expected);
    expect(planned.filter((one) => typeof one === 'string')).toHaveLength(
      expected.filter((one) => typeof one === 'string').length,
    );
  });

  const listRequest = { node: 'n1', id: '7', by: 'alice', reason: 'node overloaded', whilePaused: false };
  it.each<[string, GuardState, number, readonly (string | number)[]]>([
    ['at once, with a fresh list', listRequested(), 1000, ['fresh']],
    ['after the list request in progress', listRequested({ isRequesting: true }), 1000, [11_000]],
    ['late if the reserve is empty', listRequested(empty), 1000, ['late reserve', 2000]],
    ['again after a second', listRequested({ requestedAt: at(1500).mono }), 2000, [2500]],
    ['with a list that is requested at the same time', listRequested({ requestedAt: at(1000).mono }), 1000, [2000]],
    ['late, which is reported once', { ...listRequested(empty), at: at(1000) }, 1500, [2500]],
    [
      'late, reported if it was not late before',
      { ...listRequested(empty), at: at(999) },
      1500,
      ['late reserve', 2500],
    ],
    ['with the first list', listRequested({ requestedAt: undefined }), 1000, ['regular']],
    ['with no list of a removed node', initialState(), 1000, [11_000]],
  ])('serves a manual abort %s', (_, state, now, expected) => {
    const manualRequests = [{ ...listRequest, requestedAt: at(1000).mono }];
    expect(plan({ ...state, manualRequests }, now).slice(0, expected.length)).toEqual(expected);
  });

  it('names the manual abort that is late', () => {
    const manualRequests = [{ ...listRequest, requestedAt: at(1000).mono }];
    const { outputs } = scheduleLists({ ...listRequested(empty), manualRequests }, stepContextOf(settings, at(1000)));
    const target = { key: '["n1","7"]', policy: '', node: 'n1', id: '7', graph: '' };
    expect(outputs).toContainEqual({ kind: 'late', ...target, reason: 'reserve' });
  });

  it.each([
    [30_000, 4000],
    [500, 3500],
    [0, 3301],
  ])('has a list for a query that is about to match, with a grace period of %d ms at %d', (grace, wake) => {
    const policy = policyOf(undefined, { grace });
    const match = { candidate: candidate(), policy, mode: 'enforce', group: '', holds: false, owns: false } as const;
    expect(plan({ ...listRequested(), upcoming: [{ ...match, since: at(3300).mono }] }, 1000)).toEqual([wake]);
  });

  it('wakes when a gate of a decision becomes stale', () => {
    const clause = { source: 'node_memory', bound: bound('> 0.85'), for: 0 } as const;
    const gated = settingsOf([policyOf(undefined, { gate: { needs: 'any', clauses: [clause] } })]);
    const sample = { node: 'n1', source: 'node_memory', value: 0.9, at: at(0).mono, interval: 1000 } as const;
    const gates = updateGates(new Map(), { ...sample, collectedAt: at(0).mono }, [clause]);
    const wakeOf = (state: GuardState) =>
      scheduleLists(state, stepContextOf(gated, at(1000))).outputs.find(({ kind }) => kind === 'wake');
    const waiting = decisionOf({ due: at(4000).mono });
    expect(wakeOf({ ...listRequested({}, [waiting]), gates })).toEqual({ kind: 'wake', at: at(2501).mono });
    expect(wakeOf({ ...listRequested({}, [{ ...waiting, phase: 'sent' }]), gates })).not.toEqual({
      kind: 'wake',
      at: at(2501).mono,
    });
  });

  it('contains only the node whose list is needed', () => {
    const state = listRequested({}, [stale]);
    const view = state.views.get('n1') ?? initialNodeView();
    const { outputs } = scheduleLists(withNodeView(state, 'n2', view), stepContextOf(settings, at(1000)));
    expect(outputs.filter(({ kind }) => kind === 'list')).toEqual([{ kind: 'list', node: 'n1', purpose: 'fresh' }]);
  });

  it('delays lists of a node that fails repeatedly', () => {
    const failing = listRequested({}, [stale]);
    const view = failing.views.get('n1');
    const state = view === undefined ? failing : withNodeView(failing, 'n1', { ...view, rejectedLists: 1 });
    expect(plan(state, 999)).toEqual([1000]);
    expect(plan(state, 1000)[0]).toBe('fresh');
  });

  it('contains only verification lists during shutdown', () => {
    const ending = { status: { ...initialState().status, isStopping: true } };
    expect(plan({ ...listRequested(), ...ending }, 9000)).toEqual([]);
    expect(plan({ ...listRequested({}, [sent]), ...ending }, 1000)[0]).toBe('verify');
    expect(
      plan({ ...listRequested(), ...ending, manualRequests: [{ ...listRequest, requestedAt: at(1000).mono }] }, 1000),
    ).toEqual([11_000]);
  });
});

describe('lists over time', () => {
  it('are requested at the interval and not more often', () => {
    const simulation = new GuardSimulation(settings).begin();
    simulation.run(600_000);
    expect(simulation.of('list')).toHaveLength(121);
    expect(simulation.of('list').every(({ purpose }) => purpose === 'regular')).toBe(true);
  });

  it('are requested for a matching, unconfirmed query as soon as the observation counts', () => {
    const simulation = new GuardSimulation(
      settingsOf([policyOf({ age: bound('> 20000') })]),
      {},
      { interval: 60_000 },
    ).begin();
    simulation.start({ age: 10_000 });
    simulation.run(50_000);
    expect(simulation.of('list').some(({ purpose }) => purpose === 'extra')).toBe(true);
  });

  it('are shared by confirmed queries that wait', () => {
    const policy = policyOf(undefined, { grace: 600_000, victims: { pick: 'oldest', max: 1 } });
    const simulation = new GuardSimulation(settingsOf([policy]), {}, { interval: 60_000 }).begin();
    for (const name of ['one', 'other']) simulation.start({ url: `/query/fraud/${name}` });
    simulation.run(540_000);
    expect(simulation.of('began')).toHaveLength(1);
    const lists = simulation.of('list').filter(({ time }) => time > 150_000);
    expect(lists.map(({ purpose }) => purpose)).toEqual(Array.from({ length: 7 }, () => 'regular'));
  });

  it('of a slow node take at most 5 % of the time after those of the first minutes', () => {
    const simulation = new GuardSimulation(settings, { latency: () => 1000 }).begin();
    simulation.run(600_000);
    expect(simulation.of('list').length).toBeLessThanOrEqual(30 + 15 + 1);
    expect(simulation.of('list').filter(({ time }) => time > 300_000).length).toBeLessThanOrEqual(15 + 1);
  });

  it('stay at their interval after one slow list', () => {
    let lists = 0;
    const latency = () => {
      lists += 1;
      return lists === 5 ? 4000 : 20;
    };
    const simulation = new GuardSimulation(settings, { latency }).begin();
    simulation.run(100_000);
    const times = simulation.of('list').map(({ time }) => time);
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual(times.slice(1).map(() => 5000));
  });

  it('for twenty aborts stay within the reserve', () => {
    const budgets = { perNode: { max: 50, within: 1000 }, perCluster: { max: 50, within: 1000 } };
    const policy = policyOf(undefined, { cooldown: 0, victims: { pick: 'oldest', max: 50 } });
    const simulation = new GuardSimulation(settingsOf([policy], { budgets })).begin();
    for (let index = 0; index < 20; index += 1) simulation.start({ url: `/query/fraud/scan_${index}` });
    simulation.run(300_000);
    expect(simulation.aborts).toHaveLength(20);
    expect(Math.max(...simulation.of('sent').map(({ reaction }) => reaction))).toBeLessThanOrEqual(20 * 30);
    expect(new Set(simulation.of('outcome').map(({ outcome }) => outcome))).toEqual(new Set(['confirmed']));
  });
});
