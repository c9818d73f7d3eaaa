import type { Page } from '../expose/page.ts';
import { gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import { same } from './same.ts';
import type { Watch } from './watch.ts';

const tokenExpiration = gauge({
  name: 'graphwarden_token_expiration_timestamp_seconds',
  help: 'When the token in use for a node expires; absent where no token is used.',
  labels: ['node'],
  source: 'POST /gsql/v1/tokens: expiration',
});
const nodes = gauge({
  name: 'graphwarden_cluster_nodes',
  help: 'Nodes of the cluster that are watched at present, listed or discovered.',
  source: 'configuration and discovery',
});
const sockets = gauge({
  name: 'graphwarden_node_sockets',
  help: 'Connections that are open to a node.',
  labels: ['node'],
  source: 'measured by us',
});

/** The families in which the daemon tells about its own ways to a cluster. */
export const clusterMetrics: readonly Metric[] = [tokenExpiration, nodes, sockets];

/** Shows the daemon's own facts about clusters, where they changed. */
export class ClusterFacts {
  readonly #shown = new Map<string, { readonly page: Page; readonly content: unknown }>();
  #line: Promise<void> = Promise.resolve();

  /** Brings `page` up to date with `watches`; calls wait for each other. */
  show(page: Page, watches: readonly Watch[]): Promise<void> {
    this.#line = this.#line.then(() => this.#showAll(page, watches));
    return this.#line;
  }

  async #showAll(page: Page, watches: readonly Watch[]): Promise<void> {
    const wanted = new Set(watches.map((watch) => watch.settings.name));
    for (const cluster of this.#shown.keys()) if (!wanted.has(cluster)) this.#remove(page, cluster);
    for (const watch of watches) await this.#showOne(page, watch);
  }

  async #showOne(page: Page, watch: Watch): Promise<void> {
    const { name, labels } = watch.settings;
    const content = { labels: { cluster_name: name, ...labels }, samples: [...samplesOf(watch)] };
    const before = this.#shown.get(name);
    const values = [content.labels, content.samples.map(({ metric, labels: own, value }) => [metric.name, own, value])];
    if (before?.page === page && same(before.content, values)) return;
    this.#shown.set(name, { page, content: values });
    await page.put(sourceOf(name), content);
  }

  #remove(page: Page, cluster: string): void {
    this.#shown.delete(cluster);
    page.remove(sourceOf(cluster));
  }
}

function* samplesOf(watch: Watch): Generator<Sample> {
  const members = watch.nodes();
  yield sample(nodes, {}, members.length);
  for (const { settings, link } of members) {
    yield sample(sockets, { node: settings.name }, link.sockets());
    const expires = link.tokenExpiresAt();
    if (expires !== undefined) yield sample(tokenExpiration, { node: settings.name }, expires);
  }
}

function sourceOf(cluster: string): string {
  return JSON.stringify([cluster, 'cluster']);
}
