import type { Millis } from '../../kernel/time.ts';
import { pressed } from '../gates.ts';
import { instanceOf, instancesFor, told } from '../instances.ts';
import { readAnswer } from '../listing.ts';
import { closed, hasFallen, policyBreaker, readingKey, relieflessOf, relieved } from './breakers.ts';
import type { GuardInput } from './input.ts';
import { reconciled } from './outcomes.ts';
import type { GuardOutput } from './output.ts';
import { moved } from './phases.ts';
import { restored } from './restoring.ts';
import { type Context, each, type GuardState, type Standing, type Step, withDecision, withView } from './state.ts';
import { isBlind, unviewed, type View, type Viewed, viewed } from './view.ts';
import { wished } from './wishes.ts';

/** Where a list was not asked for it is tried again then. */
const retry: Millis = 1000;

type Of<Kind extends GuardInput['kind']> = GuardInput & { readonly kind: Kind };

/** Takes in what the guard is told, before anything is decided by it. */
export function taken(state: GuardState, input: GuardInput, context: Context): Step {
  switch (input.kind) {
    case 'listed':
      return listed(state, input, context);
    case 'unlisted':
      return unlisted(state, input, context);
    case 'unasked':
      return quiet(unasked(state, input, context));
    case 'pressed':
      return pressureTaken(state, input, context);
    case 'committed':
      return quiet(committed(state, input));
    case 'answered':
      return answered(state, input);
    case 'manual':
      return wished(state, input, context);
    case 'reset':
      return resetting(state, input, context);
    case 'restored':
      return quiet(restored(state, input.kept, context.now));
    case 'graphs':
      return quiet(graphsTaken(state, new Set(input.names)));
    case 'paused':
      return quiet(standing(state, { isPaused: input.isPaused }));
    case 'audit':
      return quiet(standing(state, { isAuditable: input.isWritable }));
    case 'stop':
      return quiet(standing(state, { isStopping: true }));
    case 'beat':
      break;
  }
  return quiet(state);
}

/** Queries of a graph that was not known were spared, so they are confirmed anew: their grace begins now. */
function graphsTaken(state: GuardState, graphs: ReadonlySet<string>): GuardState {
  if ([...graphs].every((graph) => state.graphs.has(graph))) return { ...state, graphs };
  const isNew = (graph: string | undefined) => graph !== undefined && graphs.has(graph) && !state.graphs.has(graph);
  const views = [...state.views].map(([node, view]) => {
    const { witnesses, beginnings } = view;
    const left = [...witnesses].filter(([id]) => !isNew(beginnings.get(id)?.first.graph));
    return [node, { ...view, witnesses: new Map(left) }] as const;
  });
  return { ...state, graphs, views: new Map(views) };
}

function listed(state: GuardState, input: Of<'listed'>, context: Context): Step {
  const { node, body, times } = input;
  const before = state.views.get(node);
  if (before === undefined) return quiet(state);
  const now = times.received.mono;
  const answer = readAnswer(body, before.list?.candidates);
  const instances = told(state.instances, node, answer.ok ? answer.value.instances : new Set(), now);
  const own = instancesFor(instances, node, now);
  const known = viewed(before, input, { answer, instances: own, ways: context.ways });
  const next = seen({ ...state, instances }, { node, before, viewed: known }, context);
  return known.doubt === undefined ? { ...next, state: verified(next.state, input) } : next;
}

function unlisted(state: GuardState, { node, doubt }: Of<'unlisted'>, context: Context): Step {
  const before = state.views.get(node);
  if (before === undefined) return quiet(state);
  return seen(state, { node, before, viewed: unviewed(before, context.now.mono, doubt) }, context);
}

function unasked(state: GuardState, { node }: Of<'unasked'>, { now }: Context): GuardState {
  const view = state.views.get(node);
  if (view === undefined) return state;
  return withView(state, node, { ...view, pace: { ...view.pace, isAsking: false, notBefore: now.mono + retry } });
}

interface Seeing {
  readonly node: string;
  readonly before: View;
  readonly viewed: Viewed;
}

