import type { Millis } from '../kernel/time.ts';
import type { ExpectedInstances } from './process-list.ts';

/** Server instance of each node of a cluster, as learnt from the process lists. */
export interface InstanceMap {
  readonly nodes: ReadonlyMap<string, NodeInstance>;
  /** When a node last reported an instance, on the monotonic clock, by instance and node. */
  readonly reports: ReadonlyMap<string, ReadonlyMap<string, Millis>>;
}

interface NodeInstance {
  /** The one that its latest lists had, alone and each time; or else the one that they should have. */
  readonly instance: string;
  /** How many of them had it in a row; what is configured is taken as pinned from the start. */
  readonly lists: number;
  /** It is in the configuration: no list can say otherwise. */
  readonly isConfigured: boolean;
}

const listsToPin = 10;
/** More than any cluster has: a server that invents instances shall not take our memory. */
const maxReportedInstances = 1000;
/** Behind a proxy that varies its targets, a run of consistent lists must not outlast the earlier reports. */
const reportRetention: Millis = 3_600_000;

/** Nothing is known but what the configuration says, by node. */
export function initialInstances(configured: Readonly<Record<string, string>> = {}): InstanceMap {
  const known = Object.entries(configured);
  const nodes = known.map(([node, instance]) => [node, { instance, lists: listsToPin, isConfigured: true }] as const);
  return { nodes: new Map(nodes), reports: new Map() };
}

/** What a list of a node adds, whether it was good or void for its instances. Ten in a row with one and the same pin it. */
export function recordInstances(
  { nodes, reports }: InstanceMap,
  node: string,
  instances: ReadonlySet<string>,
  at: Millis,
): InstanceMap {
  const next = recordReports({ nodes, reports }, { node, instances, at });
  const before = nodes.get(node);
  const [instance] = instances;
  if (instance === undefined) return { nodes, reports: next };
  const after = new Map(nodes);
  const isOwn = before !== undefined && instances.size === 1 && before.instance === instance;
  // Who answers for another one now and then may pass on an abort to it as well.
  if (before?.isConfigured) after.set(node, { ...before, lists: isOwn ? before.lists + 1 : 0 });
  else if (instances.size > 1) after.delete(node);
  else after.set(node, { instance, lists: isOwn ? before.lists + 1 : 1, isConfigured: false });
  return { nodes: after, reports: next };
}

/** Returns the reports of the present nodes only, because the guard no longer polls the others. */
export function retainNodes({ nodes, reports }: InstanceMap, present: readonly string[]): InstanceMap {
  const own = <Value>(known: ReadonlyMap<string, Value>) =>
    new Map([...known].filter(([node]) => present.includes(node)));
  const kept = [...reports].map(([instance, by]) => [instance, own(by)] as const);
  return { nodes: own(nodes), reports: new Map(kept.filter(([, by]) => by.size > 0)) };
}

/** The instance that is surely a node's; undefined where that is not known, or where another node has it as well. */
export function pinnedInstance(map: InstanceMap, node: string, now: Millis): string | undefined {
  const known = map.nodes.get(node);
  const isPinned = known !== undefined && known.lists >= listsToPin;
  return isPinned && !isReportedElsewhere(known.instance, { map, node, now }) ? known.instance : undefined;
}

/** How the lists of a node are to be read. */
export function expectedInstances(map: InstanceMap, node: string, now: Millis): ExpectedInstances {
  const expected = new Map(
    [...map.nodes].flatMap(([of, { instance, lists, isConfigured }]) => {
      const isExpected =
        (isConfigured || lists >= listsToPin) && !isReportedElsewhere(instance, { map, node: of, now });
      return isExpected ? [[of, instance] as const] : [];
    }),
  );
  const own = expected.get(node);
  expected.delete(node);
  return { own, others: new Set(expected.values()) };
}

/** Adds the reports of a list and keeps the latest ones, and all of the instances that a node has. */
function recordReports(
  { nodes, reports }: InstanceMap,
  { node, instances, at }: { readonly node: string; readonly instances: ReadonlySet<string>; readonly at: Millis },
): InstanceMap['reports'] {
  const all = new Map(reports);
  for (const instance of instances) {
    all.delete(instance);
    all.set(instance, new Map(reports.get(instance)).set(node, at));
  }
  const recent = [...all].filter(([, by]) => [...by.values()].some((last) => at - last <= reportRetention));
  const held = new Set([...nodes.values()].map(({ instance }) => instance));
  const oldest = recent.length - maxReportedInstances;
  return new Map(recent.filter(([instance], place) => place >= oldest || held.has(instance)));
}

/** Whether another node has it, too, or had it not long ago. */
function isReportedElsewhere(
  instance: string,
  { map, node, now }: { readonly map: InstanceMap; readonly node: string; readonly now: Millis },
): boolean {
  const others = [...(map.reports.get(instance) ?? [])].filter(([other]) => other !== node);
  return (
    others.some(([, at]) => now - at <= reportRetention) ||
    [...map.nodes].some(([other, one]) => other !== node && one.isConfigured && one.instance === instance)
  );
}
