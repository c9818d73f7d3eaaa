import { z } from 'zod';
import { categories } from '../collect/categories.ts';
import type { Collector } from '../collect/collector.ts';
import { informantRefresh } from '../collect/host-metrics.ts';
import { collectorsSection } from '../collect/settings.ts';
import type { GateSource } from '../guard/policy.ts';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import type { KeyPath, UnlocatedProblem } from '../model/config-problem.ts';
import type { CollectorSettings } from '../model/settings.ts';

/** Collectors that provide the values of gates, the preferred one first. */
const pressureCollectors: Readonly<Record<GateSource, readonly string[]>> = {
  node_memory: ['metrics', 'categories'],
  node_cpu: ['metrics', 'categories'],
  queue_depth: ['delayed_queries'],
  queue_oldest: ['delayed_queries'],
};

/** Gate sources about hosts; a node has values for them if its host_id is configured. */
const hostSources: readonly string[] = ['node_memory', 'node_cpu'];

/** Minimum number of values of the server for which a clause must hold. */
const minValues = 2;

const clause = z.looseObject({ for: z.string().optional().catch(undefined) });
const clauses = z.array(clause.optional().catch(undefined)).optional().catch(undefined);
const view = z.looseObject({ any: clauses, all: clauses });

type GateClause = z.infer<typeof clause>;

/** Collectors and their settings. */
export interface GateContext {
  /** Raw `collectors` section. */
  readonly given: unknown;
  readonly collectors: readonly Collector[];
}

/** Finds gates that never open, and gates that open after a single value. */
export function checkGates(
  path: KeyPath,
  gate: unknown,
  { given, collectors }: GateContext,
): readonly UnlocatedProblem[] {
  const read = view.safeParse(gate);
  if (!read.success) return [];
  const settings = collectorsSection(collectors).safeParse(given ?? {});
  if (!settings.success) return [];
  return (['any', 'all'] as const).flatMap((key) =>
    (read.data[key] ?? []).flatMap((one, at) =>
      one === undefined ? [] : checkClause([...path, key, at], one, settings.data),
    ),
  );
}

function checkClause(
  path: KeyPath,
  given: GateClause,
  settings: Readonly<Record<string, CollectorSettings>>,
): readonly UnlocatedProblem[] {
  return Object.entries(pressureCollectors).flatMap(([source, names]) => {
    if (given[source] === undefined) return [];
    const reader = names.find((name) => settings[name]?.enabled === true);
    if (reader === undefined) {
      const message = `has no data, because collectors.${names[0]} is disabled; enable it or remove the condition`;
      return [{ path: [...path, source], message, isAboutKey: true }];
    }
    const isOfHost = hostSources.includes(source);
    if (isOfHost && settings[categories.name]?.enabled !== true) {
      const message = `has values of unknown age, because collectors.${categories.name} is disabled; enable it or remove the condition`;
      return [{ path: [...path, source], message, isAboutKey: true }];
    }
    const interval = settings[reader]?.interval ?? 0;
    const every = isOfHost ? Math.max(interval, informantRefresh) : interval;
    return checkDuration([...path, 'for'], given.for, { source, every });
  });
}

function checkDuration(
  path: KeyPath,
  duration: string | undefined,
  { source, every }: { readonly source: string; readonly every: number },
): readonly UnlocatedProblem[] {
  const length = parseDuration(duration ?? '');
  const least = minValues * every;
  if (!length.ok || length.value === 0 || length.value >= least) return [];
  const period = formatDuration(every);
  const message = `must be at least ${formatDuration(least)}: ${source} has a new value every ${period}, and the gate needs ${minValues} values`;
  return [{ path, message }];
}

const hostClause = z.looseObject({}).optional().catch(undefined);
const hostClauses = z.array(hostClause).optional().catch(undefined);
const gateView = z.looseObject({ any: hostClauses, all: hostClauses });
const hostNode = z.looseObject({ host_id: z.unknown().optional() }).optional().catch(undefined);

/** Lenient view of the nodes of a cluster; discovered nodes have no host_id. */
export const hostsView = z.array(hostNode).optional().catch(undefined);

type HostsView = z.infer<typeof hostsView>;

/** Finds a gate that never opens in a cluster, because the hosts of its nodes are not configured. */
export function checkHostGates(
  path: KeyPath,
  gate: unknown,
  { nodes, at }: { readonly nodes: HostsView; readonly at: number },
): readonly UnlocatedProblem[] {
  const read = gateView.safeParse(gate);
  if (!read.success || nodes?.some((one) => one === undefined || one.host_id !== undefined)) return [];
  const isOfHosts = (one: z.infer<typeof hostClause>) => hostSources.some((source) => one?.[source] !== undefined);
  const { any = [], all = [] } = read.data;
  if (!all.some(isOfHosts) && (any.length === 0 || !any.every(isOfHosts))) return [];
  const message = `never opens, because no node of clusters[${at}] has a host_id; set the host_id that the server reports`;
  return [{ path, message }];
}
