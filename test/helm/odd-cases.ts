import { networkPolicy, type Values } from './kubernetes-part-cases.ts';

const monitors = ['serviceMonitor', 'podMonitor'] as const;

function monitor(more: Values): readonly Values[] {
  return monitors.map((name) => ({ [name]: { enabled: true, ...more } }));
}

function relabeling(rule: Values): readonly Values[] {
  return monitor({ relabelings: [rule], metricRelabelings: [rule] });
}

function filters(...list: readonly Values[]): Values {
  return { route: { enabled: true, parentRefs: [{ name: 'public' }], filters: list }, networkPolicy };
}

function gateway(parent: Values): Values {
  return { route: { enabled: true, parentRefs: [parent] }, networkPolicy };
}

function balancer(range: string): Values {
  return { service: { enabled: true, type: 'LoadBalancer', loadBalancerSourceRanges: [range] }, networkPolicy };
}

function block(ipBlock: Values): Values {
  return { networkPolicy: { ingressFrom: [{ ipBlock }] } };
}

function container(more: Values): Values {
  return { extraContainers: [{ name: 'a', image: 'a', ...more }] };
}

function init(more: Values): Values {
  return { initContainers: [{ name: 'a', image: 'a', ...more }] };
}

function volume(source: Values): Values {
  return { extraVolumes: [{ name: 'a', ...source }] };
}

function mount(more: Values): Values {
  return { ...volume({ emptyDir: {} }), extraVolumeMounts: [{ name: 'a', mountPath: '/a', ...more }] };
}

function manifests(...list: readonly Values[]): Values {
  return { extraManifests: list };
}

function podTerm(term: Values): Values {
  return { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } };
}

function nodeTerm(expression: Values): Values {
  const nodeSelectorTerms = [{ matchExpressions: [expression] }];
  return { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } } };
}

function amount(name: string, quantity: string | number): Values {
  return { resources: { requests: { [name]: quantity }, limits: { [name]: quantity, memory: '1Gi' } } };
}

const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'mine' } };
const header = { name: 'X-Team', value: 'graph' };
const long = (length: number): string => 'a'.repeat(length);

