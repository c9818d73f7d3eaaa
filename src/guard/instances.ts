import type { Millis } from '../kernel/time.ts';
import type { Instances } from './listing.ts';

/** What the lists of a cluster's nodes have told of which server instance runs where. */
export interface InstanceMap {
  readonly nodes: ReadonlyMap<string, NodeInstance>;
  /** When a node last reported an instance, on the monotonic clock, by instance and node. */
  readonly reports: ReadonlyMap<string, ReadonlyMap<string, Millis>>;
}

interface NodeInstance {
  /** The one that its latest lists had, alone and each time. */
  readonly instance: string;
  readonly lists: number;
  /** It is in the configuration: no list can say otherwise. */
  readonly isConfigured: boolean;
}

const listsToPin = 10;
/** Behind a proxy that shuffles, a lucky run of lists shall not outlive what was told before. */
const memory: Millis = 3_600_000;

/** Nothing is known but what the configuration says, by node. */
export function initialInstances(configured: Readonly<Record<string, string>> = {}): InstanceMap {
  const known = Object.entries(configured);
  const nodes = known.map(([node, instance]) => [node, { instance, lists: listsToPin, isConfigured: true }] as const);
  return { nodes: new Map(nodes), reports: new Map() };
}

/** What a list of a node adds, whether it was good or void for its instances. Ten in a row with one and the same pin it. */
export function told(
  { nodes, reports }: InstanceMap,
  node: string,
  instances: ReadonlySet<string>,
  at: Millis,
): InstanceMap {
  const next = new Map(reports);
  for (const instance of instances) next.set(instance, new Map(next.get(instance)).set(node, at));
  const before = nodes.get(node);
  const [instance] = instances;
  if (instance === undefined || before?.isConfigured) return { nodes, reports: next };
  const after = new Map(nodes);
  if (instances.size > 1) after.delete(node);
  else after.set(node, { instance, lists: before?.instance === instance ? before.lists + 1 : 1, isConfigured: false });
  return { nodes: after, reports: next };
}

/** The instance that is surely a node's; undefined where that is not known, or where another node has it as well. */
export function instanceOf({ nodes, reports }: InstanceMap, node: string, now: Millis): string | undefined {
  const own = nodes.get(node);
  if (own === undefined || own.lists < listsToPin) return undefined;
  const others = [...(reports.get(own.instance) ?? [])].filter(([other]) => other !== node);
  const isClaimed = others.some(([, at]) => now - at <= memory) || isConfiguredElsewhere(nodes, node, own.instance);
  return isClaimed ? undefined : own.instance;
}

/** How the lists of a node are to be read. */
export function instancesFor(map: InstanceMap, node: string, now: Millis): Instances {
  const others = [...map.nodes.keys()].filter((other) => other !== node).map((other) => instanceOf(map, other, now));
  return { own: instanceOf(map, node, now), others: new Set(others.filter((instance) => instance !== undefined)) };
}

function isConfiguredElsewhere(nodes: InstanceMap['nodes'], node: string, instance: string): boolean {
  return [...nodes].some(([other, one]) => other !== node && one.isConfigured && one.instance === instance);
}
