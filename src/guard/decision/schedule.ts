import type { Millis } from '../../kernel/time.ts';
import type { Match } from '../matcher.ts';
import { eligible, proposed } from './choosing.ts';
import type { Decision } from './decision.ts';
import { countOf, intentDoubtOf } from './doubts.ts';
import { holdOf } from './holds.ts';
import { endOf, verificationAt } from './outcomes.ts';
import type { GuardOutput } from './output.ts';
import { admitted, asked, beatAt, earliestOf, type Purpose } from './pace.ts';
import { phases } from './phases.ts';
import { type Context, each, type GuardState, onward, type Step, withDecision, withView } from './state.ts';
import type { View } from './view.ts';
import { lastsUntil } from './wishes.ts';

/** Somebody waits for a list of a node. Times are on the monotonic clock. */
interface Want {
  readonly node: string;
  readonly purpose: Exclude<Purpose, 'plain'>;
  readonly at: Millis;
  readonly policy: string;
  readonly key: string;
}

/** Between two looks at what is about to match. */
const mostApart: Millis = 1000;

/** After a list that said nothing, and where a bucket is empty, it is tried again then. */
const retry: Millis = 1000;

/** Asks for the lists that are due, and says when to come back. */
export function scheduled(state: GuardState, context: Context): Step {
  const wants = Map.groupBy(wantsOf(state, context), ({ node }) => node);
  const step = each(state, state.views, (before, [node, view]) =>
    asking(before, { node, view, wants: wants.get(node) ?? [], context }),
  );
  return onward(step, (after) => {
    const at = wakeAt(after, wants, context);
    return { state: after, outputs: at === Number.POSITIVE_INFINITY ? [] : [{ kind: 'wake', at }] };
  });
}

interface Asking {
  readonly node: string;
  readonly view: View;
  readonly wants: readonly Want[];
  readonly context: Context;
}

function asking(state: GuardState, { node, view, wants, context }: Asking): Step {
  const { pace } = view;
  const now = context.now.mono;
  if (pace.isAsking || now < pace.notBefore) return { state, outputs: [] };
  const due = wants.filter(({ at }) => at <= now);
  for (const purpose of ['fresh', 'verify', 'extra'] as const) {
    const want = due.find((one) => one.purpose === purpose);
    const admission = want && admitted(pace, purpose, { now, interval: context.interval });
    if (admission !== undefined) return ask(state, { node, view, context }, admission);
  }
  const isBeat = !state.standing.isStopping && beatAt(pace, context.interval, deadlines(wants)) <= now;
  return isBeat ? ask(state, { node, view, context }, 'plain') : each(state, due, (before, want) => late(before, want));
}

function ask(state: GuardState, { node, view, context }: Omit<Asking, 'wants'>, purpose: Purpose): Step {
  const pace = asked(view.pace, purpose, { now: context.now.mono, interval: context.interval });
  return { state: withView(state, node, { ...view, pace }), outputs: [{ kind: 'list', node, purpose }] };
}

/** A deadline is missed for want of a list: that is told once. */
function late(state: GuardState, { key, policy, node, purpose, at }: Want): Step {
  const decision = state.decisions.get(key);
  const reason = purpose === 'extra' ? 'bucket' : 'reserve';
  const outputs: readonly GuardOutput[] = [{ kind: 'late', key, policy, node, reason }];
  if (decision !== undefined)
    return decision.late === undefined
      ? { state: withDecision(state, key, { ...decision, late: reason }), outputs }
      : { state, outputs: [] };
  const isNews = at > (state.at?.mono ?? Number.NEGATIVE_INFINITY);
  return { state, outputs: isNews ? outputs : [] };
}

function wantsOf(state: GuardState, context: Context): readonly Want[] {
  const decided = [...state.decisions.values()].flatMap((decision) => decidedWant(decision, state, context));
  return state.standing.isStopping ? decided : [...decided, ...manualWants(state), ...confirmingWants(state, context)];
}

