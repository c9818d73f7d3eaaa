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
    'does not check %j, which the schema reports (case %$)',
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

  it('reports a URL that two nodes have, in one cluster or in two, if there is a guard', () => {
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
      'clusters[0].nodes[1].url: is already the URL of clusters[0].nodes[0]; correct the URL, or remove the node',
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
  ])('requires either nodes or discover: %j', (cluster, complaint) => {
    expect(complaints({ clusters: [{ name: 'a', ...cluster }] })).toEqual([complaint]);
  });

  it.each([
    [{ nodes: [node] }, []],
    [{ nodes: [node, { name: 'm2' }] }, ['clusters[0].nodes: must be a list of exactly one node with `scope: node`']],
    [{ discover: {} }, ['clusters[0].discover: must be a list of exactly one node with `scope: node`']],
  ])('requires exactly one node for a sidecar: %j', (cluster, expected) => {
    const clusters = [{ name: 'a', ...cluster }];
    expect(complaints({ scope: 'node', clusters })).toEqual(expected);
    expect(complaints({ scope: 'cluster', clusters })).toEqual([]);
    expect(complaints({ clusters })).toEqual([]);
  });

  it.each(['graph', 'reason', 'job', 'instance', 'namespace', 'pod', 'cluster_name', 'node', '__x'])(
    'rejects the label %s, which graphwarden sets',
    (label) => {
      const clusters = [{ name: 'a', nodes: [node], labels: { fine: 'x', [label]: 'y' } }];
      const [found, ...more] = crossCheck({ clusters }, labels);
      expect(more).toEqual([]);
      expect(found).toMatchObject({ path: ['clusters', 0, 'labels', label], isAboutKey: true });
    },
  );

  it('rejects routes to receivers if none is configured', () => {
    const alerts = { routes: [{ receivers: ['oncall'], fallback: 'chat' }] };
    expect(complaints({ alerts })).toEqual([
      'alerts.routes[0].receivers[0]: is not the name of a receiver in alerts.receivers',
      'alerts.routes[0].fallback: is not the name of a receiver in alerts.receivers',
    ]);
  });

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

  it('requires authentication for operators and readers', () => {
    expect(complaints({ operators: ['alice'] })).toEqual([
      'operators: requires web_config_file or web.trusted_proxies; set one or remove operators',
    ]);
    expect(complaints({ operators: [] })).toEqual([]);
    expect(complaints({ operators: ['alice'], web: { trusted_proxies: ['10.0.0.5'] } })).toEqual([]);
    expect(complaints({ readers: ['bob'], web: { trusted_proxies: [] } })).toEqual([
      'readers: requires web_config_file or web.trusted_proxies; set one or remove readers',
    ]);
  });

  it('rejects a scraper with another role', () => {
    const users = { web_config_file: 'web.yml', operators: ['alice'], readers: ['bob'] };
    const message = 'is also listed in operators or readers; remove it from one of the lists';
    expect(complaints({ ...users, scrapers: ['carol', 'alice', 'bob'] })).toEqual([
      `scrapers[1]: ${message}`,
      `scrapers[2]: ${message}`,
    ]);
  });
});

const refusal = (receiver: string) => [
  `clusters[0].abort_auth: is sent to ${receiver} over plain http: anyone who can read the network traffic gets these credentials, and so does a host that takes the place of a node; use https, or set allow_plain_http: true in the cluster to accept the risk`,
];

describe('abort_auth over plain http', () => {
  const auth = { abort_auth: { bearer_token: 't' } };
  const at = (url: string) => ({
    name: 'a',
    nodes: [
      { name: 'm0', url: 'https://m0' },
      { name: 'm1', url },
    ],
    ...auth,
  });
  const found = (cluster: object) => complaints({ clusters: [cluster] });

  it.each(['http://10.0.0.1:14240', 'http://localhost.example.org', 'HTTP://127.0.0.1.example.org', 'http://[::2]:1'])(
    'is refused to %s, unless the cluster allows it',
    (url) => {
      expect(found(at(url))).toEqual(refusal('nodes[1]'));
      expect(found({ ...at(url), allow_plain_http: false })).toEqual(refusal('nodes[1]'));
      expect(found({ ...at(url), allow_plain_http: true })).toEqual([]);
      expect(found({ ...at(url), abort_auth: undefined })).toEqual([]);
    },
  );

  it.each([
    'https://10.0.0.1',
    'http://127.0.0.1:14240',
    'http://127.9.9.9/path',
    'http://127.1',
    'http://[::1]:1',
    'http://localhost',
  ])('needs no permission to %s', (url) => {
    expect(found(at(url))).toEqual([]);
  });

  it('is refused to nodes that are discovered without https', () => {
    const discover = { srv: 's' };
    expect(found({ name: 'a', discover, ...auth })).toEqual(refusal('the discovered nodes'));
    expect(found({ name: 'a', discover: { ...discover, scheme: 'http' }, ...auth })).toEqual(
      refusal('the discovered nodes'),
    );
    expect(found({ name: 'a', discover: { ...discover, scheme: 'https' }, ...auth })).toEqual([]);
    expect(found({ name: 'a', discover, ...auth, allow_plain_http: true })).toEqual([]);
    expect(found({ name: 'a', discover: { scheme: 5 }, ...auth })).toEqual([]);
  });
});
