import type { Millis } from '../kernel/time.ts';
import type { ExpectedInstances } from './process-list.ts';

/** Server instance of each node of a cluster, configured or learned from the process lists. */
export interface InstanceMap {
  readonly nodes: ReadonlyMap<string, NodeInstance>;
  /** When a node last reported an instance, on the monotonic clock, by instance and node. */
  readonly reports: ReadonlyMap<string, ReadonlyMap<string, Millis>>;
  /** Nodes that are configured with an instance, by instance. */
  readonly configured: ReadonlyMap<string, readonly string[]>;
}

interface NodeInstance {
  /** The configured instance, or the only instance in each of the node's latest lists. */
  readonly instance: string;
  /** Number of consecutive lists with only this instance. A configured instance starts at the number that pins it. */
  readonly lists: number;
  /** Whether the instance is configured; lists do not replace it. */
  readonly isConfigured: boolean;
}

const listsToPin = 10;
/** Limit on memory use, for a server that reports ever new instances. No cluster has as many. */
const maxReportedInstances = 1000;
/** Retention of reports. It is longer than a run of equal lists behind a proxy that varies its targets. */
const reportRetention: Millis = 3_600_000;

/** Returns the map with the configured instances only. */
export function initialInstances(configured: Readonly<Record<string, string>> = {}): InstanceMap {
  const known = Object.entries(configured);
  const nodes = known.map(([node, instance]) => [node, { instance, lists: listsToPin, isConfigured: true }] as const);
  return instanceMap(new Map(nodes), new Map());
}

/** Creates the map of these nodes and reports. */
export function instanceMap(nodes: InstanceMap['nodes'], reports: InstanceMap['reports']): InstanceMap {
  const configured = new Map<string, readonly string[]>();
  for (const [node, { instance, isConfigured }] of nodes) {
    if (isConfigured) configured.set(instance, [...(configured.get(instance) ?? []), node]);
  }
  return { nodes, reports, configured };
}

/** Records the instances of a list, valid or not. Ten consecutive lists with the same single instance pin it. */
export function recordInstances(
  map: InstanceMap,
  node: string,
  instances: ReadonlySet<string>,
  at: Millis,
): InstanceMap {
  const { nodes } = map;
  const reports = recordReports(map, { node, instances, at });
  const before = nodes.get(node);
  const [instance] = instances;
  if (instance === undefined) return { ...map, reports };
  const after = new Map(nodes);
  const isOwn = before !== undefined && instances.size === 1 && before.instance === instance;
  // A node that sometimes responds for another instance may also forward an abort request to it.
  if (before?.isConfigured) after.set(node, { ...before, lists: isOwn ? before.lists + 1 : 0 });
  else if (instances.size > 1) after.delete(node);
  else after.set(node, { instance, lists: isOwn ? before.lists + 1 : 1, isConfigured: false });
  return { ...map, nodes: after, reports };
}

/** Returns the reports of the present nodes only, because the guard no longer polls the others. */
export function retainNodes({ nodes, reports }: InstanceMap, present: readonly string[]): InstanceMap {
  const own = <Value>(known: ReadonlyMap<string, Value>) =>
    new Map([...known].filter(([node]) => present.includes(node)));
  const kept = [...reports].map(([instance, by]) => [instance, own(by)] as const);
  return instanceMap(own(nodes), new Map(kept.filter(([, by]) => by.size > 0)));
}

/** Returns the pinned instance of a node; undefined if there is none, or if another node reports the same instance. */
export function pinnedInstance(map: InstanceMap, node: string, now: Millis): string | undefined {
  const known = map.nodes.get(node);
  if (known === undefined || isReportedElsewhere(known.instance, { map, node, now })) return undefined;
  // A node without queries reports no instance, so time alone restores a configured one: an hour after the last other
  // one.
  const isPinned = known.lists >= listsToPin || (known.isConfigured && !isReportingAnother(known, { map, node, now }));
  return isPinned ? known.instance : undefined;
}

/** Returns the instances that a list of a node is validated against. */
export function expectedInstances(map: InstanceMap, node: string, now: Millis): ExpectedInstances {
  const others = new Set<string>();
  let own: string | undefined;
  for (const [of, { instance, lists, isConfigured }] of map.nodes) {
    if (!isConfigured && lists < listsToPin) continue;
    if (isReportedElsewhere(instance, { map, node: of, now })) continue;
    if (of === node) own = instance;
    else others.add(instance);
  }
  return { own, others };
}

/** Adds the reports of a list. Keeps the latest reports, and all reports of instances that are assigned to a node. */
function recordReports(
  { nodes, reports }: InstanceMap,
  { node, instances, at }: { readonly node: string; readonly instances: ReadonlySet<string>; readonly at: Millis },
): InstanceMap['reports'] {
  const recent = new Map<string, ReadonlyMap<string, Millis>>();
  for (const [instance, by] of reports) {
    if (!instances.has(instance) && by.values().some((last) => at - last <= reportRetention)) recent.set(instance, by);
  }
  for (const instance of instances) recent.set(instance, new Map(reports.get(instance)).set(node, at));
  if (recent.size <= maxReportedInstances) return recent;
  const held = new Set(Array.from(nodes.values(), ({ instance }) => instance));
  const oldest = recent.size - maxReportedInstances;
  return new Map([...recent].filter(([instance], index) => index >= oldest || held.has(instance)));
}

/** Returns whether a node recently reported another instance than its own. */
function isReportingAnother(
  { instance: own }: NodeInstance,
  { map, node, now }: { readonly map: InstanceMap; readonly node: string; readonly now: Millis },
): boolean {
  const last = (by: ReadonlyMap<string, Millis>) => by.get(node) ?? Number.NEGATIVE_INFINITY;
  return [...map.reports].some(([instance, by]) => instance !== own && now - last(by) <= reportRetention);
}

/** Returns whether another node is configured with the instance, or reported it recently. */
function isReportedElsewhere(
  instance: string,
  { map, node, now }: { readonly map: InstanceMap; readonly node: string; readonly now: Millis },
): boolean {
  if (map.configured.get(instance)?.some((other) => other !== node) === true) return true;
  for (const [other, at] of map.reports.get(instance) ?? []) {
    if (other !== node && now - at <= reportRetention) return true;
  }
  return false;
}
