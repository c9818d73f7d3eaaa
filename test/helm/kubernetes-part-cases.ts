import type { Json } from '../../tools/generate/chart/value.ts';

/** Values of the chart. */
export type Values = Readonly<Record<string, Json>>;

/** Sources that the network policy must name with an ingress or a route. */
export const networkPolicy = { ingressFrom: [{ namespaceSelector: {} }] };
const fieldRef = { fieldPath: 'metadata.name' };

function limits(amounts: Values): Values {
  return { resources: { requests: null, limits: amounts } };
}

function service(more: Values): Values {
  return { service: { enabled: true, type: 'LoadBalancer', ...more }, networkPolicy };
}

function ingress(more: Values): Values {
  return { ingress: { enabled: true, ...more }, networkPolicy };
}

function route(more: Values): Values {
  return { route: { enabled: true, parentRefs: [{ name: 'public' }], ...more }, networkPolicy };
}

function source(peer: Json): Values {
  return { networkPolicy: { ingressFrom: [peer] } };
}

function way(rule: Json): Values {
  return { networkPolicy: { restrictEgress: true, extraEgress: [rule] }, ...cluster({ podLabels: { app: 'a' } }) };
}

function cluster(more: Values): Values {
  return { clusters: [{ name: 'a', ...more }] };
}

function postgres(more: Values): Values {
  return { state: { postgres: { existingSecret: 'pg', hosts: ['pg'], ...more } } };
}

