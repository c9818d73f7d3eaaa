import { describe, expect, it } from 'vitest';
import type { Decision, SkipReason } from '../../../src/guard/decision/decision.ts';
import {
  checkInputFor,
  confirmedSince,
  intentSkipReason,
  isAbortable,
  listSkipReason,
  skipReasonFor,
} from '../../../src/guard/decision/guard-conditions.ts';
import type { NodeView } from '../../../src/guard/decision/node-view.ts';
import type { GuardState, GuardStatus } from '../../../src/guard/decision/state.ts';
import { instanceMap } from '../../../src/guard/instances.ts';
import type { GuardSettings } from '../../../src/guard/policy.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import { globs, policyOf } from '../match-inputs.ts';
import { at, idAt } from '../observations.ts';
import { stepContextOf } from './contexts.ts';
import { GuardSimulation, settingsOf } from './guard-simulation.ts';

const settings = settingsOf([policyOf()]);

/** A decision in its grace period that passes all guard conditions. */
const simulation = new GuardSimulation(settings).begin();
simulation.start();
simulation.run(70_000);
const { state } = simulation;
const [decision] = state.decisions.values();

const listed = state.views.get('n1')?.list;

/** The views of all nodes with other values. */
function viewsWith(changes: Partial<NodeView>): GuardState['views'] {
  return new Map([...state.views].map(([node, view]) => [node, { ...view, ...changes }]));
}

interface Changes {
  /** Time since the decision. */
  readonly after?: Millis;
  readonly state?: Partial<GuardState>;
  readonly status?: Partial<GuardStatus>;
  readonly settings?: GuardSettings;
  readonly decision?: Partial<Decision>;
}

function skipReason(changes: Changes = {}): SkipReason | undefined {
  if (decision === undefined) throw new Error('no decision began');
  const { wall, mono } = simulation.now();
  const { after = 0 } = changes;
  const context = stepContextOf(changes.settings ?? settings, { wall: wall + after, mono: mono + after });
  const next = { ...state, ...changes.state, status: { ...state.status, ...changes.status } };
  return skipReasonFor(checkInputFor({ ...decision, ...changes.decision }, next, context));
}

describe('guard conditions', () => {
  it('pass a decision without a skip reason', () => {
    expect(skipReason()).toBeUndefined();
  });

  const target = decision?.target ?? { node: '', id: '', startTime: '', graph: '', query: '' };
  it.each<[SkipReason, Changes]>([
    ['not_restored', { status: { isRestored: false } }],
    ['paused', { status: { isPaused: true } }],
    ['audit', { status: { isAuditable: false } }],
    ['stopping', { status: { isStopping: true } }],
    ['mode', { settings: { ...settings, mode: 'observe' } }],
    ['mode', { settings: settingsOf([policyOf(undefined, { mode: 'observe' })]) }],
    ['mode', { settings: settingsOf([]) }],
    ['mode', { decision: { mode: 'observe' } }],
    ['not_covered', { state: { views: new Map() } }],
    ['too_old', { state: { views: viewsWith({ list: undefined }) } }],
    ['too_old', { after: 15_000 }],
    ['malformed_entry', { state: { views: viewsWith({ list: listed && { ...listed, candidates: new Map() } }) } }],
    ['not_listed', { decision: { target: { ...target, id: 'another' } } }],
    ['not_listed', { decision: { target: { ...target, startTime: 'another' } } }],
    ['not_covered', { state: { instances: instanceMap(new Map(), new Map()) } }],
    ['unconfirmed', { state: { views: viewsWith({ histories: new Map() }) } }],
    ['protected', { settings: { ...settings, protect: [{ query: globs('ring_*') }] } }],
    ['not_matched', { state: { matches: [] } }],
    ['not_matched', { state: { matches: state.matches.map((one) => ({ ...one, owns: false })) } }],
    ['unknown_graph', { state: { graphs: new Set(['sandbox']) } }],
    ['breaker', { state: { breakers: { ...state.breakers, open: new Set(['no_relief runaway']) } } }],
    ['breaker', { state: { breakers: { ...state.breakers, open: new Set(['same_query fraud ring_scan']) } } }],
  ])('return the skip reason %s (case %$)', (expected, changes) => {
    expect(skipReason(changes)).toBe(expected);
  });

  it('ignore the circuit breakers of other queries and policies', () => {
    const open = new Set(['no_relief other', 'same_query fraud other']);
    expect(skipReason({ state: { breakers: { ...state.breakers, open } } })).toBeUndefined();
  });

  it('accept installed queries only', () => {
    const views = [...state.views].map(([node, view]) => {
      const list = view.list && {
        ...view.list,
        candidates: new Map(
          [...view.list.candidates].map(([id, one]) => [
            id,
            { ...one, observation: { ...one.observation, kind: 'builtin' as const } },
          ]),
        ),
      };
      return [node, { ...view, list }] as const;
    });
    expect(skipReason({ state: { views: new Map(views) } })).toBe('not_installed');
  });
});

describe('list of a node', () => {
  it('is too old after a second plus its duration, or if it is missing', () => {
    const received = state.views.get('n1')?.list?.times.received.mono ?? 0;
    const later = (length: number) => ({ now: at(received - at(0).mono + length) });
    expect(listSkipReason('n1', state, later(900))).toBeUndefined();
    expect(listSkipReason('n1', state, later(1001))).toBe('too_old');
    expect(listSkipReason('n2', state, later(0))).toBe('too_old');
  });

  it('is too old for an intent after half of that, because storing the intent takes time', () => {
    const received = state.views.get('n1')?.list?.times.received.mono ?? 0;
    const later = (length: number) => ({ now: at(received - at(0).mono + length) });
    expect([0, 499, 500].map((length) => intentSkipReason('n1', state, later(length)))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(intentSkipReason('n1', state, later(501))).toBe('too_old');
    expect(intentSkipReason('n2', state, later(0))).toBe('too_old');
  });

  it('confirms no unknown entry', () => {
    if (decision === undefined) throw new Error('no decision began');
    const context = stepContextOf(settings, at(0));
    expect(confirmedSince({ decision, state, context })).toBeTypeOf('number');
    expect(confirmedSince({ decision: { ...decision, policy: 'other' }, state, context })).toBeUndefined();
  });
});

describe('isAbortable', () => {
  const known = new Set(['fraud', 'sandbox', 'a b', '', '../fraud', 'fraud&url=*']);

  it('accepts an id of the strict pattern in a graph of the cluster', () => {
    expect(isAbortable({ id: idAt(0), graph: 'fraud' }, known)).toBe(true);
  });

  it.each(['', 'all', 'unknown', 'a b', '../fraud', 'fraud&url=*', '__proto__'])('rejects the graph %j', (graph) => {
    expect(isAbortable({ id: idAt(0), graph }, known)).toBe(false);
  });

  it.each(['', 'all', '*', `${idAt(0)}&requestid=all`, `${idAt(0)}\n`])('rejects the id %j', (id) => {
    expect(isAbortable({ id, graph: 'fraud' }, known)).toBe(false);
  });
});
