import type { Json } from '../../tools/generate/chart/value.ts';

type Values = Readonly<Record<string, Json>>;

const prod: Values = {
  name: 'prod',
  podLabels: { app: 'graph' },
  service: { scheme: 'https' },
  readAuth: { existingSecret: 'read', kind: 'basic', key: 'password', username: 'monitor' },
  abortAuth: { existingSecret: 'abort', kind: 'basic', key: 'password', username: 'guard' },
  tls: { existingSecret: 'tls', certKey: 'tls.crt', keyKey: 'tls.key', serverName: 'graph.example.org' },
};

/** Values with all that can be switched on: whatever else is changed must show. */
export const allValues: Values = {
  clusters: [prod],
  web: { existingSecret: 'web' },
  service: { enabled: true },
  serviceMonitor: { enabled: true },
  prometheusRule: { enabled: true },
  dashboards: { grafanaOperator: { enabled: true } },
  ingress: { enabled: true },
  route: { enabled: true, parentRefs: [{ name: 'public' }] },
  networkPolicy: { restrictEgress: true, ingressFrom: [{ namespaceSelector: {} }] },
  configCheck: { enabled: true },
  podDisruptionBudget: { enabled: true },
  verticalPodAutoscaler: { enabled: true },
  startupProbe: { periodSeconds: 1 },
};

/** Passwords of created users would differ in each rendering. */
const others: readonly Values[] = [
  {},
  { mode: 'sidecar', clusters: [prod], podMonitor: { enabled: true } },
  { mode: 'sidecar', sidecar: { kind: 'container', livenessProbe: { periodSeconds: 30 } } },
  { mode: 'sidecar', sidecar: { resources: { limits: { cpu: '1' } } } },
  { podMonitor: { enabled: true }, dashboards: { enabled: true } },
  { serviceAccount: { create: false }, existingConfigMap: { name: 'mine' } },
  { config: { guard: { mode: 'enforce' } } },
  {
    clusters: [prod],
    state: {
      postgres: {
        existingSecret: 'postgres',
        hosts: ['db'],
        tls: { existingSecret: 'ca' },
        namespace: 'db',
        podLabels: { app: 'db' },
      },
    },
    networkPolicy: { restrictEgress: true },
  },
];

/** What is not to be seen among these shows beside others. */
export const alternativeValues: readonly Values[] = others.map((values) => ({
  ...values,
  web: { createUsers: false },
}));
