import { FactTap } from '../app/fact-tap.ts';
import { hostFamilies, hostPressures, tellsOfHosts } from '../app/host-pressure.ts';
import { collectors } from '../collect/all.ts';
import type { Collector } from '../collect/collector.ts';
import { delayedQueries } from '../collect/delayed-queries.ts';
import type { Config } from '../config/config.ts';
import type { GraphDb } from '../graphdb/graph-db.ts';
import type { Pressure } from '../guard/gates.ts';
import type { GateSource, Policy } from '../guard/policy.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import type { CollectorSettings, NodeSettings } from '../model/settings.ts';
import { withDeadline } from './deadline.ts';

/** A node that can be asked. */
export interface AskedNode {
  readonly settings: NodeSettings;
  readonly db: GraphDb;
}

/** Something that is read again and again for the gates of policies. */
export interface PressureRound {
  readonly sources: readonly GateSource[];
  readonly every: Millis;
  /** Asks once; a pressure that could not be read has no value. */
  read(clock: Clock, signal: AbortSignal): Promise<readonly Omit<Pressure, 'at'>[]>;
}

const ofQueues: readonly GateSource[] = ['queue_depth', 'queue_oldest'];
const ofHosts: readonly GateSource[] = ['node_memory', 'node_cpu'];

/** The readings that the gates of these policies wait for, from the collectors that the daemon would take. */
export function pressureRounds(
  policies: readonly Policy[],
  nodes: readonly AskedNode[],
  { collectors: all }: Pick<Config, 'collectors'>,
): readonly PressureRound[] {
  const wanted = new Set(policies.flatMap(({ gate }) => (gate?.clauses ?? []).map(({ source }) => source)));
  const isWanted = (sources: readonly GateSource[]): boolean => sources.some((source) => wanted.has(source));
  const queues = readBy(delayedQueries, all);
  const hosts = collectors.filter(tellsOfHosts).flatMap((one) => readBy(one, all) ?? [])[0];
  return [
    ...(queues !== undefined && isWanted(ofQueues) ? nodes.map((node) => queueRound(node, queues)) : []),
    ...(hosts !== undefined && isWanted(ofHosts) ? [hostRound(nodes, hosts)] : []),
  ];
}

interface Reader {
  readonly collector: Collector;
  readonly settings: CollectorSettings;
}

function readBy(collector: Collector, all: Config['collectors']): Reader | undefined {
  const settings = all[collector.name];
  return settings?.enabled === true ? { collector, settings } : undefined;
}

function queueRound({ settings: { name: node }, db }: AskedNode, { collector, settings }: Reader): PressureRound {
  const { every: interval, timeout } = settings;
  return {
    sources: ofQueues,
    every: interval,
    read: async (clock, stop) => {
      const answer = await withDeadline(clock, timeout, (signal) =>
        collector.read(db, AbortSignal.any([signal, stop])),
      );
      const waiting = answer.ok ? (collector.listed?.(answer.value, clock.now()) ?? []) : undefined;
      const oldest = waiting?.reduce((most, { age = 0 }) => Math.max(most, age), 0);
      return [
        { node, source: 'queue_depth', value: waiting?.length, interval },
        { node, source: 'queue_oldest', value: oldest, interval },
      ];
    },
  };
}

/** Any node tells of all hosts: the first that answers is enough. */
function hostRound(nodes: readonly AskedNode[], { collector, settings }: Reader): PressureRound {
  const { every: interval, timeout } = settings;
  return {
    sources: ofHosts,
    every: interval,
    read: async (clock, stop) => {
      const tap = new FactTap(new Set(hostFamilies));
      for (const { db } of nodes) {
        const answer = await withDeadline(clock, timeout, (signal) =>
          collector.read(db, AbortSignal.any([signal, stop])),
        );
        if (!answer.ok) continue;
        Array.from(tap.pass(collector.samples(answer.value, clock.now())));
        break;
      }
      return nodes.flatMap(({ settings: { name: node, hostId } }) => {
        const values = hostId === undefined ? [] : [...hostPressures((family) => tap.of(family), hostId)];
        return values.map(([source, value]) => ({ node, source, value, interval }));
      });
    },
  };
}
