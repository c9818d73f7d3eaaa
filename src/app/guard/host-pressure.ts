import { collectors } from '../../collect/all.ts';
import { collectedTimestamp } from '../../collect/categories.ts';
import type { Collector } from '../../collect/collector.ts';
import { delayedQueries } from '../../collect/delayed-queries.ts';
import { hostCpuUsage, hostMemoryTotal, hostMemoryUsed, informantRefresh } from '../../collect/host-metrics.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { Pressure } from '../../guard/gates.ts';
import type { GateSource } from '../../guard/policy.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import type { ListedQuery } from '../../model/query.ts';
import type { CollectorSettings, NodeSettings } from '../../model/settings.ts';
import type { SampleFact } from '../../model/situation.ts';
import type { CollectorFeed } from '../poll/collector-feed.ts';

const cpu = hostCpuUsage.name;
const used = hostMemoryUsed.name;
const total = hostMemoryTotal.name;
const collected = collectedTimestamp.name;
/** Category of the informant that has memory and CPU. */
const category = 'cpu-memory';

/** Maximum time by which a measurement may be in the future; beyond that, its time is unusable. */
const clockTolerance: Millis = 5000;

/** Metric families from which the gates of a host are computed. */
export const hostMetricNames: readonly string[] = [cpu, used, total, collected];

/** Sources of gates that the delay queue of a node shows. */
export const queueSources: readonly GateSource[] = ['queue_depth', 'queue_oldest'];

/** Sources of gates that the informant of a host measures. */
export const hostSources: readonly GateSource[] = ['node_memory', 'node_cpu'];

/** Returns the sources of gates that the enabled collectors poll. */
export function polledGateSources(
  settings: Readonly<Record<string, Pick<CollectorSettings, 'enabled'>>>,
): readonly GateSource[] {
  const isPolled = ({ name }: Collector): boolean => settings[name]?.enabled === true;
  return [
    ...(isPolled(delayedQueries) ? queueSources : []),
    ...(collectors.some((one) => hasHostMetrics(one) && isPolled(one)) ? hostSources : []),
  ];
}

/** Whether a collector polls any of these families. */
export function hasHostMetrics({ metrics }: Pick<Collector, 'metrics'>): boolean {
  return metrics.some(({ name }) => hostMetricNames.includes(name));
}

/** Returns memory and CPU use of a host as shares; undefined if they are unknown, or if memory has no limit. */
export function hostPressures(
  facts: (family: string) => readonly SampleFact[],
  host: string,
): ReadonlyMap<GateSource, number | undefined> {
  const of = (family: string) => facts(family).find(({ labels }) => labels.host_id === host)?.value;
  const [taken, all] = [of(used), of(total)];
  const memory = taken === undefined || all === undefined || all <= 0 ? undefined : taken / all;
  return new Map([
    ['node_memory', memory],
    ['node_cpu', of(cpu)],
  ]);
}

/** Refresh period of the values of hosts that are polled at an interval. */
export function hostRefresh(interval: Millis): Millis {
  return Math.max(interval, informantRefresh);
}

/**
 * Returns when the informant of a host measured the values of a poll at `at`, on the monotonic clock; `offset` is the
 * local time minus that of the host. Undefined if one of them is unknown: then the age of the values is unknown.
 */
function collectedAt(
  facts: (family: string) => readonly SampleFact[],
  host: string,
  { at, offset }: { readonly at: Instant; readonly offset: Millis | undefined },
): Millis | undefined {
  const of = ({ labels }: SampleFact): boolean => labels.host_id === host && labels.category === category;
  const seconds = facts(collected).find(of)?.value;
  if (seconds === undefined || offset === undefined) return undefined;
  const age = at.wall - (seconds * 1000 + offset);
  return age < -clockTolerance ? undefined : at.mono - Math.max(0, age);
}

