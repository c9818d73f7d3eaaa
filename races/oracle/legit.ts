import type { Policy } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Query } from '../world/log.ts';
import { isOfThese, isSpared, type Span, spanOf } from './clauses.ts';
import { hasCompany, rivalsOf } from './company.ts';
import { listsWith, tagAt } from './cover.ts';
import { openSince } from './pressure.ts';
import { confirmedBy, sightingsOf } from './sightings.ts';
import { enforcing, isPausedAt, lifeFrom, type Trial } from './trial.ts';

/** A query that has to be aborted: its policy means it from M on, and nothing that is told speaks against it. */
export interface Victim {
  readonly query: Query;
  readonly policy: Policy;
  /** E, as the truth has it. */
  readonly due: Millis;
  /** It was confirmed before M, so that E was known beforehand. */
  readonly isForeseen: boolean;
  /** When its abort was sent, if it was by the end of its time. */
  readonly abortedAt: Millis | undefined;
}

/** So long after E it has to have happened. */
const patience: Millis = 3000;
const longestList: Millis = 1000;

/** All that had to be aborted in a run, and whether it was. */
export function victimsOf(trial: Trial): readonly Victim[] {
  const policies = enforcing(trial.plan);
  return trial.log.queries.flatMap((query) => {
    const policy = policies.find(({ when }) => isOfThese(when, query));
    if (policy === undefined || isSpared(trial.plan.settings, query) || isOdd(trial, query)) return [];
    const times = timesOf(trial, policy, query);
    if (times === undefined) return [];
    const { meant, confirmed } = times;
    const span: Span = { from: times.first, to: Math.max(meant, confirmed) + policy.grace + patience };
    const due = span.to - patience;
    if (!lastsThrough(trial, { policy, query }, span) || !isFree(trial, { policy, query, due })) return [];
    if (!isWell(trial, query, span) || rivalsOver(trial, { policy, query }, span)) return [];
    const abort = trial.log.aborts.find((one) => one.order.id === query.id && one.order.node === query.node);
    const abortedAt = abort !== undefined && abort.sentAt <= span.to ? abort.sentAt : undefined;
    return [{ query, policy, due, isForeseen: confirmed < meant, abortedAt }];
  });
}

/** Its id, its age or its graph are not what they should be. */
function isOdd({ plan, log }: Trial, { lie, sameIdAs, number, graph }: Query): boolean {
  const isReused = sameIdAs !== undefined || log.queries.some((one) => one.sameIdAs === number);
  return lie !== 0 || isReused || !plan.graphs.includes(graph);
}

interface Times {
  /** The first list that told of it. */
  readonly first: Millis;
  readonly confirmed: Millis;
  /** All else holds. */
  readonly meant: Millis;
}

function timesOf(trial: Trial, policy: Policy, query: Query): Times | undefined {
  const { log } = trial;
  const unsettled = Math.max(
    lifeFrom(trial, query.beganAt),
    ...log.steps.map(({ at }) => at),
    ...log.downs.map(({ to }) => to),
  );
  const sightings = sightingsOf(trial, query, unsettled, Number.POSITIVE_INFINITY);
  const confirmed = confirmedBy(sightings, policy.confirm);
  const first = sightings[0]?.startedAt;
  if (confirmed === undefined || first === undefined) return undefined;
  const { from } = spanOf(policy.when, query, 0);
  const begin = Math.max(from, confirmed);
  const meant = policy.gate === undefined && policy.group === undefined ? from : metBy(trial, { policy, query }, begin);
  return meant === undefined ? undefined : { first, confirmed, meant };
}

interface Case {
  readonly policy: Policy;
  readonly query: Query;
}

/** The first list or reading after which gate and group are as they have to be. */
function metBy(trial: Trial, { policy, query }: Case, from: Millis): Millis | undefined {
  const news = [...trial.log.lists.map(({ receivedAt = 0 }) => receivedAt), ...trial.log.readings.map(({ at }) => at)];
  return news.toSorted((one, other) => one - other).find((at) => at >= from && isMet(trial, { policy, query }, at));
}

