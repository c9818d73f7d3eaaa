import type { Collector } from '../../collect/collector.ts';
import { hostCpuUsage, hostMemoryTotal, hostMemoryUsed } from '../../collect/host-metrics.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { GateSource } from '../../guard/policy.ts';
import type { SampleFact } from '../../model/situation.ts';

const cpu = hostCpuUsage.name;
const used = hostMemoryUsed.name;
const total = hostMemoryTotal.name;

/** Metric families from which the gates of a host are computed. */
export const hostMetricNames: readonly string[] = [cpu, used, total];

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