/** Odd values that the API server accepts, and so does the chart. */
export const odd: readonly Values[] = [
  ...relabeling({ action: 'LabelDrop', regex: 'tmp_.*' }),
  ...relabeling({ action: 'hashmod', modulus: 4, sourceLabels: ['__address__'], targetLabel: '__tmp', separator: '' }),
  ...relabeling({ targetLabel: 'a', replacement: '{{ $1 }}: "x" # y' }),
  ...monitor({ interval: '1d12h', scrapeTimeout: '1m30s', sampleLimit: 10_000_000, job: '1e3' }),
  ...monitor({ tlsConfig: { ca: { secret: { name: 'a', key: 'ca.crt' } }, minVersion: 'TLS12', serverName: '' } }),
  ...monitor({ authorization: { type: 'Bearer', credentials: { name: 'a', key: 'token' } } }),
  { serviceMonitor: { enabled: true, tlsConfig: { caFile: '/etc/ca.crt' } } },
  {
    prometheusRule: {
      enabled: true,
      extraGroups: [
        { name: 'a b', interval: '1m30s', rules: [{ record: 'a:b', expr: 1 }] },
        { name: 'b', limit: 0, labels: { a: '1' }, rules: [{ alert: 'A', expr: '1', keep_firing_for: '5m' }] },
      ],
    },
  },
  filters(
    { type: 'RequestHeaderModifier', requestHeaderModifier: { set: [header], remove: ['X-Old'] } },
    { type: 'URLRewrite', urlRewrite: { hostname: 'a.org', path: { type: 'ReplaceFullPath', replaceFullPath: '' } } },
    { type: 'RequestMirror', requestMirror: { backendRef: { name: 'other', port: 80 }, percent: 5 } },
    { type: 'RequestMirror', requestMirror: { backendRef: { name: 'third', port: 80 } } },
    { type: 'ExtensionRef', extensionRef: { group: 'example.org', kind: 'Limit', name: 'a' } },
  ),
  volume({}),
  { lifecycle: { preStop: { sleep: { seconds: 20 } } } },
  gateway({ name: 'public', group: 'gateway.networking.k8s.io', namespace: 'infra', sectionName: 'https', port: 443 }),
  {
    verticalPodAutoscaler: {
      enabled: true,
      resourcePolicy: { containerPolicies: [{ containerName: '*', minAllowed: { cpu: '50m', memory: 100_000_000 } }] },
    },
  },
  balancer('10.1.2.3/32'),
  balancer('fd00:0:0:1::/64'),
  balancer('0.0.0.0/0'),
  block({ cidr: '10.0.0.0/8', except: ['10.255.0.0/16', '10.0.0.0/9'] }),
  block({ cidr: '::/0', except: ['fd00::/8', '::1/128'] }),
  container({
    env: [{ name: 'a b:c', value: '' }],
    ports: [
      { containerPort: 53, name: 'dns', protocol: 'UDP' },
      { containerPort: 53, protocol: 'TCP' },
    ],
    livenessProbe: { grpc: { port: 1 }, terminationGracePeriodSeconds: 5 },
    lifecycle: { preStop: { httpGet: { port: 'a1-b', httpHeaders: [header] } } },
    resources: { limits: { cpu: 1, memory: '1Gi', 'example.com/gpu': 1 } },
    volumeMounts: [{ name: 'config', mountPath: '/c', readOnly: true, recursiveReadOnly: 'IfPossible' }],
  }),
  init({ restartPolicy: 'Always', startupProbe: { exec: { command: ['true'] } }, workingDir: '/..' }),
  volume({
    projected: {
      sources: [
        { secret: { name: 'a', items: [{ key: 'a', path: '.a/b..', mode: 0o400 }] } },
        { serviceAccountToken: { path: 'token', expirationSeconds: 600 } },
        { downwardAPI: { items: [{ path: 'l', fieldRef: { fieldPath: "metadata.labels['a/b']" } }] } },
      ],
    },
  }),
  volume({ emptyDir: { medium: 'Memory', sizeLimit: 1e9 } }),
  volume({ csi: { driver: 'secrets-store.csi.k8s.io', readOnly: true, volumeAttributes: { a: 'b' } } }),
  volume({ nfs: { server: '10.0.0.1', path: '/' } }),
  mount({ subPathExpr: '$(POD_NAME)/x', mountPath: 'relative' }),
  manifests({ ...configMap, data: { a: '{{ .Release.Name }}' } }, { ...configMap, kind: 'Secret' }),
  manifests({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'Team:Graph', namespace: '{{ .Release.Namespace }}' },
    rules: [],
  }),
  podTerm({ topologyKey: 'zone', labelSelector: {}, matchLabelKeys: ['pod-template-hash'] }),
  nodeTerm({ key: 'cores', operator: 'Gt', values: ['4'] }),
  nodeTerm({ key: 'disk', operator: 'Exists' }),
  { tolerations: [{ key: '', operator: 'Exists', effect: '' }] },
  {
    topologySpreadConstraints: [
      { topologyKey: 'a', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', minDomains: 2 },
      { topologyKey: 'a', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' },
    ],
  },
  { dnsConfig: { searches: ['_tcp.example.org.'], options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }] } },
  amount('hugepages-2Mi', '4Mi'),
  amount('example.com/gpu', '1e1'),
  amount('cpu', 0.001),
  { podSecurityContext: { sysctls: [{ name: 'net.ipv4.tcp_syncookies', value: '1' }], supplementalGroups: [0] } },
  { podSecurityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'a/b' } } },
  {
    podAnnotations: { [`${long(60)}.${long(60)}.example.org/${long(63)}`]: 'a: b\n# c' },
    podLabels: { [long(63)]: '' },
  },
  { commonLabels: { a: '1e3', b: 'null' }, serviceMonitor: { enabled: true }, namespaceOverride: '1' },
  { revisionHistoryLimit: 0, terminationGracePeriodSeconds: 1_000_000, port: 65_535 },
  { lifecycle: { preStop: { sleep: { seconds: 0 } }, postStart: { tcpSocket: { port: 'http' } } } },
  { ingress: { enabled: true, path: '/a: b #c', hosts: ['*.example.org'], annotations: { a: 'b' } }, networkPolicy },
  { config: { external_url: 'https://example.org/a%20b' }, ingress: { enabled: true }, networkPolicy },
  { fullnameOverride: long(60), nameOverride: long(80), namespaceOverride: long(63) },
  { persistence: { storageClass: '-', size: '5e9', selector: { matchLabels: { 'a/b': '' } }, volumeName: 'v.1' } },
];

