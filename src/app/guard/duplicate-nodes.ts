import { nodeAddress } from '../../model/node-address.ts';
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
      const own = nodesOf(cluster).map(({ name, url }) => ({ name, addresses: this.#addressesOf(cluster, name, url) }));
      const isShared = ({ addresses }: (typeof own)[number]) => addresses.some((address) => taken.has(address));
      guard.setSharedNodes(own.filter(isShared).map(({ name }) => name));
      for (const { addresses } of own) for (const address of addresses) taken.add(address);
    }
  }

  #addressesOf(cluster: string, node: string, url: string): readonly string[] {
    const address = this.#addresses.get(JSON.stringify([cluster, node]));
    if (address === undefined) return [nodeAddress(url)];
    return [nodeAddress(url), nodeAddress(`http://${address}${new URL(url).pathname}`)];
  }
}
