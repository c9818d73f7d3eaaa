import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../tools/generate/chart/value.ts';
import { daemonConfig, daemonPod, helm, renderAll, rendering, template } from './chart.ts';

type Values = Readonly<Record<string, Json>>;

function cluster(more: Values, name = 'a'): Values {
  return { clusters: [{ name, ...more }] };
}

const prefixed = { external_url: 'https://example.org/watch' };
/** Sources that the network policy must name with an ingress or a route. */
const networkPolicy = { ingressFrom: [{ namespaceSelector: {} }] };
const small = { limits: { memory: '128Mi' } };

/** Likely mistakes in values. Each would install and then fail, or not have the intended effect. */
const refused: readonly (readonly [what: string, values: Values, advice: RegExp])[] = [
  [
    'a claim without space for a copy of its state',
    { persistence: { size: '3Gi' }, config: { state: { retention: { size: '2GiB' } } } },
    /may take 2GiB, a migration needs the same for a copy, and the claim has 3Gi\. Raise/,
  ],
  ['a claim that is too small', { persistence: { size: '50Mi' } }, /50Mi is too small for the state\. Raise/],
  ['a size as the program writes it', { persistence: { size: '4GiB' } }, /Write it as 4Gi/],
  ['a claim without an access mode', { persistence: { accessModes: [] } }, /Remove it for ReadWriteOnce/],
  ['less memory than it requests', { resources: small }, /requests 256Mi of memory.*Lower requests\.memory/],
  [
    'a sidecar with less than it requests',
    { mode: 'sidecar', sidecar: { databaseQos: 'Burstable', resources: { limits: { cpu: 0.1 } } } },
    /sidecar\.resources: it requests 200m of cpu, and its limit is 0\.1/,
  ],
  [
    'an amount that is none',
    { resources: { limits: { memory: '512MB' } } },
    /512MB is not a valid Kubernetes quantity/,
  ],
  ['a type of a Service that is not created', { service: { type: 'LoadBalancer' } }, /Set service\.enabled to true/],
  ['a node port of a Service that has none', { service: { nodePort: 30_916 } }, /Set service\.type to NodePort/],
  [
    'a load balancer that is not there',
    { service: { loadBalancerSourceRanges: ['10.0.0.0/8'] } },
    /loadBalancerSourceRanges: .* Set service\.type to LoadBalancer/,
  ],
  [
    'two families of one stack',
    { service: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] } },
    /without a dual-stack policy.* has one family/,
  ],
  [
    'a mode that is only accepted alone',
    { persistence: { accessModes: ['ReadWriteOnce', 'ReadWriteOncePod'] } },
    /ReadWriteOncePod only alone/,
  ],
  ['an ingress that the policy blocks', { ingress: { enabled: true } }, /networkPolicy\.ingressFrom: the policy would/],
  [
    'a load balancer that the policy blocks',
    { service: { enabled: true, type: 'LoadBalancer' } },
    /networkPolicy\.ingressFrom: the policy would/,
  ],
  ['a variable that the chart sets', { extraEnv: [{ name: 'POD_IP', value: 'x' }] }, /extraEnv: two entries .* POD_IP/],
  ['a volume of the chart', { extraVolumes: [{ name: 'state', emptyDir: {} }] }, /extraVolumes: two entries .* state/],
  [
    'a path of the chart',
    { extraVolumeMounts: [{ name: 'config', mountPath: '/etc/graphwarden/config' }] },
    /two volumes are mounted at \/etc\/graphwarden\/config/,
  ],
  [
    'a volume of the sidecar',
    { mode: 'sidecar', sidecar: { extraVolumes: [{ name: 'graphwarden-state', emptyDir: {} }] } },
    /sidecar\.extraVolumes: two entries .* graphwarden-state/,
  ],
  ['a container twice', { extraContainers: [{ name: 'graphwarden', image: 'x' }] }, /two entries .* graphwarden/],
  ['a chart that is switched off', { enabled: false }, /only the condition of a parent chart reads it/],
  ['an update that overlaps', { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }, /Remove it/],
  [
    'autoscaling as charts have it',
    { autoscaling: { enabled: true, minReplicas: 1, maxReplicas: 3 } },
    /Set it to false/,
  ],
  ['one that overlaps and does not say so', { strategy: { rollingUpdate: { maxSurge: 1 } } }, /always Recreate/],
  ['an argument of another exporter', { extraArgs: ['--log.level=debug'] }, /--log\.level=debug is no argument/],
  ['loopback', { listenAddress: '127.0.0.1' }, /would not reach it there/],
  ['a sidecar on loopback', { mode: 'sidecar', sidecar: { listenAddress: '::1' } }, /would not reach it there/],
  ['https without a certificate', { web: { scheme: 'https' } }, /Name a Secret with the web config file/],
  ['operators without users', { config: { operators: ['alice'] } }, /no client can authenticate/],
  [
    'a label by which the chart selects',
    { commonLabels: { 'app.kubernetes.io/name': 'mine' } },
    /nameOverride changes/,
  ],
  ['one on the pod', { podLabels: { 'app.kubernetes.io/component': 'mine' } }, /podLabels: .*Remove it/],
  ['a name that nothing can have', { fullnameOverride: 'Graph_Warden' }, /Use lower-case letters/],
  ['a tag for a digest', { image: { digest: 'v1.2.3' } }, /For a version use image\.tag/],
  [
    'a budget of both kinds',
    { podDisruptionBudget: { enabled: true, spec: { minAvailable: 1, maxUnavailable: 1 } } },
    /not both\. Remove one/,
  ],
  [
    'a time-out beyond the interval',
    { podMonitor: { enabled: true, interval: '5s' } },
    /Lower it, or raise the interval/,
  ],
  ['an interval without a unit', { serviceMonitor: { enabled: true, interval: '30' } }, /Write them as 15s or 1m/],
  [
    'a job that the rules do not know',
    { serviceMonitor: { enabled: true, job: 'db' }, prometheusRule: { enabled: true } },
    /serviceMonitor\.job: the rules.*Remove it/,
  ],
  ['dashboards without a label', { dashboards: { enabled: true, label: '' } }, /Remove it for grafana_dashboard/],
  ['an ingress without a host', { ingress: { enabled: true, hosts: [] }, networkPolicy }, /Name one/],
  [
    'an ingress to where nothing is',
    { ingress: { enabled: true, path: '/graph' }, config: prefixed, networkPolicy },
    /ingress\.path: \/graph returns 404, because all routes begin with \/watch\//,
  ],
  [
    'a part of a word',
    { route: { enabled: true, parentRefs: [{ name: 'x' }], path: '/wat' }, config: prefixed, networkPolicy },
    /route\.path: .* returns 404/,
  ],
  [
    'a path with an invalid escape',
    { config: { external_url: 'https://a/%zz' } },
    /config\.external_url: its path is not correctly percent-encoded\. Write % as %25\./,
  ],
  ['an unknown path', { config: { external_url: '${EXTERNAL_URL}' } }, /Write the scheme and the path, as in/],
  [
    'a path from the environment',
    { config: { external_url: 'https://a/${P}' } },
    /Write the scheme and the path, as in/,
  ],
  ['a path of no file', { existingConfigMap: { path: '/watch' } }, /Set the path in config\.external_url/],
  ['a credential from nowhere', cluster({ readAuth: { kind: 'secret', key: 'secret' } }), /Name the Secret, or remove/],
  ['a certificate from nowhere', cluster({ tls: { caKey: 'ca.crt' } }), /Name it in tls\.existingSecret/],
  [
    'half a client certificate',
    cluster({ service: { scheme: 'https' }, tls: { existingSecret: 't', certKey: 'tls.crt' } }),
    /needs certKey and keyKey/,
  ],
  ['TLS that is not used', cluster({ tls: { existingSecret: 't' } }), /Set service\.scheme to https/],
  ['a name asked for without a unit', cluster({ service: { refreshInterval: '30' } }), /Write it as 30s/],
  ['a size as Kubernetes writes it', { mode: 'sidecar', sidecar: { stateSize: '128Mi' } }, /Write it as 128MiB/],
  ['a Service that cannot be', cluster({}, 'prod_eu'), /Set service\.name to the name of the Service of prod_eu/],
  [
    'a StatefulSet that cannot be',
    { mode: 'sidecar', ...cluster({ service: { name: 's' } }, 'prod_eu') },
    /Set statefulSet to/,
  ],
];

