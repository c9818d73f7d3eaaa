import type { Millis } from '../kernel/time.ts';
import { severities } from '../model/alert.ts';
import type { Incident } from './incident.ts';

/** Inhibition rule: one alert that mutes others. */
interface InhibitionRule {
  readonly source: string;
  /** Inhibited rules; undefined for all rules with the labels. */
  readonly targets?: readonly string[];
  /** Exceptions from `targets`. */
  readonly exceptTargets?: readonly string[];
  /** Labels that must be equal in source and target. */
  readonly equal: readonly string[];
  /** Inhibits only incidents that start at most this long before or after the source. */
  readonly startedWithin?: { readonly before: Millis; readonly after: Millis };
  /** Inhibits the resolve as well: the target flaps until the source resolves. */
  readonly inhibitsResolve?: true;
  /** The source explains the target: the target becomes an effect in the incident of the source. */
  readonly isCause?: true;
}

/** Rules from the whole cluster to one instance; an alert can be the cause of alerts of later rules. */
const levels: readonly string[] = [
  'cluster_down',
  'node_unreachable',
  'service_without_online_replica',
  'partition_without_online_replica',
  'partition_unavailable',
  'service_flapping',
  'service_not_online',
];

function below(rule: string): readonly string[] {
  return levels.slice(levels.indexOf(rule) + 1);
}

/** Effects may be confirmed long after their cause, but at most five minutes before it. */
const whileItLasts = { before: 300_000, after: Number.POSITIVE_INFINITY } as const;

/**
 * The server does not report the host of a service instance. An instance or a partition that goes down together with a
 * node counts as an effect of that node. One that goes down earlier or later has an incident of its own.
 */
const inhibitionRules: readonly InhibitionRule[] = [
  {
    source: 'cluster_down',
    targets: below('cluster_down'),
    equal: [],
    startedWithin: whileItLasts,
    isCause: true,
  },
  {
    source: 'node_unreachable',
    targets: below('node_unreachable'),
    equal: [],
    startedWithin: { before: 60_000, after: 300_000 },
    isCause: true,
  },
  {
    source: 'service_without_online_replica',
    targets: below('service_without_online_replica'),
    equal: ['service_name'],
    startedWithin: whileItLasts,
    isCause: true,
  },
  {
    source: 'partition_without_online_replica',
    targets: below('partition_without_online_replica'),
    equal: ['service_name', 'partition'],
    isCause: true,
  },
  {
    source: 'partition_unavailable',
    targets: below('partition_unavailable'),
    equal: ['service_name', 'partition'],
    isCause: true,
  },
  {
    source: 'queue_saturated',
    targets: ['delay_queue_pressure'],
    equal: ['engine', 'queue'],
    startedWithin: whileItLasts,
    isCause: true,
  },
  // Aborts on a node matter even more if the node is unreachable afterwards.
  { source: 'node_unreachable', exceptTargets: ['query_aborted', 'abort_unconfirmed'], equal: ['node'] },
  // If no node answers, cluster-scoped facts are not available either.
  { source: 'cluster_down', targets: ['collector_blind', 'informant_frozen', 'check_overdue'], equal: [] },
  // Other nodes still return the last measurements of an unreachable host.
  {
    source: 'node_unreachable',
    targets: ['informant_frozen'],
    equal: [],
    startedWithin: { before: 60_000, after: 900_000 },
  },
  {
    source: 'service_flapping',
    targets: ['service_not_online'],
    equal: ['service_name', 'partition', 'replica'],
    inhibitsResolve: true,
  },
];

/** Orders incidents so that a cause comes before its effects. */
export function byLevel(one: Pick<Incident, 'rule' | 'severity'>, other: typeof one): number {
  const [level, others] = [levels.indexOf(one.rule), levels.indexOf(other.rule)];
  return level === others ? severities.indexOf(one.severity) - severities.indexOf(other.severity) : level - others;
}

/** Properties of an incident that inhibition rules compare. */
type ComparedIncident = Pick<Incident, 'cluster' | 'rule' | 'identity' | 'startsAt'>;

/** Inhibiting alerts by rule. The index by labels is built for a rule when it is first needed. */
class SourceIndex {
  readonly #byRule = new Map<string, Incident[]>();
  readonly #byLabels = new Map<InhibitionRule, ReadonlyMap<string, readonly Incident[]>>();

  get isEmpty(): boolean {
    return this.#byRule.size === 0;
  }

  add(incident: Incident): void {
    const known = this.#byRule.get(incident.rule);
    if (known === undefined) this.#byRule.set(incident.rule, [incident]);
    else known.push(incident);
  }

