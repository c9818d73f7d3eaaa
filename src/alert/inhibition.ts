import type { Millis } from '../kernel/time.ts';
import type { Episode } from './episode.ts';

/** One alert that explains others. */
interface Inhibition {
  readonly by: string;
  /** Rules that it holds back; undefined: all that have the labels. */
  readonly rules?: readonly string[];
  /** Of these, rules that it does not explain. */
  readonly except?: readonly string[];
  /** Labels in which both have to agree. */
  readonly equal: readonly string[];
  /** Explains only what began at about the same time: so long before at most, and so long after. */
  readonly about?: { readonly before: Millis; readonly after: Millis };
  /** Holds back the end as well: it will come and go until this one is over. */
  readonly ends?: true;
}

/**
 * The server does not say which host a service instance is on. What goes away together with a node is taken for one
 * of its own, until the node is back; what was gone before, or goes later, is told.
 */
const inhibitions: readonly Inhibition[] = [
  // What we did on a node is to be told all the more when it goes away thereafter.
  { by: 'node_unreachable', except: ['query_aborted', 'abort_unconfirmed'], equal: ['node'] },
  { by: 'node_unreachable', rules: ['service_not_online'], equal: [], about: { before: 60_000, after: 300_000 } },
  // Others hand out what a host that is away has measured last.
  { by: 'node_unreachable', rules: ['informant_frozen'], equal: [], about: { before: 60_000, after: 900_000 } },
  { by: 'partition_without_online_replica', rules: ['service_not_online'], equal: ['service_name', 'partition'] },
  {
    by: 'service_flapping',
    rules: ['service_not_online'],
    equal: ['service_name', 'partition', 'replica'],
    ends: true,
  },
];

/** The firing alerts that explain others, by what they explain. Made anew in each step: there are few of them. */
export class Explanations {
  readonly #byKey = new Map<string, Episode[]>();

  constructor(episodes: Iterable<Episode>) {
    for (const episode of episodes) {
      if (episode.phase !== 'firing') continue;
      for (const one of inhibitions) {
        if (one.by !== episode.rule) continue;
        const key = keyOf(one, episode);
        this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), episode]);
      }
    }
  }

  /** The place of the alert that holds this one's beginning back. */
  of(episode: Episode): string | undefined {
    return this.#find(episode, () => true);
  }

  /** Whether an alert holds this one's end back. */
  holdsEnd(episode: Episode): boolean {
    return this.#find(episode, ({ ends }) => ends === true) !== undefined;
  }

  #find(episode: Episode, counts: (inhibition: Inhibition) => boolean): string | undefined {
    if (this.#byKey.size === 0) return undefined;
    for (const one of inhibitions) {
      if (one.by === episode.rule || !counts(one) || !isMeant(one, episode)) continue;
      if (!one.equal.every((name) => Object.hasOwn(episode.identity, name))) continue;
      const by = this.#byKey.get(keyOf(one, episode))?.find((other) => isAbout(one, other, episode));
      if (by !== undefined) return by.place;
    }
    return undefined;
  }
}

function isMeant({ rules, except }: Inhibition, { rule }: Episode): boolean {
  return rules?.includes(rule) !== false && except?.includes(rule) !== true;
}

function isAbout({ about }: Inhibition, by: Episode, episode: Episode): boolean {
  const after = episode.startsAt - by.startsAt;
  return about === undefined || (after >= -about.before && after <= about.after);
}

function keyOf({ by, equal }: Inhibition, { cluster, identity }: Episode): string {
  return JSON.stringify([by, cluster, ...equal.flatMap((name) => [name, identity[name] ?? ''])]);
}