/** Values that Kubernetes rejects in one object of several. */
const half: readonly (readonly [what: string, values: Values, at: string])[] = [
  ['an access mode', { persistence: { accessModes: ['ReadWriteTwice'] } }, 'persistence/accessModes/0'],
  ['an IP family', { service: { ipFamilies: ['ipv4'] } }, 'service/ipFamilies/0'],
  ['a policy of families', { service: { ipFamilyPolicy: 'DualStack' } }, 'service/ipFamilyPolicy'],
  ['a host with a scheme', { ingress: { hosts: ['https://warden.example.org'] } }, 'ingress/hosts/0'],
  ['a host of a certificate', { ingress: { tls: [{ hosts: ['warden:443'] }] } }, 'ingress/tls/0/hosts/0'],
  ['a host with a port', { route: { hostnames: ['warden.example.org:443'] } }, 'route/hostnames/0'],
  ['a Secret twice', { existingSecrets: ['read', 'read'] }, 'existingSecrets'],
  ['a pull Secret without a name', { imagePullSecrets: ['regcred'] }, 'imagePullSecrets/0'],
  [
    'the name of a Secret',
    cluster({ readAuth: { existingSecret: 'Graph_Read' } }),
    'clusters/0/readAuth/existingSecret',
  ],
  ['a label', { podLabels: { team: 'graph team' } }, 'podLabels/team'],
  ['a policy of DNS', { dnsPolicy: 'Cluster' }, 'dnsPolicy'],
  ['a network', { service: { loadBalancerSourceRanges: ['10.0.0.1'] } }, 'service/loadBalancerSourceRanges/0'],
  ['a node port', { service: { nodePort: 70_000 } }, 'service/nodePort'],
  ['a kind of limit', { resources: { limit: { cpu: 1 } } }, 'resources'],
  ['a class of storage', { persistence: { storageClass: 'Fast SSD' } }, 'persistence/storageClass'],
];

