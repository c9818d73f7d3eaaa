import {
  DelayQueues,
  hasHostMetrics,
  hostMetricNames,
  hostPressures,
  hostRefresh,
  hostSources,
  queueSources,
} from '../app/guard/host-pressure.ts';
import { SampleCapture } from '../app/poll/sample-capture.ts';
import { collectors } from '../collect/all.ts';
import type { Collector } from '../collect/collector.ts';
import { delayedQueries } from '../collect/delayed-queries.ts';
import type { Config } from '../config/config.ts';
import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Pressure } from '../guard/gates.ts';
import type { GateSource, Policy } from '../guard/policy.ts';
import { withDeadline } from '../kernel/deadline.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { CollectorSettings, NodeSettings } from '../model/settings.ts';

/** Node with its client. */
export interface PolledNode {
  readonly settings: NodeSettings;
  readonly db: GraphDb;
}

/** Poll of values that the gates of policies need. */
export interface PressurePoll {
  readonly sources: readonly GateSource[];
  readonly interval: Millis;
  /** Polls once; a value that is not available is undefined. */
  poll(clock: Clock, signal: AbortSignal): Promise<readonly Omit<Pressure, 'at'>[]>;
}

/** Polls that the gates of these policies need, with the collectors that the daemon would use. */
export function pressurePolls(
  policies: readonly Policy[],
  nodes: readonly PolledNode[],
  { collectors: all }: Pick<Config, 'collectors'>,
): readonly PressurePoll[] {
  const neededSources = new Set(policies.flatMap(({ gate }) => (gate?.clauses ?? []).map(({ source }) => source)));
  const isNeeded = (sources: readonly GateSource[]): boolean => sources.some((source) => neededSources.has(source));
  const queues = enabledCollector(delayedQueries, all);
  const hosts = collectors.filter(hasHostMetrics).flatMap((one) => enabledCollector(one, all) ?? [])[0];
  return [
    ...(queues !== undefined && isNeeded(queueSources) ? nodes.map((node) => queuePoll(node, queues)) : []),
    ...(hosts !== undefined && isNeeded(hostSources) ? [hostPoll(nodes, hosts)] : []),
  ];
}

interface EnabledCollector {
  readonly collector: Collector;
  readonly settings: CollectorSettings;
}

function enabledCollector(collector: Collector, all: Config['collectors']): EnabledCollector | undefined {
  const settings = all[collector.name];
  return settings?.enabled === true ? { collector, settings } : undefined;
}

function queuePoll(
  { settings: { name: node }, db }: PolledNode,
  { collector, settings }: EnabledCollector,
): PressurePoll {
  const { interval, timeout } = settings;
  const queues = new DelayQueues();
  return {
    sources: queueSources,
    interval,
    poll: async (clock, stop) => {
      const started = clock.now().mono;
      const answer = await withDeadline(clock, timeout, (signal) =>
        collector.poll(db, AbortSignal.any([signal, stop])),
      );
      const delayed = answer.ok ? (collector.listedQueries?.(answer.value, clock.now()) ?? []) : undefined;
      const oldest = delayed?.reduce((most, { age = 0 }) => Math.max(most, age), 0);
      const collectedAt = queues.collectedAt(node, delayed, started);
      return [
        { node, source: 'queue_depth', value: delayed?.length, collectedAt, interval },
        { node, source: 'queue_oldest', value: oldest, collectedAt, interval },
      ];
    },
  };
}

/** Returns the poll of the host metrics. Each node returns those of all hosts, so the first node that responds is enough. */
function hostPoll(nodes: readonly PolledNode[], { collector, settings }: EnabledCollector): PressurePoll {
  const { interval, timeout } = settings;
  return {
    sources: hostSources,
    interval,
    poll: async (clock, stop) => {
      const started = clock.now().mono;
      const capture = new SampleCapture(new Set(hostMetricNames));
      for (const { db } of nodes) {
        const answer = await withDeadline(clock, timeout, (signal) =>
          collector.poll(db, AbortSignal.any([signal, stop])),
        );
        if (!answer.ok) continue;
        Array.from(capture.pass(collector.samples(answer.value, clock.now())));
        break;
      }
      return nodes.flatMap(({ settings: { name: node, hostId } }) => {
        const values = hostId === undefined ? [] : [...hostPressures((family) => capture.family(family), hostId)];
        return values.map(([source, value]) => ({
          node,
          source,
          value,
          collectedAt: started,
          interval: hostRefresh(interval),
        }));
      });
    },
  };
}
