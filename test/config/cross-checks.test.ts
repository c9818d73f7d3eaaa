import { describe, expect, it } from 'vitest';
import { crossCheck } from '../../src/config/cross-checks.ts';
import { formatPath } from '../../src/config/key-path.ts';

const labels = new Set(['graph', 'reason']);

function complaints(value: unknown): readonly string[] {
  return crossCheck(value, labels).map(({ path, message }) => `${formatPath(path)}: ${message}`);
}

const node = { name: 'm1', url: 'http://a' };

describe('crossCheck', () => {
  it('accepts a valid configuration', () => {
    const clusters = [
      { name: 'a', nodes: [node, { name: 'm2', url: 'http://a:8080' }], labels: { env: 'x' } },
      { name: 'b', discover: { srv: 's' } },
      { name: 'c', nodes: [{ name: 'm1', url: 'http://c' }] },
    ];
    expect(complaints({ clusters, operators: ['alice'], web_config_file: 'web.yml' })).toEqual([]);
  });

  it.each([undefined, null, 1, 'text', [], {}, { clusters: 1 }, { clusters: [1, null, 'x', []] }, { operators: 'a' }])(
    'leaves %j to the schema',
    (value) => {
      expect(complaints(value)).toEqual([]);
    },
  );

  it('reports the later of two equal names', () => {
    const clusters = [
      { name: 'a', nodes: [node, { name: 'm1' }, { name: 'm1' }] },
      { name: 'b', nodes: [{ name: 'm1' }] },
      { name: 'a', nodes: [] },
    ];
    expect(complaints({ clusters })).toEqual([
      'clusters[2].name: is already the name of clusters[0]; choose another name',
      'clusters[0].nodes[1].name: is already the name of nodes[0]; choose another name',
      'clusters[0].nodes[2].name: is already the name of nodes[0]; choose another name',
    ]);
  });

  it('reports a node that two clusters have, if there is a guard', () => {
    const nodes = [
      { name: 'm1', url: 'http://a:14240/' },
      { name: 'm2', url: 'https://A:14240' },
    ];
    const others = [
      { name: 'm9', url: 'http://a:14240' },
      { name: 'm3', url: 'http://a:14240/proxy' },
    ];
    const clusters = [
      { name: 'a', nodes },
      { name: 'b', nodes: others },
    ];
    expect(complaints({ clusters })).toEqual([]);
    expect(complaints({ clusters, guard: { policies: [{ notify: [] }] } })).toEqual([
      'clusters[1].nodes[0].url: is already the URL of clusters[0].nodes[0]; remove the node from one of the clusters',
    ]);
  });

  it('reports equal names among entries that are invalid otherwise', () => {
    const nodes = [{ name: 'm1', url: 5 }, 'nonsense', { url: 'x' }, { name: 7 }, { name: 'm1', typo: true }];
    expect(complaints({ clusters: [{ name: 'a', nodes, labels: 5 }] })).toEqual([
      'clusters[0].nodes[4].name: is already the name of nodes[0]; choose another name',
    ]);
  });

  it.each([
    [{ nodes: [node], discover: {} }, 'clusters[0].discover: is mutually exclusive with nodes; remove one of them'],
    [{}, 'clusters[0]: requires nodes or discover'],
  ])('requires either nodes or discover', (cluster, complaint) => {
    expect(complaints({ clusters: [{ name: 'a', ...cluster }] })).toEqual([complaint]);
  });

  it.each([
    [{ nodes: [node] }, []],
    [{ nodes: [node, { name: 'm2' }] }, ['clusters[0].nodes: must be a list of exactly one node with `scope: node`']],
    [{ discover: {} }, ['clusters[0].discover: must be a list of exactly one node with `scope: node`']],
  ])('wants one node for a sidecar', (cluster, expected) => {
    const clusters = [{ name: 'a', ...cluster }];
    expect(complaints({ scope: 'node', clusters })).toEqual(expected);
    expect(complaints({ scope: 'cluster', clusters })).toEqual([]);
    expect(complaints({ clusters })).toEqual([]);
  });

  it.each(['graph', 'reason', 'job', 'instance', 'namespace', 'pod', 'cluster_name', 'node', '__x'])(
    'does not give the label %s away',
    (label) => {
      const clusters = [{ name: 'a', nodes: [node], labels: { fine: 'x', [label]: 'y' } }];
      const [found, ...more] = crossCheck({ clusters }, labels);
      expect(more).toEqual([]);
      expect(found).toMatchObject({ path: ['clusters', 0, 'labels', label], isAboutKey: true });
    },
  );

  it('accepts receivers that only a policy names, also if other policies are invalid', () => {
    const alerts = { receivers: [{ name: 'oncall' }, { name: 'chat' }], routes: [{ receivers: ['chat'] }] };
    const found = (...policies: readonly unknown[]) => complaints({ clusters: [], alerts, guard: { policies } });
    expect(found({ notify: ['oncall'] })).toEqual([]);
    expect(found(null, { notify: 7 }, { notify: ['oncall'] })).toEqual([]);
    expect(found({ notify: ['chat'] })).toEqual([
      'alerts.receivers[0].name: gets no notifications, because no route names it; add it to alerts.routes',
    ]);
    expect(complaints({ clusters: [], alerts, guard: 7 })).toHaveLength(1);
  });

  it('requires the web config file for operators', () => {
    expect(complaints({ operators: ['alice'] })).toEqual([
      'operators: requires web_config_file, which defines the users; set it or remove operators',
    ]);
    expect(complaints({ operators: [] })).toEqual([]);
  });
});