/** What an operator asks for goes by a list that was asked for after that. */
function manualWants({ wishes, views }: GuardState): readonly Want[] {
  return wishes.flatMap(({ node, id, askedAt }) => {
    const view = views.get(node);
    if (view === undefined) return [];
    const tried = askedOf(view);
    const at = tried < askedAt ? askedAt : tried + retry;
    return [{ node, purpose: 'fresh', at, policy: '', key: JSON.stringify([node, id]) }];
  });
}

function decidedWant(decision: Decision, state: GuardState, context: Context): readonly Want[] {
  const { key, policy, phase, target } = decision;
  const { node } = target;
  const view = state.views.get(node);
  // After a reload it may be on a node that is asked no more.
  if (view === undefined) return [];
  const askedAt = askedOf(view);
  if (phases[phase].isWatched) {
    const at = verificationAt(decision, askedAt);
    return at === undefined ? [] : [{ node, purpose: 'verify', at, policy, key }];
  }
  if (phase === 'grace')
    return decision.due > context.now.mono ? [{ node, purpose: 'fresh', at: decision.due, policy, key }] : [];
  if (phase !== 'fresh' || intentDoubtOf(node, state, context) === undefined) return [];
  return [{ node, purpose: 'fresh', at: view.voids > 0 ? askedAt + retry : decision.due, policy, key }];
}

function askedOf({ pace }: View): Millis {
  return pace.askedAt ?? Number.NEGATIVE_INFINITY;
}

/** What matches and is not confirmed yet has to be seen again as soon as that counts. */
function confirmingWants(state: GuardState, context: Context): readonly Want[] {
  const wants: Want[] = [];
  for (const match of state.matches) {
    const at = match.owns ? confirmableAt(match, state, context) : undefined;
    if (at === undefined) continue;
    const decision = proposed(match);
    const isWanted = !state.decisions.has(decision.key) && eligible(decision, state);
    const { key, policy, target } = decision;
    if (isWanted) wants.push({ node: target.node, purpose: 'extra', at, policy, key });
  }
  return wants;
}

function confirmableAt(match: Match, state: GuardState, context: Context): Millis | undefined {
  const count = countOf(match, state, context);
  if (count === undefined || count.confirmedAt !== undefined) return undefined;
  return count.countedAt + match.policy.confirm.apart;
}

function deadlines(wants: readonly Want[]): readonly Millis[] {
  return wants.map(({ at }) => at);
}

function wakeAt(state: GuardState, wants: ReadonlyMap<string, readonly Want[]>, context: Context): Millis {
  const { now, interval } = context;
  const beats = [...state.views].flatMap(([node, { pace }]) => {
    if (pace.isAsking || state.standing.isStopping) return [];
    return [Math.max(pace.notBefore, beatAt(pace, interval, deadlines(wants.get(node) ?? [])))];
  });
  const held = [...state.decisions.values()].flatMap((decision) => {
    const isHeld = decision.phase === 'grace' && decision.due <= now.mono;
    return (isHeld ? holdOf(decision, state, context)?.until : endOf(decision)) ?? [];
  });
  const matching = state.upcoming.map(noticedAt);
  const all = [...wants.values()].flat();
  const isMissed = all.some(({ node, at }) => at <= now.mono && state.views.get(node)?.pace.isAsking !== true);
  const patience = state.wishes.map(lastsUntil);
  const later = [...deadlines(all), ...beats, ...held, ...matching, ...patience].filter((at) => at > now.mono);
  return earliestOf(isMissed ? [...later, now.mono + retry] : later);
}

/**
 * When to look at what is about to match: just after the time that a clause such as `> 10m` names. M is known exactly
 * whenever it is noticed, so where there is a grace many of them are noticed at once.
 */
function noticedAt({ since, policy: { grace } }: Match): Millis {
  const apart = Math.min(mostApart, grace / 2);
  return apart <= 1 ? since + 1 : Math.ceil((since + 1) / apart) * apart;
}