function isMet(trial: Trial, { policy, query }: Case, at: Millis): boolean {
  const { gate, group } = policy;
  const isOpen = gate === undefined || openSince(trial, gate, { node: query.node, at }) !== undefined;
  // Who has only just come is not in every list yet.
  const strict = { at, memory: 0, slack: -trial.plan.interval * 2 };
  return isOpen && (group === undefined || hasCompany(trial, { policy, group, query }, strict));
}

/** What the policy asks for is so until its time is over, unless the query was aborted before. */
function lastsThrough(trial: Trial, { policy, query }: Case, { from, to }: Span): boolean {
  const isLong = query.beganAt + query.lasts > to && spanOf(policy.when, query, 0).to > to + 1000;
  const isThere = query.isAborted || query.endedAt > to;
  if (!isLong || !isThere || to > trial.plan.length) return false;
  const due = to - patience;
  const samples = [due - policy.grace, due - policy.grace / 2, due, due + 1000].map((at) => Math.max(from, at));
  const end = query.isAborted ? query.endedAt : Number.POSITIVE_INFINITY;
  return samples.every((at) => at >= end || isMet(trial, { policy, query }, at));
}

/** Lists are good, nobody paused, nothing was set, and the disk works. */
function isWell(trial: Trial, query: Query, { from, to }: Span): boolean {
  const { plan, log } = trial;
  const { node } = query;
  const lists = log.lists.filter((one) => one.node === node && one.startedAt >= from && one.startedAt <= to);
  const areGood = lists.every(
    ({ isGood, startedAt, receivedAt = Infinity }) => isGood && receivedAt - startedAt <= longestList,
  );
  const isAlive = log.downs.every((one) => one.to <= from || one.from > to) && (log.stoppedAt ?? Infinity) > to;
  const changes = [...log.pauses, ...log.surprises].filter(({ at }) => at >= from && at <= to);
  const isSet = log.steps.some(({ at }) => at >= from - 10_000 && at <= to);
  const isWritable = plan.spells.every((one) => !one.trouble.startsWith('commit') || one.from > to);
  const isRouted = plan.spells.every((one) => one.trouble !== 'nodes are shuffled' || one.from > to);
  const isOn = changes.length === 0 && !isPausedAt(log, from);
  return areGood && isAlive && !isSet && isWritable && isRouted && isOn && isCovered(trial, query, { from, to });
}

function isCovered(trial: Trial, { node, id }: Query, { from, to }: Span): boolean {
  const tag = /RESTPP_\d+_\d+/.exec(id)?.[0] ?? '';
  const plan = trial.plan.nodes.find(({ name }) => name === node);
  const isUnique = trial.log.tags.every((one) => one.node === node || one.tag !== tag);
  const hadOthers = trial.log.lists.some((list) => list.node !== node && list.tag === tag);
  const isKnown = plan?.isConfigured === true ? plan.tag === tag : listsWith(trial, { node, tag, sentAt: from }) >= 10;
  return isUnique && !hadOthers && isKnown && tagAt(trial, node, to) === tag;
}

function rivalsOver(trial: Trial, { policy, query }: Case, { from, to }: Span): boolean {
  const most = policy.victims.max - 1;
  return [from, (from + to) / 2, to].some((at) => rivalsOf(trial, policy, { query, at }) > most);
}

/** There is room in the budgets, no rest, and no breaker near. */
function isFree({ plan, log }: Trial, { policy, query, due }: Case & { readonly due: Millis }): boolean {
  const { budgets, breakers } = plan.settings;
  const others = log.intents.filter(({ id, node }) => id !== query.id || node !== query.node);
  const since = (length: Millis) => others.filter(({ at }) => at > due - length && at <= due + patience);
  const isMine = (one: (typeof others)[number]) => one.policy === policy.name && one.node === query.node;
  const rest = policy.gate === undefined ? policy.cooldown : Number.POSITIVE_INFINITY;
  const tries = since(Number.POSITIVE_INFINITY).filter((one) => one.graph === query.graph && one.query === query.name);
  const ofPolicy = others.filter((one) => one.policy === policy.name && policy.gate !== undefined);
  return (
    since(budgets.perNode.within).filter(({ node }) => node === query.node).length < budgets.perNode.max &&
    since(budgets.perCluster.within).length < budgets.perCluster.max &&
    since(rest).every((one) => !isMine(one)) &&
    tries.length < breakers.sameQuery.aborts &&
    ofPolicy.length < breakers.noRelief.aborts
  );
}
