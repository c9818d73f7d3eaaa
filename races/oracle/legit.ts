import type { Policy } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Query } from '../world/log.ts';
import { always, isOfThese, isSpared, type Span, spanOf } from './clauses.ts';
import { hasCompany, rivalsOf } from './company.ts';
import { isForewarned, listsWith, tagAt } from './cover.ts';
import { openSpan, wallAt } from './hours.ts';
import { openSince } from './pressure.ts';
import { confirmedBy, sightingsOf } from './sightings.ts';
import { enforcing, isPausedAt, settingsAt, type Trial } from './trial.ts';

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
/** A call may have been looking for its connection for so long: rests and budgets count from its end. */
const onItsWay: Millis = 600;

/** All that had to be aborted in a run, and whether it was. */
export function victimsOf(trial: Trial): readonly Victim[] {
  const all = stretches(trial);
  return trial.log.queries.flatMap((query) =>
    isOdd(trial, query) ? [] : all.flatMap((stretch) => victimsIn(trial, query, stretch)).slice(0, 1),
  );
}

function victimsIn(trial: Trial, query: Query, stretch: Span): readonly Victim[] {
  const settings = settingsAt(trial, stretch.from);
  if (isSpared(settings, query)) return [];
  const meaning = enforcing(settings).filter(({ when }) => isOfThese(when, query));
  const found = meaning.map((policy, index) => {
    const one = victimIn(trial, { policy, query }, stretch);
    return one === undefined || isTaken(meaning.slice(0, index), one) ? undefined : one;
  });
  return found.filter((one) => one !== undefined);
}

/** A policy with a better right to the query means it before its time is over. */
function isTaken(others: readonly Policy[], { query, due }: Victim): boolean {
  return others.some(({ when }) => spanOf(when, query, 0).from <= due + patience);
}

/** Times in which our process lived, went by the same settings, and its clock was not set. */
function stretches({ plan, log }: Trial): readonly Span[] {
  const changes = [...log.steps, ...log.reloads].map(({ at }) => at);
  const begins = [plan.begins, ...changes.filter((at) => at > plan.begins), ...log.downs.map(({ to }) => to)];
  const inOrder = begins.toSorted((one, other) => one - other);
  return inOrder.map((from, index) => ({ from, to: inOrder[index + 1] ?? plan.length }));
}

function victimIn(trial: Trial, { policy, query }: Case, stretch: Span): Victim | undefined {
  const times = timesOf(trial, { policy, query }, stretch);
  if (times === undefined) return undefined;
  const { first, meant, confirmed } = times;
  const due = Math.max(meant, confirmed) + policy.grace;
  if (times.until <= due + patience) return undefined;
  const span: Span = { from: first, to: due + patience };
  if (span.to > stretch.to || !lastsThrough(trial, { policy, query }, span)) return undefined;
  if (!isFree(trial, { policy, query, due }) || rivalsOver(trial, { policy, query }, span)) return undefined;
  const abort = trial.log.aborts.find((one) => one.order.id === query.id && one.order.node === query.node);
  // By another policy, or before something was forgotten.
  if (abort !== undefined && abort.sentAt < due) return undefined;
  const abortedAt = abort !== undefined && abort.sentAt <= span.to ? abort.sentAt : undefined;
  if (wasLacking(trial, query, first)) return undefined;
  if (!isWell(trial, query, span) || !isOn(trial, { from: due - policy.grace, to: abortedAt ?? span.to }))
    return undefined;
  return isCovered(trial, query, { from: due - policy.grace, to: span.to })
    ? { query, policy, due, isForeseen: confirmed < meant, abortedAt }
    : undefined;
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
  /** Its hours end. */
  readonly until: Millis;
}