function seen(state: GuardState, { node, before, viewed: { view, leftOut, doubt } }: Seeing, { now }: Context): Step {
  const isCovered = instanceOf(state.instances, node, now.mono) !== undefined;
  const isNowBlind = isBlind(view);
  const outputs: readonly GuardOutput[] = [
    ...leftOut.map((reason) => ({ kind: 'void', scope: 'entry', node, reason }) as const),
    ...(doubt === undefined ? [] : [{ kind: 'void', scope: 'node', node, reason: doubt } as const]),
    ...(isNowBlind === isBlind(before) ? [] : [{ kind: 'blind', node, isBlind: isNowBlind } as const]),
    ...(isCovered === before.isCovered ? [] : [{ kind: 'covered', node, isCovered } as const]),
  ];
  return { state: withView(state, node, { ...view, isCovered }), outputs };
}

/** A good list that was asked for after a call tells whether what was to end is gone. */
function verified(state: GuardState, { node, times }: Of<'listed'>): GuardState {
  const ids = state.views.get(node)?.list?.ids;
  const watched = [...state.decisions.values()].filter(
    ({ target, sentAt }) => target.node === node && sentAt !== undefined && sentAt <= times.started.mono,
  );
  return watched.reduce((before, decision) => {
    const news = ids?.has(decision.target.id)
      ? { absences: 0, listedAt: times.started.mono }
      : { absences: decision.absences + 1 };
    return withDecision(before, decision.key, { ...decision, ...news });
  }, state);
}

function pressureTaken(state: GuardState, { pressure }: Of<'pressed'>, context: Context): Step {
  const { node, source } = pressure;
  const next: GuardState = {
    ...state,
    gates: pressed(state.gates, pressure, context.clauses),
    readings: new Map(state.readings).set(readingKey(node, source), pressure),
  };
  const judged = state.awaited.flatMap((one) => {
    const fell = hasFallen(one, pressure);
    return fell === undefined ? [] : [{ ...one, fell }];
  });
  return each(next, judged, (before, { key, policy, fell }) => {
    const breakers = relieved(before.breakers, policy, { isRelieved: fell, settings: context.settings.breakers });
    const breaker = policyBreaker(policy);
    const isNew = breakers.open.has(breaker) && !before.breakers.open.has(breaker);
    return {
      state: { ...before, breakers, awaited: before.awaited.filter((one) => one.key !== key) },
      outputs: [
        { kind: 'relief', policy, node, aborts: relieflessOf(breakers, policy) },
        ...(isNew ? [{ kind: 'breaker', breaker, isOpen: true } as const] : []),
      ],
    };
  });
}

/** Where one row could not be written no other is tried until somebody says that rows can be written. */
function committed(state: GuardState, { key, isOnDisk }: Of<'committed'>): GuardState {
  const next = isOnDisk ? state : standing(state, { isAuditable: false });
  const decision = next.decisions.get(key);
  return decision?.phase === 'committing' ? withDecision(next, key, { ...decision, isOnDisk }) : next;
}

function answered(state: GuardState, { key, answer }: Of<'answered'>): Step {
  const decision = state.decisions.get(key);
  if (decision?.phase !== 'sent') return quiet(state);
  const { answer: known, isUnexpected } = reconciled(answer, decision.target.id);
  const next = withDecision(state, key, moved(decision, 'verifying', { answer: known }));
  if (!isUnexpected) return quiet(next);
  return { state: standing(next, { isPaused: true }), outputs: [{ kind: 'pause', reason: 'unexpected_id' }] };
}

function resetting(state: GuardState, { breaker }: Of<'reset'>, { now }: Context): Step {
  if (!state.breakers.open.has(breaker)) return quiet(state);
  return {
    state: { ...state, breakers: closed(state.breakers, breaker, now.mono) },
    outputs: [{ kind: 'breaker', breaker, isOpen: false }],
  };
}

function standing(state: GuardState, changes: Partial<Standing>): GuardState {
  return { ...state, standing: { ...state.standing, ...changes } };
}

function quiet(state: GuardState): Step {
  return { state, outputs: [] };
}
