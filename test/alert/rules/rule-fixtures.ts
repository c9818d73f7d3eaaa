import type { ClusterRule, RuleFinding, Thresholds } from '../../../src/alert/rule.ts';
import type { CollectorView, SampleFact, Situation } from '../../../src/model/situation.ts';
import type { PartitionView, ReplicaView } from '../../../src/model/transition.ts';

/** When the situations of these tests are looked at. */
export const wall = Date.UTC(2026, 8, 22, 4, 53, 20);
export const minute = 60_000;

const now = { wall, mono: 1_000_000 };

/** Samples by family: labels and value of each. */
export type Families = Readonly<Record<string, readonly (readonly [Readonly<Record<string, string>>, number])[]>>;

/** A situation of a cluster of m1 and m2, with these facts and nothing else. */
export function situationWith(families: Families, more: Partial<Situation> = {}): Situation {
  return {
    cluster: 'prod',
    labels: {},
    nodes: ['m1', 'm2'],
    collectors: [],
    replicas: [],
    partitions: [],
    tokens: [],
    guard: undefined,
    dropped: [],
    samples: (family) => (families[family] ?? []).map(([labels, value]): SampleFact => ({ labels, value })),
    slope: () => undefined,
    recentMaximum: () => undefined,
    recentMinimum: () => undefined,
    isFresh: () => true,
    ...more,
  };
}

/** Returns the findings of a rule, with its default thresholds or some changed ones. */
export function findings(rule: ClusterRule, situation: Situation, changed: Thresholds = {}): readonly RuleFinding[] {
  const declared = Object.fromEntries(rule.thresholds.map(({ name, value }) => [name, value]));
  const given = [...rule.evaluate(situation, { ...declared, ...changed }, now)];
  for (const { labels, facts } of given) {
    const names = Object.keys(labels).toSorted();
    if (names.join() !== [...rule.labels].toSorted().join())
      throw new Error(`${rule.name} carries ${names.join(', ')}`);
    const known = new Set([...names, ...Object.keys(facts), 'cluster_name']);
    const used = [...`${rule.summary} ${rule.description}`.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    const missing = used.filter((name) => !known.has(name));
    if (missing.length > 0) throw new Error(`${rule.name} does not know ${missing.join(', ')}`);
  }
  return given;
}

/** The identities that a rule complains about. */
export function firingIdentities(rule: ClusterRule, situation: Situation, changed: Thresholds = {}): readonly string[] {
  return findings(rule, situation, changed).map(({ labels }) => Object.values(labels).join(' ').trim());
}

/** A replica of GPE as the tracker sees it. */
export function replica(more: Partial<ReplicaView> = {}): ReplicaView {
  return {
    cluster: 'prod',
    service: 'GPE',
    partition: '1',
    replica: '2',
    observed: 'Online',
    observedSince: wall - minute,
    confirmed: 'Online',
    confirmedSince: wall - minute,
    flapping: false,
    process: 'Running',
    disputed: false,
    ...more,
  };
}

/** A partition of GPE as the tracker sees it. */
export function partition(more: Partial<PartitionView> = {}): PartitionView {
  return { cluster: 'prod', service: 'GPE', partition: '1', replicas: 2, online: 2, ...more };
}

/** View of a healthy collector. */
export function view(collector: string, node = '', more: Partial<CollectorView> = {}): CollectorView {
  const healthy = {
    fresh: true,
    reason: '',
    message: '',
    interval: 5000,
    lastSuccess: wall - 1000,
    dueSince: 0,
  } as const;
  return { collector, node, ...healthy, ...more };
}

/** Returns whether a rule treats its facts for `identity` as fresh with this one collector. */
export function isKnown(rule: ClusterRule, seen: CollectorView, identity: Readonly<Record<string, string>>): boolean {
  return rule.knows?.(situationWith({}, { collectors: [seen] }), identity) ?? true;
}
