import { same } from '../kernel/same.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import type { AppParts, ClusterLink, NodeLink } from './parts.ts';

/** A node that is watched at present. */
export interface Member {
  readonly settings: NodeSettings;
  readonly link: NodeLink;
}

/** How the nodes of a cluster are spoken to, besides its own settings. */
export interface LinkOptions {
  readonly bodyLimit: number;
  /** Two of the sockets to each node are kept for the guard. */
  readonly guarded: boolean;
}

/** The connections of one cluster: those whose settings stay the same are kept, with their sockets. */
export class Members {
  readonly #open: AppParts['openCluster'];
  #basis: { readonly settings: unknown; readonly link: ClusterLink } | undefined;
  #members = new Map<string, Member>();

  constructor(open: AppParts['openCluster']) {
    this.#open = open;
  }

  /** The nodes, in the order of the configuration. */
  all(): readonly Member[] {
    return [...this.#members.values()];
  }

  /** One node by its name. */
  get(name: string): Member | undefined {
    return this.#members.get(name);
  }

  /**
   * Opens what is new and changed, and gives what is to be closed when its last read is over; so no read is
   * cut off by a change of the configuration.
   */
  become(cluster: ClusterSettings, nodes: readonly NodeSettings[], options: LinkOptions): readonly Closable[] {
    const settings = { ...cluster, labels: {}, nodes: [], discover: undefined, ...options };
    const closed: Closable[] = [];
    const before = this.#basis;
    const basis =
      before !== undefined && same(before.settings, settings)
        ? before
        : { settings, link: this.#open(cluster, options) };
    const earlier = this.#members;
    this.#basis = basis;
    this.#members = new Map(
      nodes.map((node) => {
        const known = basis === before ? earlier.get(node.name) : undefined;
        const member = known !== undefined && same(known.settings, node) ? known : undefined;
        return [node.name, member ?? { settings: node, link: basis.link.node(node) }];
      }),
    );
    for (const [name, { link }] of earlier) if (this.#members.get(name)?.link !== link) closed.push(link);
    if (before !== undefined && before !== basis) closed.push(before.link);
    return closed;
  }

  /** Closes everything. */
  async close(): Promise<void> {
    const links: readonly Closable[] = [
      ...this.all().map((member) => member.link),
      ...(this.#basis === undefined ? [] : [this.#basis.link]),
    ];
    this.#members = new Map();
    this.#basis = undefined;
    await Promise.all(links.map((link) => link.close()));
  }
}

/** Something with sockets. */
export interface Closable {
  close(): Promise<void>;
}
