import { deepEqual } from '../../kernel/deep-equal.ts';
import type { ClusterSettings, NodeSettings } from '../../model/settings.ts';
import type { AppDependencies, ClusterClient, NodeClient } from '../ports/app-dependencies.ts';

/** A node that is currently polled. */
export interface ClusterNode {
  readonly settings: NodeSettings;
  readonly link: NodeClient;
}

/** Options of the connections to a cluster, in addition to its settings. */
export interface NodeLinkOptions {
  readonly bodyLimit: number;
  /** Whether two of the sockets to each node are reserved for the guard. */
  readonly guarded: boolean;
}

/** Connections of one cluster. Nodes whose settings stay the same keep their sockets. */
export class ClusterNodes {
  readonly #open: AppDependencies['openCluster'];
  #cluster: { readonly settings: unknown; readonly link: ClusterClient } | undefined;
  #nodes = new Map<string, ClusterNode>();

  constructor(open: AppDependencies['openCluster']) {
    this.#open = open;
  }

  /** Returns the nodes, in the order of the configuration. */
  all(): readonly ClusterNode[] {
    return [...this.#nodes.values()];
  }

  /** Returns one node by name. */
  get(name: string): ClusterNode | undefined {
    return this.#nodes.get(name);
  }

  /**
   * Opens new and changed nodes, and returns the connections to close when their last poll has ended, so that a reload
   * aborts no poll.
   */
  reconfigure(cluster: ClusterSettings, nodes: readonly NodeSettings[], options: NodeLinkOptions): readonly Closable[] {
    const settings = { ...cluster, labels: {}, nodes: [], discover: undefined, ...options };
    const closed: Closable[] = [];
    const before = this.#cluster;
    const basis =
      before !== undefined && deepEqual(before.settings, settings)
        ? before
        : { settings, link: this.#open(cluster, options) };
    const earlier = this.#nodes;
    this.#cluster = basis;
    this.#nodes = new Map(
      nodes.map((node) => {
        const known = basis === before ? earlier.get(node.name) : undefined;
        const member = known !== undefined && deepEqual(known.settings, node) ? known : undefined;
        return [node.name, member ?? { settings: node, link: basis.link.node(node) }];
      }),
    );
    for (const [name, { link }] of earlier) if (this.#nodes.get(name)?.link !== link) closed.push(link);
    if (before !== undefined && before !== basis) closed.push(before.link);
    return closed;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    const links: readonly Closable[] = [
      ...this.all().map((member) => member.link),
      ...(this.#cluster === undefined ? [] : [this.#cluster.link]),
    ];
    this.#nodes = new Map();
    this.#cluster = undefined;
    await Promise.all(links.map((link) => link.close()));
  }
}

/** Something with sockets. */
export interface Closable {
  close(): Promise<void>;
}
