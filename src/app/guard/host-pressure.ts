import { collectedTimestamp } from '../../collect/categories.ts';
import type { Collector } from '../../collect/collector.ts';
import { hostCpuUsage, hostMemoryTotal, hostMemoryUsed, informantRefresh } from '../../collect/host-metrics.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { GateSource } from '../../guard/policy.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import type { SampleFact } from '../../model/situation.ts';

const cpu = hostCpuUsage.name;
const used = hostMemoryUsed.name;
const total = hostMemoryTotal.name;
const collected = collectedTimestamp.name;
/** Category of the informant that has memory and CPU. */
const category = 'cpu-memory';

/** A clock that is ahead by more makes the time of a measurement worthless. */
const clockTolerance: Millis = 5000;

/** Metric families from which the gates of a host are computed. */
export const hostMetricNames: readonly string[] = [cpu, used, total, collected];

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
 * Returns when the informant of a host measured what a poll at `at` found, on the monotonic clock; `offset` is our time
 * minus that of the host. Undefined if one of them is unknown: then the age of the values is unknown.
 */
export function collectedAt(
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

/** Returns the length of a node's delay queue and the wait of its oldest query; undefined if the poll failed. */
export function queuePressures(
  { listedQueries }: Pick<Collector, 'listedQueries'>,
  { result, ended }: Pick<PollResult, 'result' | 'ended'>,
): ReadonlyMap<GateSource, number | undefined> {
  const waiting = result.ok ? (listedQueries?.(result.value, ended) ?? []) : undefined;
  return new Map([
    ['queue_depth', waiting?.length],
    ['queue_oldest', waiting?.reduce((most, { age = 0 }) => Math.max(most, age), 0)],
  ]);
}