/** Latest list of a delay queue, and when the server collected it, on the monotonic clock. */
interface CollectedQueue {
  readonly waiting: readonly ListedQuery[];
  readonly at: Millis;
}

/** Latest lists of the delay queues of nodes, which show whether a list is new or a cache repeats the previous one. */
export class DelayQueues {
  readonly #latest = new Map<string, CollectedQueue>();

  /**
   * Returns when the list of a queue was collected, on the monotonic clock: at the start of its request, or with the
   * previous list if the times of all queries are the same as in that list. `waiting` is undefined if there is no list.
   */
  collectedAt(queue: string, waiting: readonly ListedQuery[] | undefined, started: Millis): Millis {
    if (waiting === undefined) return started;
    const before = this.#latest.get(queue);
    const at = before !== undefined && isRepetition(waiting, before.waiting) ? before.at : started;
    this.#latest.set(queue, { waiting, at });
    return at;
  }
}

/** Queries wait longer from list to list, if the server reports how long they wait. */
function isRepetition(waiting: readonly ListedQuery[], before: readonly ListedQuery[]): boolean {
  return (
    waiting.length === before.length &&
    waiting.some(({ age = 0 }) => age > 0) &&
    waiting.every(({ id, age }, index) => id === before[index]?.id && age === before[index].age)
  );
}

/** Inputs of the pressures in addition to a poll result. */
export interface PressureContext {
  /** Time between two polls. */
  readonly interval: Millis;
  readonly facts: (family: string) => readonly SampleFact[];
  readonly nodes: readonly NodeSettings[];
  /** Local time minus that of a node; undefined if it is not known. */
  readonly offset: (node: string) => Millis | undefined;
  readonly queues: DelayQueues;
}

/** Returns the values of gates that a poll result shows; none if its collector has nothing to do with gates. */
export function polledPressures(
  { cluster, node, definition }: CollectorFeed,
  poll: PollResult,
  context: PressureContext,
): readonly Pressure[] {
  if (definition.name === delayedQueries.name) return queuePressures(definition, { ...poll, cluster, node }, context);
  if (!hasHostMetrics(definition)) return [];
  return context.nodes.flatMap(({ name, hostId }) =>
    hostId === undefined ? [] : polledHostPressures({ node: name, hostId, at: poll.ended }, context),
  );
}

/** Returns the values of a host; undefined values if their age is unknown. */
function polledHostPressures(
  { node, hostId, at }: { readonly node: string; readonly hostId: string; readonly at: Instant },
  { facts, offset, interval }: PressureContext,
): readonly Pressure[] {
  const measuredAt = collectedAt(facts, hostId, { at, offset: offset(node) });
  const times = { at: at.mono, collectedAt: measuredAt ?? at.mono, interval: hostRefresh(interval) };
  return [...hostPressures(facts, hostId)].map(([source, value]) => {
    return { node, source, value: measuredAt === undefined ? undefined : value, ...times };
  });
}

type QueuePoll = Pick<PollResult, 'result' | 'started' | 'ended'> & Pick<CollectorFeed, 'cluster' | 'node'>;

/** Length of a node's delay queue and the wait of its oldest query; unknown if the poll failed. */
function queuePressures(
  { listedQueries }: Pick<Collector, 'listedQueries'>,
  { cluster, node, result, started, ended }: QueuePoll,
  { interval, queues }: Pick<PressureContext, 'interval' | 'queues'>,
): readonly Pressure[] {
  const waiting = result.ok ? (listedQueries?.(result.value, ended) ?? []) : undefined;
  const measuredAt = queues.collectedAt(JSON.stringify([cluster, node]), waiting, started.mono);
  const times = { at: ended.mono, collectedAt: measuredAt, interval };
  const oldest = waiting?.reduce((most, { age = 0 }) => Math.max(most, age), 0);
  return [
    { node, source: 'queue_depth', value: waiting?.length, ...times },
    { node, source: 'queue_oldest', value: oldest, ...times },
  ];
}