function timesOf(trial: Trial, { policy, query }: Case, { from: begin, to }: Span): Times | undefined {
  const sightings = sightingsOf(trial, query, begin, to);
  const confirmed = confirmedBy(sightings, policy.confirm);
  const first = sightings[0]?.startedAt;
  if (confirmed === undefined || first === undefined) return undefined;
  const { from } = spanOf(policy.when, query, 0);
  const isTimeAlone = policy.gate === undefined && policy.group === undefined;
  const hours = policy.active === undefined ? always : openSpan(policy.active, wallAt(trial, begin), begin);
  const met = isTimeAlone ? from : metBy(trial, { policy, query }, Math.max(from, confirmed));
  if (met === undefined || hours === undefined) return undefined;
  return { first, confirmed, meant: Math.max(met, hours.from), until: hours.to };
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
  const counts = (one: Query) => isCovered(trial, one, { from: at, to: at }) && isListed(trial, one, at);
  const strict = { at, memory: 0, slack: -trial.plan.interval * 2, counts };
  // Who comes last on another node is seen there too late, and then for a while.
  if (group?.youngest !== undefined && !group.by.includes('node')) return false;
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

/** The list before the first that told of it could have done so, and was bad: where it was good in form, it told a lie. */
function wasLacking({ log }: Trial, { node, beganAt }: Query, first: Millis): boolean {
  const before = log.lists.findLast((one) => one.node === node && one.startedAt < first);
  return before !== undefined && !before.isGood && (before.receivedAt ?? before.startedAt) >= beganAt;
}

/** Lists are good, our process lives, and the disk works. */
function isWell({ plan, log }: Trial, { node }: Query, { from, to }: Span): boolean {
  const lists = log.lists.filter((one) => one.node === node && one.startedAt >= from && one.startedAt <= to);
  const areGood = lists.every(
    ({ isGood, startedAt, receivedAt = Number.POSITIVE_INFINITY }) => isGood && receivedAt - startedAt <= longestList,
  );
  const isAlive = log.downs.every((one) => one.to <= from || one.from > to) && (log.stoppedAt ?? to + 1) > to;
  const isWritable = plan.spells.every((one) => !one.trouble.startsWith('commit') || one.from > to);
  const isRouted = plan.spells.every((one) => one.trouble !== 'nodes are shuffled' || one.from > to);
  return areGood && isAlive && isWritable && isRouted;
}

/** Nobody paused the guard, and it did not pause itself. */
function isOn({ log }: Trial, { from, to }: Span): boolean {
  return [...log.pauses, ...log.surprises].every(({ at }) => at < from || at > to) && !isPausedAt(log, from);
}

/** The latest list of its node was good, and had it. */
function isListed({ log }: Trial, { node, number }: Query, at: Millis): boolean {
  const last = log.lists.findLast((one) => one.node === node && (one.receivedAt ?? one.startedAt) <= at);
  return last?.isGood === true && last.seen.has(number);
}

function isCovered(trial: Trial, { node, id }: Query, { from, to }: Span): boolean {
  const tag = /RESTPP_\d+_\d+/.exec(id)?.[0] ?? '';
  const plan = trial.plan.nodes.find(({ name }) => name === node);
  const isUnique = trial.log.tags.every((one) => one.node === node || one.tag !== tag);
  const isDoubted = isForewarned(trial, { node, tag, sentAt: to });
  const isKnown = plan?.isConfigured === true ? plan.tag === tag : listsWith(trial, { node, tag, sentAt: from }) >= 10;
  return isUnique && !isDoubted && isKnown && tagAt(trial, node, to) === tag;
}

function rivalsOver(trial: Trial, { policy, query }: Case, { from, to }: Span): boolean {
  const most = policy.victims.max - 1;
  return [from, (from + to) / 2, to].some((at) => rivalsOf(trial, policy, { query, at }) > most);
}

/** There is room in the budgets, no rest, and no breaker near. */
function isFree(trial: Trial, { policy, query, due }: Case & { readonly due: Millis }): boolean {
  const { log } = trial;
  const { budgets, breakers } = settingsAt(trial, due);
  const others = log.intents.filter(({ id, node }) => id !== query.id || node !== query.node);
  const since = (length: Millis) => others.filter(({ at }) => at > due - length - onItsWay && at <= due + patience);
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
