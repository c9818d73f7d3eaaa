import { gauge, type Metric, type Sample, sample } from '../metric/metric.ts';
import type { Showing } from './shown-sources.ts';
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

/** The daemon's own facts about clusters, by the source under which the page knows them. */
export function clusterShowings(watches: readonly Watch[]): ReadonlyMap<string, Showing> {
  return new Map(
    watches.map((watch) => {
      const { name, labels } = watch.settings;
      return [sourceOf(name), { labels: { cluster_name: name, ...labels }, samples: [...samplesOf(watch)] }];
    }),
  );
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
