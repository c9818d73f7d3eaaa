import type { Episode } from './episode.ts';

/** One alert that explains others. */
interface Inhibition {
  readonly by: string;
  /** Rules that it holds back; undefined: all that have the labels. */
  readonly rules?: readonly string[];
  /** Labels in which both have to agree. */
  readonly equal: readonly string[];
  /** Holds back the end as well: it will come and go until this one is over. */
  readonly ends?: true;
}

const inhibitions: readonly Inhibition[] = [
  { by: 'node_unreachable', equal: ['node'] },
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
  readonly #byKey = new Map<string, string>();

  constructor(episodes: Iterable<Episode>) {
    for (const episode of episodes) {
      if (episode.phase !== 'firing') continue;
      for (const one of inhibitions) {
        if (one.by === episode.rule) this.#byKey.set(keyOf(one, episode), episode.place);
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
      if (one.by === episode.rule || !counts(one) || one.rules?.includes(episode.rule) === false) continue;
      const by = one.equal.every((name) => Object.hasOwn(episode.identity, name))
        ? this.#byKey.get(keyOf(one, episode))
        : undefined;
      if (by !== undefined) return by;
    }
    return undefined;
  }
}

function keyOf({ by, equal }: Inhibition, { cluster, identity }: Episode): string {
  return JSON.stringify([by, cluster, ...equal.map((name) => identity[name] ?? '')]);
}
