import { nodePlace } from '../../model/node-place.ts';
import type { NodeSettings } from '../../model/settings.ts';

interface SharingGuard {
  setSharedNodes(nodes: readonly string[]): void;
}

/**
 * Finds nodes that two clusters have, for example by discovery: by their URL, or by the address that their lists come
 * from. The first cluster guards such a node, because two guards would spend two budgets on it.
 */
export class DuplicateNodes {
  /** `ip:port` that the latest list of a node came from. */
  readonly #addresses = new Map<string, string>();

  /** Remembers the address of a list; `''` or undefined if it is unknown. */
  record({ cluster, node }: { readonly cluster: string; readonly node: string }, address: string | undefined): void {
    if (address !== undefined && address !== '') this.#addresses.set(JSON.stringify([cluster, node]), address);
  }

  /** Excludes the nodes of each cluster that an earlier cluster has. */
  update(guards: ReadonlyMap<string, SharingGuard>, nodesOf: (cluster: string) => readonly NodeSettings[]): void {
    const taken = new Set<string>();
    for (const [cluster, guard] of guards) {
      const own = nodesOf(cluster).map(({ name, url }) => ({ name, places: this.#placesOf(cluster, name, url) }));
      const isShared = ({ places }: (typeof own)[number]) => places.some((place) => taken.has(place));
      guard.setSharedNodes(own.filter(isShared).map(({ name }) => name));
      for (const { places } of own) for (const place of places) taken.add(place);
    }
  }

  #placesOf(cluster: string, node: string, url: string): readonly string[] {
    const address = this.#addresses.get(JSON.stringify([cluster, node]));
    if (address === undefined) return [nodePlace(url)];
    return [nodePlace(url), nodePlace(`http://${address}${new URL(url).pathname}`)];
  }
}