const valid: readonly (readonly [what: string, values: Values])[] = [
  ['a claim of yours, whatever its size', { persistence: { existingClaim: 'c', size: '1Gi' } }],
  [
    'a smaller claim for a smaller state',
    { persistence: { size: '1Gi' }, config: { state: { retention: { size: '500MiB' } } } },
  ],
  ['no limits', { resources: { limits: null } }],
  ['requests as numbers', { resources: { requests: { cpu: 1 }, limits: { cpu: '1000m' } } }],
  ['the strategy that it has', { strategy: { type: 'Recreate' } }],
  ['loopback behind a proxy', { listenAddress: '127.0.0.1', extraContainers: [{ name: 'proxy', image: 'p' }] }],
  ['a common label that is not in a selector', { commonLabels: { 'app.kubernetes.io/part-of': 'platform' } }],
  ['another job without the rules', { podMonitor: { enabled: true, job: 'db' } }],
  ['an interval in minutes', { podMonitor: { enabled: true, interval: '1m30s', scrapeTimeout: '90s' } }],
  [
    'an ingress that rewrites',
    {
      ingress: { enabled: true, path: '/graph', annotations: { rewrite: '/watch' } },
      config: prefixed,
      networkPolicy,
    },
  ],
  [
    'TLS to nodes by their addresses',
    cluster({ nodes: [{ name: 'm', url: 'https://m:1' }], tls: { existingSecret: 't' } }),
  ],
  ['a name that no Service has, with its Service', cluster({ service: { name: 'prod-eu' } }, 'prod_eu')],
  ['a node from the environment', cluster({ nodes: [{ name: 'm', url: '${NODE_URL}' }] })],
];