/** Values that the API server rejects in one object, and that the chart refuses. */
export const refused: readonly (readonly [values: Values, says: string])[] = [
  ...relabeling({ action: 'remove' }).map((values) => [values, '/action'] as const),
  ...relabeling({ action: 'hashmod', targetLabel: 'a' }).map((values) => [values, "'modulus'"] as const),
  ...relabeling({ replacement: 'a' }).map((values) => [values, "'targetLabel'"] as const),
  ...relabeling({ source_labels: ['a'], targetLabel: 'a' }).map((values) => [values, "'source_labels'"] as const),
  ...relabeling({ sourceLabels: ['a-b'], targetLabel: 'a' }).map((values) => [values, '/sourceLabels/0'] as const),
  ...monitor({ interval: '30s1m' }).map((values) => [values, 'with a unit'] as const),
  ...monitor({ interval: '1.5m' }).map((values) => [values, 'with a unit'] as const),
  ...monitor({ tlsConfig: { insecure: true } }).map((values) => [values, "'insecure'"] as const),
  ...monitor({ authorization: { token: 'x' } }).map((values) => [values, "'token'"] as const),
  ...monitor({ sampleLimit: 1e21 }).map((values) => [values, '/sampleLimit'] as const),
  [{ podMonitor: { enabled: true, tlsConfig: { caFile: '/x' } } }, "'caFile'"],
  [{ prometheusRule: { enabled: true, extraGroups: [{ name: 'a', rules: [{ record: 'a' }] }] } }, "'expr'"],
  [{ prometheusRule: { enabled: true, extraGroups: [{ name: 'a', interval: '5' }] } }, '/interval'],
  [{ prometheusRule: { enabled: true, extraGroups: [{ name: 'a' }, { name: 'a', limit: 1 }] } }, 'the name a'],
  [filters({ type: 'RequestHeaderModifier' }), "'requestHeaderModifier'"],
  [filters({ type: 'requestHeaderModifier', requestHeaderModifier: {} }), '/type'],
  [filters({ type: 'RequestRedirect', urlRewrite: {} }), "'requestRedirect'"],
  [filters({ requestRedirect: { scheme: 'https' } }), "'type'"],
  [filters({ type: 'RequestRedirect', requestRedirect: { scheme: 'HTTPS' } }), '/scheme'],
  [filters({ type: 'RequestRedirect', requestRedirect: { path: { type: 'ReplaceFullPath' } } }), '/path'],
  [filters({ type: 'RequestMirror', requestMirror: { backendRef: { name: 'a' } } }), '/backendRef'],
  [filters({ type: 'RequestRedirect', requestRedirect: { scheme: 'https' } }), 'leaves no request'],
  [
    filters({ type: 'URLRewrite', urlRewrite: {} }, { type: 'URLRewrite', urlRewrite: { hostname: 'a' } }),
    'two filters have the type URLRewrite',
  ],
  [gateway({ name: 'a', section: 'https' }), "'section'"],
  [gateway({ name: 'a', namespace: 'a.b' }), '/namespace'],
  [
    { verticalPodAutoscaler: { enabled: true, resourcePolicy: { containerPolicies: [{ mode: 'On' }] } } },
    '/containerPolicies/0/mode',
  ],
  [{ verticalPodAutoscaler: { enabled: true, resourcePolicy: { minAllowed: {} } } }, "'minAllowed'"],
  [balancer('10.0.0.1/8'), 'bits beyond'],
  [balancer('fd00::1/64'), 'bits beyond'],
  [balancer('1:2:3/64'), '/loadBalancerSourceRanges/0'],
  [block({ cidr: '10.0.0.1/24' }), 'bits beyond'],
  [block({ cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] }), 'not a part of 10.0.0.0/8'],
  [block({ cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] }), 'not a part of'],
  [container({ volumeMount: [] }), "'volumeMount'"],
  [container({ env: [{ name: 'A' }, { name: 'A' }] }), 'env of a: two entries'],
  [container({ env: [{ name: 'ä' }] }), '/env/0/name'],
  [container({ ports: [{ containerPort: 1 }, { containerPort: 1, name: 'x' }] }), 'ports of a: two entries'],
  [container({ ports: [{ containerPort: 1, name: '80' }] }), '/ports/0/name'],
  [container({ volumeMounts: [{ name: 'nope', mountPath: '/a' }] }), 'no volume has the name nope'],
  [container({ livenessProbe: { periodSeconds: 5 } }), '/livenessProbe'],
  [container({ resources: { limits: { gpu: 1 } } }), '/resources/limits'],
  [container({ lifecycle: { preStop: {} } }), '/lifecycle/preStop'],
  [init({ livenessProbe: { grpc: { port: 1 } } }), '/initContainers/0'],
  [init({ lifecycle: { preStop: { sleep: { seconds: 1 } } } }), '/initContainers/0'],
  [volume({ emptydir: {} }), "'emptydir'"],
  [volume({ secret: {} }), "'secretName'"],
  [volume({ emptyDir: { medium: 'memory' } }), '/emptyDir/medium'],
  [volume({ configMap: { name: 'a', items: [{ key: 'a', path: '../a' }] } }), '/items/0/path'],
  [volume({ secret: { secretName: 'a', defaultMode: 640 } }), '/defaultMode'],
  [volume({ projected: { sources: [{ secret: { name: 'a' }, configMap: { name: 'a' } }] } }), '/sources/0'],
  [mount({ subPath: '/a' }), '/subPath'],
  [mount({ subPath: 'a/../b' }), '/subPath'],
  [mount({ subPath: 'a', subPathExpr: 'b' }), '/extraVolumeMounts/0'],
  [mount({ recursiveReadOnly: 'Enabled' }), '/extraVolumeMounts/0'],
  [manifests({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }), "'name'"],
  [manifests({ ...configMap, metadata: { name: '{{ "" }}' } }), 'metadata.name'],
  [manifests({ ...configMap, metadata: { name: 'Mine' } }), 'Mine is not a valid name'],
  [manifests({ ...configMap, apiVersion: 'v1/ConfigMap/x' }), 'extraManifests[0]: an object has an apiVersion'],
  [manifests({ ...configMap, kind: 'Config Map' }), 'extraManifests[0]: an object has'],
  [manifests({ ...configMap, metadata: { name: 'a', labels: { a: 1 } } }), '/metadata/labels/a'],
  [manifests(configMap, { ...configMap, data: { a: 'b' } }), 'extraManifests[1]: the release has a ConfigMap mine'],
  [manifests({ ...configMap, metadata: { name: '{{ .Release.Name }}-graphwarden' } }), 'has a ConfigMap x-graphwarden'],
  [podTerm({ labelSelector: {} }), "'topologyKey'"],
  [podTerm({ topologyKey: 'a b', labelSelector: {} }), '/topologyKey'],
  [podTerm({ topologyKey: 'a', matchLabelKeys: ['b'] }), "'labelSelector'"],
  [podTerm({ topologyKey: 'a', labelSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }), "'values'"],
  [nodeTerm({ key: 'a', operator: 'in', values: ['b'] }), '/operator'],
  [nodeTerm({ key: 'a', operator: 'Gt', values: ['1', '2'] }), '/values'],
  [nodeTerm({ key: 'a', operator: 'Exists', values: ['b'] }), '/values'],
  [{ tolerations: [{ key: '', value: 'a' }] }, '/tolerations/0'],
  [{ tolerations: [{ key: 'a b', operator: 'Exists' }] }, '/tolerations/0/key'],
  [
    {
      topologySpreadConstraints: [1, 2].map((maxSkew) => ({
        topologyKey: 'a',
        maxSkew,
        whenUnsatisfiable: 'DoNotSchedule',
      })),
    },
    'topologySpreadConstraints: two entries',
  ],
  [{ hostAliases: [{ ip: '10.0.0.1' }, { ip: '10.0.0.1', hostnames: ['a'] }] }, 'hostAliases: two entries'],
  [{ dnsConfig: { nameservers: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'] } }, '/dnsConfig/nameservers'],
  [{ dnsConfig: { searches: ['-a'] } }, '/dnsConfig/searches/0'],
  [amount('hugepages-2Mi', '3Mi'), 'not a multiple'],
  [amount('example.com/gpu', '1500m'), 'not a whole number'],
  [{ podSecurityContext: { sysctls: [1, 2].map((value) => ({ name: 'a', value: `${value}` })) } }, 'two entries'],
  [{ podSecurityContext: { seLinuxChangePolicy: 'recursive' } }, '/seLinuxChangePolicy'],
  [{ securityContext: { seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'a' } } }, '/seccompProfile'],
  [{ securityContext: { privileged: true } }, 'without allowPrivilegeEscalation'],
  [{ podLabels: { a: long(64) } }, '/podLabels/a'],
  [{ priorityClassName: long(254) }, '/priorityClassName'],
  [{ livenessProbe: { httpGet: { port: '9916' } } }, '/livenessProbe/httpGet/port'],
  [{ livenessProbe: { httpGet: { port: '{{ .Values.port }}' } } }, '/livenessProbe/httpGet/port'],
  [{ readinessProbe: { exec: { command: [] } } }, '/readinessProbe/exec/command'],
  [{ lifecycle: { preStop: { sleep: { seconds: 21 } } } }, 'at most terminationGracePeriodSeconds (20)'],
  [container({ lifecycle: { preStop: { sleep: { seconds: 30 } } } }), 'lifecycle of a.preStop.sleep'],
  [{ dashboards: { grafanaOperator: { enabled: true, resyncPeriod: '1d' } } }, '/resyncPeriod'],
  [manifests({ ...configMap, metadata: { name: 'a', namespace: 'a/b' } }), '/metadata/namespace'],
  [{ persistence: { storageClass: long(254) } }, '/persistence/storageClass'],
  [{ configCheck: { enabled: true, timeout: 1e21 } }, '/configCheck/timeout'],
  [{ revisionHistoryLimit: 2 ** 31 }, '/revisionHistoryLimit'],
  [{ replicaCount: 1e21 }, '/replicaCount'],
  [
    { service: { enabled: true, type: 'LoadBalancer', loadBalancerClass: long(64) }, networkPolicy },
    '/loadBalancerClass',
  ],
];
