import {
  booleanValue,
  enumValue,
  type Fields,
  objectList,
  objectValue,
  portValue,
  section,
  stringList,
  stringMap,
  stringValue,
} from './value.ts';

/** Access to the daemon, and its own access to the network. */
export const networkValues: Fields = {
  service: section('Service of the daemon. `serviceMonitor`, `ingress` and `route` also create it.', {
    enabled: booleanValue('Always creates the Service.', false),
    type: enumValue('Type of the Service.', ['ClusterIP', 'LoadBalancer', 'NodePort']),
    port: portValue('Port of the Service.', 9916),
    annotations: stringMap('Additional annotations.'),
    labels: stringMap('Additional labels.'),
    ipFamilyPolicy: stringValue(
      'IP family policy of the Service: `SingleStack`, `PreferDualStack` or `RequireDualStack`.',
    ),
    ipFamilies: stringList('IP families of the Service, in order of preference.'),
  }),
  ingress: section('Ingress for the status page. Require users with `web`.', {
    enabled: booleanValue('Creates the Ingress.', false),
    className: stringValue('Ingress class.'),
    annotations: stringMap('Additional annotations.'),
    hosts: stringList('Host names of the ingress.', ['warden.example.org']),
    path: stringValue('Path prefix. If empty, the path of `config.external_url`, with which all URLs start.'),
    tls: objectList('TLS certificates: `[{ secretName: warden-tls, hosts: [warden.example.org] }]`.'),
  }),
  route: section('HTTPRoute for the status page, for the Gateway API.', {
    enabled: booleanValue('Creates the HTTPRoute.', false),
    annotations: stringMap('Additional annotations.'),
    parentRefs: objectList('Gateways of the route.'),
    hostnames: stringList('Host names of the route.'),
    path: stringValue('Path prefix. If empty, the path of `config.external_url`, with which all URLs start.'),
  }),
  networkPolicy: section('NetworkPolicy of the daemon. It does not select the pods of the database.', {
    enabled: booleanValue('Creates the NetworkPolicy.', true),
    ingressFrom: objectList('Sources that can connect to the port. If empty, all.'),
    restrictEgress: booleanValue(
      'Allows only DNS, the pods of the database (`clusters[].podLabels`) and `extraEgress`.',
      false,
    ),
    extraEgress: objectList(
      'Additional egress rules, for Alertmanager, receivers and the endpoints of `config.telemetry`.',
    ),
    annotations: stringMap('Additional annotations.'),
  }),
  podDisruptionBudget: section(
    'PodDisruptionBudget. With one replica it protects nothing or, with `minAvailable: 1`, blocks the drain of nodes.',
    {
      enabled: booleanValue('Creates the PodDisruptionBudget.', false),
      annotations: stringMap('Additional annotations.'),
      spec: objectValue('Spec of the budget. If empty, `maxUnavailable: 1`.'),
    },
  ),
  verticalPodAutoscaler: section('VerticalPodAutoscaler.', {
    enabled: booleanValue('Creates the VerticalPodAutoscaler.', false),
    updateMode: enumValue('Update mode: how recommendations are applied.', ['Off', 'Initial', 'Recreate', 'Auto']),
    resourcePolicy: objectValue('Resource policy: the bounds of the recommendations.'),
  }),
};
