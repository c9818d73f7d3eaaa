import type { Millis } from '../kernel/time.ts';
import { openingAt } from '../kernel/weekly-openings.ts';
import type { MaintenanceSettings } from './alerting.ts';
import type { Incident } from './incident.ts';
import { matches } from './matcher.ts';

/** An inhibition rule: one alert that mutes others. */
interface InhibitionRule {
  readonly source: string;
  /** Rules that it inhibits; undefined: all that have the labels. */
  readonly targets?: readonly string[];
  /** Rules of these that it does not inhibit. */
  readonly exceptTargets?: readonly string[];
  /** Labels in which both have to agree. */
  readonly equal: readonly string[];
  /** Inhibits only incidents that start at most this long before or after the source. */
  readonly startedWithin?: { readonly before: Millis; readonly after: Millis };
  /** Delays the end as well: the target flaps until the source resolves. */
  readonly inhibitsResolve?: true;
}

/**
 * The server does not report the host of a service instance. An instance that goes down together with a node counts as
 * an instance of that node until the node is back. An instance that goes down earlier or later causes notifications.
 */
const inhibitionRules: readonly InhibitionRule[] = [
  // Aborts on a node matter even more if the node is unreachable afterwards.
  { source: 'node_unreachable', exceptTargets: ['query_aborted', 'abort_unconfirmed'], equal: ['node'] },
  {
    source: 'node_unreachable',
    targets: ['service_not_online'],
    equal: [],
    startedWithin: { before: 60_000, after: 300_000 },
  },
  // Others hand out what a host that is away has measured last.
  {
    source: 'node_unreachable',
    targets: ['informant_frozen'],
    equal: [],
    startedWithin: { before: 60_000, after: 900_000 },
  },
  { source: 'partition_without_online_replica', targets: ['service_not_online'], equal: ['service_name', 'partition'] },
  {
    source: 'service_flapping',
    targets: ['service_not_online'],
    equal: ['service_name', 'partition', 'replica'],
    inhibitsResolve: true,
  },
];

/** Index of the inhibiting alerts by the labels of their targets. Each step rebuilds it: it has few entries. */
export class InhibitionIndex {
  readonly #byKey = new Map<string, Incident[]>();

  constructor(episodes: Iterable<Incident>) {
    for (const episode of episodes) {
      if (episode.phase !== 'firing') continue;
      for (const one of inhibitionRules) {
        if (one.source !== episode.rule) continue;
        const key = equalLabelsKey(one, episode);
        this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), episode]);
      }
    }
  }

  /** The place of the alert that holds this one's beginning back. */
  inhibitorOf(episode: Incident): string | undefined {
    return this.#find(episode, () => true);
  }

  /** Whether an alert holds this one's end back. */
  inhibitsResolve(episode: Incident): boolean {
    return this.#find(episode, ({ inhibitsResolve }) => inhibitsResolve === true) !== undefined;
  }

  #find(episode: Incident, counts: (inhibition: InhibitionRule) => boolean): string | undefined {
    if (this.#byKey.size === 0) return undefined;
    for (const one of inhibitionRules) {
      if (one.source === episode.rule || !counts(one) || !isTarget(one, episode)) continue;
      if (!one.equal.every((name) => Object.hasOwn(episode.identity, name))) continue;
      const by = this.#byKey.get(equalLabelsKey(one, episode))?.find((other) => startedTogether(one, other, episode));
      if (by !== undefined) return by.place;
    }
    return undefined;
  }
}

function isTarget({ targets, exceptTargets }: InhibitionRule, { rule }: Incident): boolean {
  return targets?.includes(rule) !== false && exceptTargets?.includes(rule) !== true;
}

function startedTogether({ startedWithin }: InhibitionRule, by: Incident, episode: Incident): boolean {
  const after = episode.startsAt - by.startsAt;
  return startedWithin === undefined || (after >= -startedWithin.before && after <= startedWithin.after);
}

function equalLabelsKey({ source, equal }: InhibitionRule, { cluster, identity }: Incident): string {
  return JSON.stringify([source, cluster, ...equal.flatMap((name) => [name, identity[name] ?? ''])]);
}

/** The name of the window that holds alerts with these labels back at `wall`, ms since the epoch; undefined where there is none. */
export function openWindow(
  windows: readonly MaintenanceSettings[],
  labels: Readonly<Record<string, string>>,
  wall: number,
): string | undefined {
  return windows.find((window) => matches(window.matchers, labels) && openingAt(window, wall).start <= wall)?.name;
}
