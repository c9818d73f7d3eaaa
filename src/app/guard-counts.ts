import type { ListDoubt } from '../guard/listing.ts';
import type { EntryDoubt } from '../guard/sighting.ts';

/** How much a doubt takes away: one entry, the list of a node, or everything. */
export type Doubt =
  | { readonly scope: 'entry'; readonly reason: EntryDoubt }
  | { readonly scope: 'list'; readonly reason: ListDoubt }
  | { readonly scope: 'everything'; readonly reason: 'clock_step' };

/** All that there can be, so that each is shown from the start. */
export const doubts: readonly Doubt[] = [
  ...(['id', 'field', 'ages'] as const).map((reason) => ({ scope: 'entry', reason }) as const),
  ...(['malformed', 'error', 'duplicate_ids', 'foreign_instance', 'too_old', 'too_slow'] as const).map(
    (reason) => ({ scope: 'list', reason }) as const,
  ),
  { scope: 'everything', reason: 'clock_step' },
];

/** What is counted about one node. */
export class GuardCounts {
  readonly #voids = new Map<string, number>();
  readonly #matches = new Map<string, number>();
  /** Policy and query of what has been counted as a match, as long as it is listed. */
  #counted = new Map<string, ReadonlySet<string>>();

  /** Counts a doubt. */
  doubt({ scope, reason }: Doubt): void {
    add(this.#voids, `${scope} ${reason}`);
  }

  /** Counts a confirmed match, each query once for each policy. */
  match(policy: string, id: string): void {
    const known = this.#counted.get(id) ?? new Set();
    if (known.has(policy)) return;
    this.#counted.set(id, new Set([...known, policy]));
    add(this.#matches, policy);
  }

  /** Forgets which queries were counted, but for those that are still listed. */
  keep(isListed: (id: string) => boolean): void {
    this.#counted = new Map([...this.#counted].filter(([id]) => isListed(id)));
  }

  /** How often there was such a doubt. */
  voids({ scope, reason }: Doubt): number {
    return this.#voids.get(`${scope} ${reason}`) ?? 0;
  }

  /** How many queries a policy has matched. */
  matches(policy: string): number {
    return this.#matches.get(policy) ?? 0;
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