  /** Returns the alerts that inhibit an incident with these labels. */
  sourcesOf(rule: InhibitionRule, target: ComparedIncident): readonly Incident[] {
    const sources = this.#byRule.get(rule.source);
    if (sources === undefined || !hasLabels(target, rule.equal)) return [];
    const known = this.#byLabels.get(rule) ?? Map.groupBy(sources, (one) => equalLabelsKey(rule, one));
    this.#byLabels.set(rule, known);
    return known.get(equalLabelsKey(rule, target)) ?? [];
  }
}

/** Index of the inhibiting alerts of a cluster by the labels of their targets. */
export class InhibitionIndex {
  readonly #firing = new SourceIndex();
  readonly #pending = new SourceIndex();

  constructor(incidents: Iterable<Incident>) {
    for (const incident of incidents) {
      if (inhibitingRules.has(incident.rule))
        (incident.phase === 'firing' ? this.#firing : this.#pending).add(incident);
    }
  }

  /** Returns the identity key of the alert that inhibits an incident, among those that `isUsable` accepts. */
  inhibitorOf(incident: Incident, isUsable?: (source: Incident) => boolean): string | undefined {
    // A critical effect is never only muted: it is part of an incident, or an incident itself.
    const counts = incident.severity === 'critical' ? isNoCauseRule : isAny;
    return find(this.#firing, incident, counts, isUsable)?.identityKey;
  }

  /** Returns whether an alert inhibits the resolve of an incident. */
  inhibitsResolve(incident: Incident): boolean {
    return find(this.#firing, incident, ({ inhibitsResolve }) => inhibitsResolve === true) !== undefined;
  }

  /** Returns the firing alert that is the cause of an incident, among those that `isUsable` accepts. */
  causeOf(target: ComparedIncident, isUsable?: (cause: Incident) => boolean): Incident | undefined {
    return find(this.#firing, target, isCauseRule, isUsable);
  }

  /** Returns the pending alert that may be the cause of an incident, among those that `isUsable` accepts. */
  pendingCauseOf(incident: Incident, isUsable?: (cause: Incident) => boolean): Incident | undefined {
    return find(this.#pending, incident, isCauseRule, isUsable);
  }
}

const inhibitingRules = new Set(inhibitionRules.map(({ source }) => source));

function isCauseRule({ isCause }: InhibitionRule): boolean {
  return isCause === true;
}

function isNoCauseRule({ isCause }: InhibitionRule): boolean {
  return isCause !== true;
}

function isAny(): boolean {
  return true;
}

function find(
  index: SourceIndex,
  target: ComparedIncident,
  counts: (inhibition: InhibitionRule) => boolean,
  isUsable: (source: Incident) => boolean = isAny,
): Incident | undefined {
  if (index.isEmpty) return undefined;
  for (const one of inhibitionRules) {
    if (one.source === target.rule || !counts(one) || !isTarget(one, target)) continue;
    // No closure: most of thousands of incidents have no source, and each call would allocate it.
    for (const other of index.sourcesOf(one, target))
      if (startedTogether(one, other, target) && isUsable(other)) return other;
  }
  return undefined;
}

function hasLabels({ identity }: ComparedIncident, names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(identity, name));
}

function isTarget({ targets, exceptTargets }: InhibitionRule, { rule }: ComparedIncident): boolean {
  return targets?.includes(rule) !== false && exceptTargets?.includes(rule) !== true;
}

function startedTogether({ startedWithin }: InhibitionRule, by: Incident, target: ComparedIncident): boolean {
  const after = target.startsAt - by.startsAt;
  return startedWithin === undefined || (after >= -startedWithin.before && after <= startedWithin.after);
}

function equalLabelsKey({ equal }: InhibitionRule, { cluster, identity }: ComparedIncident): string {
  if (equal.length === 0) return cluster;
  const known = equalKeys.get(identity) ?? [];
  for (const one of known) if (one.equal === equal && one.cluster === cluster) return one.key;
  const key = JSON.stringify([cluster, ...equal.map((name) => identity[name] ?? '')]);
  equalKeys.set(identity, [...known, { equal, cluster, key }]);
  return key;
}

type KnownKey = Pick<InhibitionRule, 'equal'> & Pick<ComparedIncident, 'cluster'> & { readonly key: string };

/** Keys by the object of the identity, which stays the same while an incident lasts. */
const equalKeys = new WeakMap<Incident['identity'], readonly KnownKey[]>();
