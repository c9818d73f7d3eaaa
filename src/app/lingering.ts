import type { Millis } from '../kernel/time.ts';
import type { DiscoverSettings, NodeSettings } from '../model/settings.ts';

/** As long as a service that is missing from good answers is remembered. */
const lingersFor: Millis = 86_400_000;

/**
 * Nodes that discovery has known and does not name any more. A name service leaves out who is not ready: the node that
 * failed would be the one that nobody watches. One that was taken away for good is let go after a day. Names behind
 * SRV records last; a bare address is nobody's name, and may be another's tomorrow.
 */
export class Lingering {
  readonly #kind: DiscoverSettings['kind'];
  readonly #lastNamed = new Map<string, { readonly node: NodeSettings; readonly at: number }>();

  constructor({ kind }: Pick<DiscoverSettings, 'kind'>) {
    this.#kind = kind;
  }

  /** The nodes that are named at monotonic time `now`, and those that linger. */
  with(named: readonly NodeSettings[], now: number): readonly NodeSettings[] {
    if (this.#kind === 'dns') return named;
    for (const node of named) this.#lastNamed.set(node.name, { node, at: now });
    for (const [name, { at }] of this.#lastNamed) if (now - at >= lingersFor) this.#lastNamed.delete(name);
    const known = [...this.#lastNamed.values()].map(({ node }) => node);
    return known.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }
}
