import { choice, type Fields, flag, object, objects, port, section, text, texts, words } from './value.ts';

/** Who reaches the daemon, and whom it reaches. */
export const networkValues: Fields = {
  service: section('A Service for the daemon: comes by itself with `serviceMonitor`, `ingress` and `route`.', {
    enabled: flag('Have one in any case.', false),
    type: choice('Type of the Service.', ['ClusterIP', 'LoadBalancer', 'NodePort']),
    port: port('Port of the Service.', 9916),
    annotations: words('Put on it.'),
    labels: words('Put on it.'),
    ipFamilyPolicy: text('IPv4, IPv6, or both.'),
    ipFamilies: texts('Families, the first one first.'),
  }),
  ingress: section('The landing page for people; put users before it (`web`).', {
    enabled: flag('Have one.', false),
    className: text('Class of the ingress.'),
    annotations: words('Put on it.'),
    hosts: texts('Hosts that it answers for.', ['warden.example.org']),
    path: text('Path; that of `config.external_url` when empty, which is what all addresses begin with.'),
    tls: objects('Certificates: `[{ secretName: warden-tls, hosts: [warden.example.org] }]`.'),
  }),
  route: section('The same for the Gateway API.', {
    enabled: flag('Have one.', false),
    annotations: words('Put on it.'),
    parentRefs: objects('Gateways that it belongs to.'),
    hostnames: texts('Hosts that it answers for.'),
    path: text('Path; that of `config.external_url` when empty, which is what all addresses begin with.'),
  }),
  networkPolicy: section(
    'Who may talk to the daemon and to whom it may talk. The pods of the database are not touched.',
    {
      enabled: flag('Have one.', true),
      ingressFrom: objects('Who may reach the port; everybody when empty.'),
      restrictEgress: flag(
        'Allow DNS, the pods of the database (`clusters[].podLabels`) and `extraEgress`, and nothing else.',
        false,
      ),
      extraEgress: objects('More rules for what it may reach: Alertmanager, receivers, `config.tracing.endpoint`.'),
      annotations: words('Put on it.'),
    },
  ),
  podDisruptionBudget: section(
    'Off: with one replica it protects nothing, or with `minAvailable: 1` blocks the draining of nodes.',
    {
      enabled: flag('Have one.', false),
      annotations: words('Put on it.'),
      spec: object('What it allows; `maxUnavailable: 1` when empty.'),
    },
  ),
  verticalPodAutoscaler: section('The right size over time.', {
    enabled: flag('Have one.', false),
    updateMode: choice('What it does with its advice.', ['Off', 'Initial', 'Recreate', 'Auto']),
    resourcePolicy: object('Bounds of its advice.'),
  }),
};
