import { describe, expect, it } from 'vitest';
import { clusterMetrics, clusterSources } from '../../../src/app/page/self-metrics.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, testbed } from '../fakes.ts';

const config = configOf([clusterOf('prod', ['m1', 'm2'], { labels: { env: 'x' } }), clusterOf('test', ['t1'])]);

describe('the facts about the connections to a cluster', () => {
  it('are its nodes, their sockets and the tokens in use', async () => {
    const bed = testbed();
    bed.fakeClusters.tokenExpiresAt = 1_790_000_000;
    const dependencies = await createRouteDependencies(config, bed);
    const showings = clusterSources(dependencies.pollers());
    expect([...showings.keys()]).toEqual(['["prod","cluster"]', '["test","cluster"]']);
    const prod = showings.get('["prod","cluster"]');
    expect(prod?.labels).toEqual({ cluster_name: 'prod', env: 'x' });
    expect([...(prod?.samples ?? [])].map(({ metric, labels, value }) => [metric.name, labels.node, value])).toEqual([
      ['graphwarden_cluster_nodes', undefined, 2],
      ['graphwarden_node_sockets', 'm1', 1],
      ['graphwarden_token_expiration_timestamp_seconds', 'm1', 1_790_000_000],
      ['graphwarden_node_sockets', 'm2', 1],
      ['graphwarden_token_expiration_timestamp_seconds', 'm2', 1_790_000_000],
    ]);
    expect(clusterMetrics.map(({ name }) => name).toSorted()).toEqual([
      'graphwarden_cluster_nodes',
      'graphwarden_node_sockets',
      'graphwarden_token_expiration_timestamp_seconds',
      'graphwarden_token_requests_total',
    ]);
  });

  it('are the token requests of a cluster with a secret, once for all its nodes', async () => {
    const bed = testbed();
    bed.fakeClusters.tokenRequests = { created: 1, renewed: 2, refused: 0, failed: 3 };
    const prod = clusterSources((await createRouteDependencies(config, bed)).pollers()).get('["prod","cluster"]');
    const requests = [...(prod?.samples ?? [])].filter(
      ({ metric }) => metric.name === 'graphwarden_token_requests_total',
    );
    expect(requests.map(({ labels, value }) => [labels.outcome, value])).toEqual([
      ['created', 1],
      ['renewed', 2],
      ['refused', 0],
      ['failed', 3],
    ]);
  });
});
