import { describe, expect, it } from 'vitest';
import { ClusterFacts, clusterMetrics } from '../../src/app/cluster-metrics.ts';
import type { Content, Page } from '../../src/expose/page.ts';
import { siteOf } from './fake-site.ts';
import { clusterOf, configOf, testbed } from './fakes.ts';

const config = configOf([clusterOf('prod', ['m1', 'm2'], { labels: { env: 'x' } }), clusterOf('test', ['t1'])]);

function recordingPage() {
  const puts: string[] = [];
  const removed: string[] = [];
  const page = {
    put: async (source: string, { labels, samples }: Content) => {
      const lines = [...samples].map(({ metric, labels: own, value }) => `${metric.name} ${own.node ?? ''} ${value}`);
      puts.push([source, JSON.stringify(labels), ...lines].join('|'));
      return { series: lines.length, dropped: 0 };
    },
    remove: (source: string) => void removed.push(source),
  } as unknown as Page;
  return { page, puts, removed };
}

describe('the facts about the ways to a cluster', () => {
  it('are its nodes, their sockets and the tokens in use', async () => {
    const bed = testbed();
    bed.world.tokenExpiresAt = 1_790_000_000;
    const site = await siteOf(config, bed);
    const { page, puts } = recordingPage();
    await new ClusterFacts().show(page, site.watches());
    expect(puts[0]?.split('|')).toEqual([
      '["prod","cluster"]',
      '{"cluster_name":"prod","env":"x"}',
      'graphwarden_cluster_nodes  2',
      'graphwarden_node_sockets m1 1',
      'graphwarden_token_expiration_timestamp_seconds m1 1790000000',
      'graphwarden_node_sockets m2 1',
      'graphwarden_token_expiration_timestamp_seconds m2 1790000000',
    ]);
    expect(puts).toHaveLength(2);
    expect(clusterMetrics.map(({ name }) => name).toSorted()).toEqual([
      'graphwarden_cluster_nodes',
      'graphwarden_node_sockets',
      'graphwarden_token_expiration_timestamp_seconds',
    ]);
  });

  it('are put again only where they changed, or on another page', async () => {
    const bed = testbed();
    const site = await siteOf(config, bed);
    const facts = new ClusterFacts();
    const first = recordingPage();
    const second = recordingPage();
    await facts.show(first.page, site.watches());
    await facts.show(first.page, site.watches());
    expect(first.puts).toHaveLength(2);
    bed.world.tokenExpiresAt = 1_790_000_000;
    await Promise.all([facts.show(first.page, site.watches()), facts.show(first.page, site.watches())]);
    expect(first.puts).toHaveLength(4);
    await facts.show(second.page, site.watches());
    expect(second.puts).toHaveLength(2);
  });

  it('go with their cluster', async () => {
    const site = await siteOf(config);
    const facts = new ClusterFacts();
    const { page, puts, removed } = recordingPage();
    await facts.show(page, site.watches());
    await facts.show(page, site.watches().slice(1));
    expect(removed).toEqual(['["prod","cluster"]']);
    expect(puts).toHaveLength(2);
  });
});