/** Values of each kind that the API server rejects in one object, after Helm has applied others. */
export const rejected: Readonly<Record<string, readonly (readonly [values: Values, at: string])[]>> = {
  'a wrong quantity': [
    [limits({ memory: '0x10' }), 'resources: 0x10'],
    [limits({ memory: '1,5Gi' }), 'resources: 1,5Gi'],
    [limits({ memory: '1.5.2Gi' }), 'resources: 1.5.2Gi'],
    [limits({ memory: '-1Gi' }), 'resources: -1Gi'],
    [limits({ memory: '1 Gi' }), 'resources: 1 Gi'],
    [limits({ memory: '512mi' }), 'resources: 512mi'],
    [limits({ memory: '512KB' }), 'resources: 512KB'],
    [limits({ cpu: true }), '/resources/limits/cpu'],
    [limits({ gpu: 1 }), '/resources/limits'],
    [limits({ storage: '1Gi' }), '/resources/limits'],
    [{ resources: { claims: [{ name: 'gpu' }] } }, '/resources'],
    [{ persistence: { size: '-4Gi' } }, 'persistence.size'],
    [{ persistence: { size: '4gi' } }, 'persistence.size'],
    [{ persistence: { size: 4 } }, '/persistence/size'],
    [{ extraVolumes: [{ name: 'x', emptyDir: { sizeLimit: '1GB' } }] }, '/extraVolumes/0/emptyDir/sizeLimit'],
    [{ terminationGracePeriodSeconds: '20s' }, '/terminationGracePeriodSeconds'],
    [{ livenessProbe: { periodSeconds: '10s' } }, '/livenessProbe/periodSeconds'],
    [{ livenessProbe: { timeoutSeconds: -1 } }, '/livenessProbe/timeoutSeconds'],
    [{ prometheusRule: { enabled: true, alerts: { A: { for: '5' } } } }, '/prometheusRule/alerts/A/for'],
  ],
  'a wrong family or network': [
    [service({ ipFamilies: ['IPv4', 'IPv4'] }), '/service/ipFamilies'],
    [service({ ipFamilies: ['IPv4,IPv6'] }), '/service/ipFamilies/0'],
    [service({ ipFamilies: [4] }), '/service/ipFamilies/0'],
    [service({ ipFamilies: ['IPv4', 'IPv6'] }), 'service.ipFamilies'],
    [service({ ipFamilyPolicy: 'RequireDualstack' }), '/service/ipFamilyPolicy'],
    [service({ loadBalancerSourceRanges: ['300.0.0.0/8'] }), '/service/loadBalancerSourceRanges/0'],
    [service({ loadBalancerSourceRanges: ['10.0.0.0/33'] }), '/service/loadBalancerSourceRanges/0'],
    [service({ loadBalancerSourceRanges: ['fd00::/129'] }), '/service/loadBalancerSourceRanges/0'],
    [service({ loadBalancerSourceRanges: ['010.0.0.0/8'] }), '/service/loadBalancerSourceRanges/0'],
    [source({ ipBlock: { cidr: '10.0.0.0' } }), '/networkPolicy/ingressFrom/0'],
    [source({ ipBlock: { cidr: '10.0.0.0/8' }, podSelector: {} }), '/networkPolicy/ingressFrom/0'],
    [source({}), '/networkPolicy/ingressFrom/0'],
    [source({ podSelector: { app: 'x' } }), '/networkPolicy/ingressFrom/0'],
    [way({ to: [{ ipBlock: { cidr: 'any' } }] }), '/networkPolicy/extraEgress/0/to/0'],
    [way({ port: 443 }), '/networkPolicy/extraEgress/0'],
    [way({ ports: [{ port: 443, protocol: 'tcp' }] }), '/networkPolicy/extraEgress/0/ports/0/protocol'],
    [{ hostAliases: [{ ip: 'fd00::g', hostnames: ['a'] }] }, '/hostAliases/0/ip'],
    [{ listenAddress: '0.0.0.0:9916' }, '/listenAddress'],
    [{ listenAddress: 'http://0.0.0.0' }, '/listenAddress'],
    [{ dnsPolicy: 'None' }, 'dnsPolicy: None'],
    [{ dnsConfig: { nameservers: ['dns'] } }, '/dnsConfig/nameservers/0'],
  ],
  'a wrong mode': [
    [{ persistence: { accessModes: ['RWO'] } }, '/persistence/accessModes/0'],
    [{ persistence: { accessModes: ['ReadWriteOnce', 'ReadWriteOnce'] } }, '/persistence/accessModes'],
    [{ persistence: { accessModes: ['ReadOnlyMany'] } }, '/persistence/accessModes/0'],
    [{ mode: 'daemonset' }, '/mode'],
    [{ image: { pullPolicy: 'always' } }, '/image/pullPolicy'],
    [{ podSecurityContext: { fsGroupChangePolicy: 'Never' } }, '/podSecurityContext/fsGroupChangePolicy'],
    [{ podSecurityContext: { fsGroup: '65532' } }, '/podSecurityContext/fsGroup'],
    [{ podSecurityContext: { fsgroup: 1 } }, '/podSecurityContext'],
    [{ securityContext: { seccompProfile: { type: 'Localhost' } } }, '/securityContext/seccompProfile'],
    [{ livenessProbe: { successThreshold: 2 } }, '/livenessProbe/successThreshold'],
    [{ livenessProbe: { initialDelay: 5 } }, '/livenessProbe'],
    [{ readinessProbe: { httpGet: { port: 'http' }, exec: { command: ['x'] } } }, '/readinessProbe'],
    [{ tolerations: [{ key: 'a', operator: 'In' }] }, '/tolerations/0/operator'],
    [{ tolerations: [{ value: 'a' }] }, '/tolerations/0'],
    [{ tolerations: [{ key: 'a', operator: 'Exists', value: 'x' }] }, '/tolerations/0'],
    [{ tolerations: [{ key: 'a', effect: 'NoSchedule', tolerationSeconds: 5 }] }, '/tolerations/0'],
    [{ affinity: { nodeaffinity: {} } }, '/affinity'],
    [{ topologySpreadConstraints: [{ maxSkew: 1 }] }, '/topologySpreadConstraints/0'],
    [{ lifecycle: { preStop: { exec: { command: 'sleep 5' } } } }, '/lifecycle/preStop/exec/command'],
    [
      { podDisruptionBudget: { enabled: true, spec: { minAvailable: 'one' } } },
      '/podDisruptionBudget/spec/minAvailable',
    ],
    [
      { podDisruptionBudget: { enabled: true, spec: { maxUnavailable: '1' } } },
      '/podDisruptionBudget/spec/maxUnavailable',
    ],
  ],
  'a wrong host, address or name': [
    [ingress({ hosts: ['10.0.0.1'] }), '/ingress/hosts/0'],
    [ingress({ hosts: ['warden.example.org.'] }), '/ingress/hosts/0'],
    [ingress({ hosts: ['warden_1.example.org'] }), '/ingress/hosts/0'],
    [ingress({ hosts: ['a.*.org'] }), '/ingress/hosts/0'],
    [ingress({ hosts: ['a.org', 'a.org'] }), '/ingress/hosts'],
    [ingress({ hosts: [{ host: 'a.org' }] }), '/ingress/hosts/0'],
    [ingress({ tls: [{ secretName: 'A' }] }), '/ingress/tls/0/secretName'],
    [ingress({ annotations: { 'a b': 'x' } }), '/ingress/annotations'],
    [route({ hostnames: ['*'] }), '/route/hostnames/0'],
    [route({ parentRefs: [{ namespace: 'x' }] }), '/route/parentRefs/0'],
    [route({ parentRefs: [{ name: 'x' }, { name: 'x' }] }), '/route/parentRefs'],
    [{ clusterDomain: 'cluster..local' }, '/clusterDomain'],
    [{ image: { registry: 'https://ghcr.io' } }, '/image/registry'],
    [{ image: { repository: 'graphwarden/Warden' } }, '/image/repository'],
    [{ image: { tag: ':v1' } }, '/image/tag'],
    [{ global: { imageRegistry: 'ghcr.io/' } }, '/global/imageRegistry'],
    [cluster({ service: { name: 'prod.db.svc' } }), '/clusters/0/service/name'],
    [cluster({ service: { portName: 'http port' } }), '/clusters/0/service/portName'],
    [postgres({ hosts: ['pg:99999'] }), '/state/postgres/hosts/0'],
    [postgres({ hosts: ['postgres://pg'] }), '/state/postgres/hosts/0'],
    [postgres({ database: '' }), '/state/postgres/database'],
    [{ namespaceOverride: 'a.b' }, '/namespaceOverride'],
    [{ podMonitor: { enabled: true, namespace: 'a.b' } }, '/podMonitor/namespace'],
    [{ dashboards: { enabled: true, label: 'a b' } }, '/dashboards/label'],
  ],
  'a Secret, a variable or a volume that is wrong or there twice': [
    [{ existingSecrets: ['a', 'b', 'a'] }, '/existingSecrets'],
    [{ existingSecrets: [{ name: 'a' }] }, '/existingSecrets/0'],
    [{ existingSecrets: [123] }, '/existingSecrets/0'],
    [{ imagePullSecrets: [{ name: 'a' }, { name: 'a' }] }, '/imagePullSecrets'],
    [cluster({ readAuth: { existingSecret: 'a', key: '../x' } }), '/clusters/0/readAuth/key'],
    [postgres({ passwordKey: 'a/b' }), '/state/postgres/passwordKey'],
    [{ web: { existingSecret: 'a', file: 'x/web.yml' } }, '/web/file'],
    [{ existingConfigMap: { name: 'a', key: '' } }, '/existingConfigMap/key'],
    [{ extraEnv: [{ name: 'A', value: 1 }] }, '/extraEnv/0/value'],
    [{ extraEnv: [{ name: 'A', value: true }] }, '/extraEnv/0/value'],
    [{ extraEnv: [{ name: 'A', value: 'x', valueFrom: { fieldRef } }] }, '/extraEnv/0'],
    [{ extraEnv: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'x' } } }] }, '/extraEnv/0/valueFrom/secretKeyRef'],
    [{ extraEnvFrom: [{ prefix: 'A' }] }, '/extraEnvFrom/0'],
    [{ extraVolumes: [{ name: 'a', emptyDir: {}, secret: { secretName: 'x' } }] }, '/extraVolumes/0'],
    [{ extraVolumes: [{ name: 'a', secret: { name: 'x' } }] }, '/extraVolumes/0/secret'],
    [{ extraVolumeMounts: [{ name: 'nope', mountPath: '/x' }] }, 'no volume has the name nope'],
    [{ extraVolumeMounts: [{ name: 'config' }] }, '/extraVolumeMounts/0'],
    [{ extraContainers: [{ name: 'a' }] }, '/extraContainers/0'],
    [{ persistence: { selector: { app: 'x' } } }, '/persistence/selector'],
    [{ extraManifests: [{ kind: 'ConfigMap' }] }, '/extraManifests/0'],
  ],
};
/** Parts in forms that Kubernetes accepts. */
export const accepted: readonly Values[] = [
  limits({ cpu: '0.5', memory: '1e9', 'nvidia.com/gpu': 1, 'hugepages-2Mi': '4Mi' }),
  service({
    ipFamilyPolicy: 'PreferDualStack',
    ipFamilies: ['IPv6', 'IPv4'],
    loadBalancerSourceRanges: ['10.0.0.0/8', 'fd00::/8'],
  }),
  source({ ipBlock: { cidr: 'fd00:1::/32', except: ['fd00:1:2::/48'] } }),
  source({
    namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['a'] }] },
    podSelector: {},
  }),
  way({
    to: [{ ipBlock: { cidr: '10.1.2.3/32' } }],
    ports: [
      { port: 443, endPort: 445 },
      { port: 'https', protocol: 'UDP' },
    ],
  }),
  { tolerations: [{ operator: 'Exists' }, { key: 'a', value: 'b', effect: 'NoExecute', tolerationSeconds: 30 }] },
  {
    hostAliases: [
      { ip: '10.0.0.1', hostnames: ['a.example.org'] },
      { ip: '::1', hostnames: [] },
    ],
  },
  { dnsPolicy: 'None', dnsConfig: { nameservers: ['10.0.0.10', 'fd00::a'], options: [{ name: 'ndots', value: '2' }] } },
  {
    livenessProbe: { httpGet: { path: '/x', port: 9000 }, periodSeconds: null },
    readinessProbe: { successThreshold: 2 },
  },
  { podSecurityContext: { runAsUser: null, fsGroup: null }, securityContext: { runAsUser: null, runAsGroup: null } },
  {
    extraEnv: [
      { name: 'A.b-c', value: '{{ .Release.Name }}' },
      { name: 'B', valueFrom: { fieldRef } },
    ],
  },
  {
    extraVolumes: [{ name: 'ca', csi: { driver: 'x' } }],
    extraVolumeMounts: [{ name: 'ca', mountPath: '/ca', subPath: 'x' }],
  },
  {
    extraVolumes: [{ name: 'x', emptyDir: { sizeLimit: '1.5Gi' } }],
    lifecycle: { preStop: { sleep: { seconds: 5 } } },
  },
  ingress({ hosts: ['*.example.org', '123.example.org', 'warden', '{{ .Release.Name }}.example.org'] }),
  {
    podDisruptionBudget: { enabled: true, spec: { maxUnavailable: '50%' } },
    image: { registry: 'localhost:5000/mirror' },
  },
  { image: { registry: '', repository: 'warden', tag: '1.0_x-y' }, listenAddress: '[fd00::1]' },
];