const outsideSchema = [
  [cluster({ nodes: [{ name: 'm1' }] }), "missing property 'url'"],
  [cluster({ labels: { 'my-label': 'x' } }), "'my-label'"],
  [cluster({}, 'Prod DB'), "'Prod DB'"],
] as const;

describe.skipIf(helm === undefined)('invalid values', () => {
  beforeAll(() => {
    renderAll([
      ...[...refused, ...half, ...valid].map(([, values]) => values),
      ...outsideSchema.map(([values]) => values),
    ]);
  });

  it.each(refused)('are rejected with a hint: %s', (_, values, advice) => {
    const { text, error } = template({ values });
    expect(error.replaceAll('\n', ' ')).toMatch(advice);
    expect(error.match(/^- /gm)).toHaveLength(1);
    expect(text).toBe('');
  });

  it.each(valid)('exclude valid values: %s', (_, values) => {
    expect(template({ values }).error).toBe('');
  });

  it.each<readonly [what: string, values: Values, at: string]>(half)(
    'are rejected by the schema if Kubernetes would reject one object after others are applied: %s',
    (_, values, at) => {
      const { text, error } = template({ values });
      expect(error).toContain(`at '/${at}'`);
      expect(text).toBe('');
    },
  );

  it('are rejected by the schema of the program if clusters are listed', () => {
    for (const [values, says] of outsideSchema) expect(template({ values }).error).toContain(says);
  });
});

const long = 'production-us-east-1-graph-database-monitoring-number';
const longNames = [`${long}-1`, `${long}-2`].map((fullnameOverride) => ({ fullnameOverride }));
const likeSecrets = { existingSecrets: [`${long}-a`, `${long}-b`, 'a.b', 'a-b'] };
const doors = {
  networkPolicy,
  ingress: { enabled: true },
  route: { enabled: true, parentRefs: [{ name: 'public' }] },
  config: prefixed,
};
const ownFile = {
  networkPolicy,
  serviceMonitor: { enabled: true },
  ingress: { enabled: true },
  existingConfigMap: { name: 'mine', path: '/watch/' },
};
const addresses = ['::', '[::]'].map((listenAddress) => ({ listenAddress }));

describe.skipIf(helm === undefined)('a computed value', () => {
  beforeAll(() => renderAll([...longNames, likeSecrets, doors, ownFile, ...addresses]));

  it('is a name within the limit of length, and differs from others with the same beginning', () => {
    const names = longNames.map((values) => {
      const { metadata } = rendering({ values }).one('Deployment');
      expect(metadata.name).toHaveLength(50);
      expect(metadata.name).toMatch(/^production-us-east-1-graph-database-moni[\w-]*-[0-9a-f]{8}$/);
      return metadata.name;
    });
    expect(new Set(names).size).toBe(2);
    const { pod } = daemonPod(rendering({ values: likeSecrets }));
    const volumes = pod.volumes.map(({ name }) => name);
    expect(new Set(volumes).size).toBe(volumes.length);
    expect(volumes.filter((name) => !/^[a-z0-9-]{1,63}$/.test(name))).toEqual([]);
  });

  it('is the path of the Ingress and of the HTTPRoute', () => {
    const made = rendering({ values: doors });
    expect(made.one('Ingress').spec).toMatchObject({ rules: [{ http: { paths: [{ path: '/watch/' }] } }] });
    expect(made.one('HTTPRoute').spec).toMatchObject({ rules: [{ matches: [{ path: { value: '/watch/' } }] }] });
  });

  it('is the path in a given configuration file', () => {
    const made = rendering({ values: ownFile });
    expect(made.one('ServiceMonitor').spec).toMatchObject({ endpoints: [{ path: '/watch/metrics' }] });
    expect(JSON.stringify(made.one('Deployment'))).toContain('"path":"/watch/-/ready"');
    expect(made.text).toContain('--url=http://x-graphwarden.db.svc:9916/watch');
  });

  it('is the address of IPv6 in brackets', () => {
    for (const values of addresses) {
      expect(daemonConfig(rendering({ values }))).toMatchObject({ listen: '[::]:9916' });
    }
  });
});
