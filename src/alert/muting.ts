import type { Instant } from '../kernel/time.ts';
import { openingAt } from '../kernel/weekly-openings.ts';
import { heartbeatRule, severities } from '../model/alert.ts';
import type { InhibitRuleSettings, MaintenanceSettings, Silence } from './alerting.ts';
import type { Incident, Suppression } from './incident.ts';
import { matches } from './matcher.ts';
import { InhibitionIndex } from './suppression.ts';

/** Sources of muting at an instant. */
export interface MutingContext {
  readonly silences: ReadonlyMap<string, Silence>;
  readonly maintenance: readonly MaintenanceSettings[];
  readonly inhibitRules?: readonly InhibitRuleSettings[];
  /** Incidents of all clusters, of which the firing ones can inhibit. */
  readonly incidents: ReadonlyMap<string, Incident>;
  readonly now: Instant;
}

/** Returns the incidents that a silence, a maintenance window or a configured inhibition mutes, by identity key. */
export function mutedIncidents(
  firing: readonly Incident[],
  { silences, maintenance, inhibitRules = [], incidents, now: { wall } }: MutingContext,
): ReadonlyMap<string, Suppression> {
  const active = [...silences.values()].filter(({ startsAt, endsAt }) => startsAt <= wall && wall < endsAt);
  const open = maintenance.filter((window) => openWindow([{ ...window, matchers: [] }], {}, wall) !== undefined);
  if (active.length + open.length + inhibitRules.length === 0) return noneMuted;
  const operatorSuppression = ({ labels }: Incident): Suppression | undefined => {
    const id = active.find(({ matchers }) => matches(matchers, labels))?.id;
    if (id !== undefined) return { kind: 'silence', id };
    const name = open.find(({ matchers }) => matches(matchers, labels))?.name;
    return name === undefined ? undefined : { kind: 'maintenance', name };
  };
  const inhibitions = new ConfiguredInhibitions(inhibitRules, incidents, operatorSuppression);
  return new Map(
    firing.flatMap((incident): readonly (readonly [string, Suppression])[] => {
      // Nothing suppresses the heartbeat, so that its absence always means a failure.
      if (incident.rule === heartbeatRule) return [];
      const own = operatorSuppression(incident);
      const by = own === undefined ? inhibitions.mutedBy(incident) : undefined;
      const suppression = by === undefined ? own : ({ kind: 'inhibition', by: by.identityKey } as const);
      return suppression === undefined ? [] : [[incident.identityKey, suppression]];
    }),
  );
}

const noneMuted: ReadonlyMap<string, Suppression> = new Map();

type FindInhibitor = (incident: Incident) => Incident | undefined;

/** Inhibitions by the configured rules among the firing incidents of all clusters. */
class ConfiguredInhibitions {
  readonly #rules: readonly FindInhibitor[];
  readonly #incidents: ReadonlyMap<string, Incident>;
  readonly #isMutedByOperator: (incident: Incident) => boolean;
  readonly #known = new Map<string, Incident | undefined>();
  #builtIn: InhibitionIndex | undefined;

  constructor(
    rules: readonly InhibitRuleSettings[],
    incidents: ReadonlyMap<string, Incident>,
    operatorSuppression: (incident: Incident) => Suppression | undefined,
  ) {
    this.#rules = rules.map((rule) => configuredInhibition(rule, incidents));
    this.#incidents = incidents;
    this.#isMutedByOperator = (incident) => operatorSuppression(incident) !== undefined;
  }

  /**
   * Returns the alert that mutes an incident. Alerts that inhibit each other in a circle would all be muted: one of them is
   * not, the first one of the highest severity.
   */
  mutedBy(incident: Incident): Incident | undefined {
    const by = this.#configured(incident);
    return by === undefined || this.#isFirstOfCircle(incident) ? undefined : by;
  }

  #configured(incident: Incident): Incident | undefined {
    const { identityKey } = incident;
    if (!this.#known.has(identityKey)) {
      const found = this.#rules.map((inhibitorOf) => inhibitorOf(incident)).find((one) => one !== undefined);
      this.#known.set(identityKey, found);
    }
    return this.#known.get(identityKey);
  }

  /** Returns the alert that mutes an incident in any case: its cause, or the source of a built-in inhibition. */
  #builtInOf(incident: Incident): Incident | undefined {
    if (this.#rules.length === 0) return undefined;
    this.#builtIn ??= new InhibitionIndex(this.#incidents.values());
    const by = incident.lead ?? this.#builtIn.inhibitorOf(incident);
    const found = by === undefined ? undefined : this.#incidents.get(by);
    return found?.phase === 'firing' ? found : undefined;
  }

  #isFirstOfCircle(incident: Incident): boolean {
    if (this.#builtInOf(incident) !== undefined) return false;
    const circle = this.#circleOf(incident).filter((one) => this.#builtInOf(one) === undefined);
    return circle.toSorted((one, other) => this.#compare(one, other))[0] === incident;
  }

  /** Returns the alerts of the circle that contains an incident; empty if there is none. */
  #circleOf(incident: Incident): readonly Incident[] {
    const path = new Set<Incident>();
    let next: Incident | undefined = incident;
    while (next !== undefined && !path.has(next)) {
      path.add(next);
      next = this.#builtInOf(next) ?? this.#configured(next);
    }
    return next === incident ? [...path] : [];
  }

  /** Orders alerts: those without a silence or a maintenance window, then the most severe, then the oldest first. */
  #compare(one: Incident, other: Incident): number {
    const muted = Number(this.#isMutedByOperator(one)) - Number(this.#isMutedByOperator(other));
    const rank = severities.indexOf(one.severity) - severities.indexOf(other.severity);
    return muted || rank || one.startsAt - other.startsAt || (one.identityKey < other.identityKey ? -1 : 1);
  }
}

/**
 * Returns a function that finds the firing alert that inhibits an incident. As in Alertmanager, an alert that matches both
 * sides is not inhibited by another that matches both sides, so that two alerts cannot inhibit each other.
 */
function configuredInhibition(
  { sourceMatchers, targetMatchers, equal }: InhibitRuleSettings,
  incidents: ReadonlyMap<string, Incident>,
): FindInhibitor {
  const keyOf = ({ labels }: Incident) => JSON.stringify(equal.map((name) => labels[name] ?? ''));
  const isSource = ({ labels }: Incident) => matches(sourceMatchers, labels);
  const isInhibited = ({ labels }: Incident) => matches(targetMatchers, labels);
  const sources = [...incidents.values()].filter(
    (one) => one.phase === 'firing' && one.rule !== heartbeatRule && isSource(one),
  );
  const byKey = Map.groupBy(sources, keyOf);
  return (incident) => {
    if (!isInhibited(incident)) return undefined;
    const isTwoSided = isSource(incident);
    return byKey
      .get(keyOf(incident))
      ?.find((one) => one.identityKey !== incident.identityKey && !(isTwoSided && isInhibited(one)));
  };
}

/** Returns the name of a window that mutes alerts with these labels at `wall` (ms since the epoch), or undefined. */
export function openWindow(
  windows: readonly MaintenanceSettings[],
  labels: Readonly<Record<string, string>>,
  wall: number,
): string | undefined {
  return windows.find((window) => matches(window.matchers, labels) && openingAt(window, wall).start <= wall)?.name;
}
