import { describe, expect, it } from 'vitest';
import { ClusterNodes, type NodeLinkOptions } from '../../../src/app/poll/cluster-nodes.ts';
import { clusterOf, FakeClusters } from '../fakes.ts';

const prod = clusterOf('prod', ['m1', 'm2']);
const [m1, m2] = prod.nodes;

function setUp() {
  const clusters = new FakeClusters();
  const members = new ClusterNodes(clusters.openCluster);
  const become = (cluster = prod, nodes = cluster.nodes, changes: Partial<NodeLinkOptions> = {}) =>
    members.reconfigure(cluster, nodes, { bodyLimit: 1000, guarded: false, ...changes });
  return { clusters, members, become };
}

describe('the members of a cluster', () => {
  it('are opened once, in the order of the configuration', () => {
    const { clusters, members, become } = setUp();
    expect(become()).toEqual([]);
    expect(become(structuredClone(prod))).toEqual([]);
    expect(clusters.connections).toEqual(['open prod', 'open prod/m1', 'open prod/m2']);
    expect(members.all().map(({ settings }) => settings.name)).toEqual(['m1', 'm2']);
    expect(members.get('m2')?.link.db.node).toBe('m2');
    expect(members.get('m3')).toBeUndefined();
  });

  it.each([
    ['labels', { ...prod, labels: { env: 'prod' } }],
    [
      'the settings of discovery',
      { ...prod, discover: { kind: 'srv', name: 'x', refreshInterval: 1, scheme: 'http' } },
    ],
  ] as const)('stay connected when %s change', (_, changed) => {
    const { clusters, become } = setUp();
    become();
    expect(become(changed)).toEqual([]);
    expect(clusters.connections).toHaveLength(3);
  });

  it.each([
    ['credentials', { ...prod, readAuth: { kind: 'secret', secret: { file: 'x' } } }, {}],
    ['TLS', { ...prod, tls: { insecureSkipVerify: true } }, {}],
    ['graphs', { ...prod, graphs: ['fraud'] }, {}],
    ['the version', { ...prod, serverVersion: '3.9' }, {}],
    ['the prefix', { ...prod, metricPrefix: 'svc_' }, {}],
    ['the limit of a body', prod, { bodyLimit: 2000 }],
    ['what is kept for the guard', prod, { guarded: true }],
  ] as const)('are all reopened when %s change', async (_, changed, options) => {
    const { clusters, become } = setUp();
    become();
    const gone = become(changed, changed.nodes, options);
    expect(clusters.connections.slice(3)).toEqual(['open prod', 'open prod/m1', 'open prod/m2']);
    await Promise.all(gone.map((link) => link.close()));
    expect(clusters.connections.slice(6)).toEqual(['close prod/m1', 'close prod/m2', 'close prod']);
  });

  it('are opened and closed one by one when they are added, changed and removed', async () => {
    const { clusters, members, become } = setUp();
    become();
    const moved = { name: 'm2', url: 'http://elsewhere.test:14240' };
    const gone = become(prod, [moved, { name: 'm3', url: 'http://m3.test:14240' }]);
    expect(clusters.connections.slice(3)).toEqual(['open prod/m2', 'open prod/m3']);
    await Promise.all(gone.map((link) => link.close()));
    expect(clusters.connections.slice(5)).toEqual(['close prod/m1', 'close prod/m2']);
    expect(members.get('m2')?.settings.url).toBe('http://elsewhere.test:14240');
  });

  it('are all closed at the end', async () => {
    const { clusters, members, become } = setUp();
    become(prod, [m1 ?? expect.fail(), m2 ?? expect.fail()]);
    await members.close();
    expect(clusters.connections.slice(3).toSorted()).toEqual(['close prod', 'close prod/m1', 'close prod/m2']);
    expect(members.all()).toEqual([]);
    await members.close();
    expect(clusters.connections).toHaveLength(6);
  });
});
