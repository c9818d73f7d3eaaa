import { budgetValue, egressList, filterList, parentList, peerList, resourcePolicyValue } from './kubernetes-parts.ts';
import { networkPattern } from './kubernetes-schemas.ts';
import {
  booleanValue,
  enumList,
  enumValue,
  type Fields,
  hostList,
  type Leaf,
  labelKey,
  labelMap,
  nameSchema,
  nameValue,
  objectList,
  optionalEnum,
  patternValue,
  portValue,
  section,
  stringList,
  stringMap,
} from './value.ts';

const certificates = {
  type: 'array',
  items: {
    type: 'object',
    properties: { secretName: nameSchema, hosts: hostList('').schema },
    additionalProperties: false,
  },
};

/** 0, or a port of the range that the cluster reserves for them. */
const nodePort = { type: 'integer', minimum: 0, maximum: 65_535 };

const pathValue = patternValue(
  'Path prefix. If empty, the path of `config.external_url`, with which all URLs start.',
  '/.*',
);

/** Returns a list of networks. */
function cidrList(about: string): Leaf {
  const items = { type: 'string', pattern: `^(${networkPattern})$` };
  return { ...stringList(about), schema: { type: 'array', items, uniqueItems: true } };
}

/** Access to the daemon, and its own access to the network. */
export const networkValues: Fields = {
  service: section('Service of the daemon. `serviceMonitor`, `ingress` and `route` also create it.', {
    enabled: booleanValue('Always creates the Service.', false),
    type: enumValue('Type of the Service.', ['ClusterIP', 'LoadBalancer', 'NodePort']),
    port: portValue('Port of the Service.', 9916),
    annotations: stringMap('Additional annotations.'),
    labels: labelMap('Additional labels.'),
    nodePort: {
      ...portValue('Port on every node, with `type: NodePort` or `LoadBalancer`; 0 for any free port.', 0),
      schema: nodePort,
    },
    loadBalancerClass: patternValue('Class of the load balancer, with `type: LoadBalancer`.', labelKey),
    loadBalancerSourceRanges: cidrList('Networks from which the load balancer accepts connections.'),
    externalTrafficPolicy: optionalEnum(
      'Policy for traffic from outside, with `type: NodePort` or `LoadBalancer`. `Local` keeps the addresses of the clients.',
      ['Cluster', 'Local'],
    ),
    ipFamilyPolicy: optionalEnum('IP family policy of the Service.', [
      'SingleStack',
      'PreferDualStack',
      'RequireDualStack',
    ]),
    ipFamilies: enumList('IP families of the Service, in order of preference.', ['IPv4', 'IPv6']),
  }),
  ingress: section('Ingress for the status page. Set `networkPolicy.ingressFrom` to the pods of its controller.', {
    enabled: booleanValue('Creates the Ingress.', false),
    className: nameValue('Ingress class.'),
    annotations: stringMap('Additional annotations.'),
    labels: labelMap('Additional labels.'),
    hosts: hostList('Host names of the ingress.', ['warden.example.org']),
    path: pathValue,
    pathType: enumValue('Type of the path.', ['Prefix', 'ImplementationSpecific', 'Exact']),
    tls: {
      ...objectList('TLS certificates: `[{ secretName: warden-tls, hosts: [warden.example.org] }]`.'),
      schema: certificates,
    },
  }),
  route: section(
    'HTTPRoute for the status page, for the Gateway API. Set `networkPolicy.ingressFrom` to the pods of the Gateway.',
    {
      enabled: booleanValue('Creates the HTTPRoute.', false),
      annotations: stringMap('Additional annotations.'),
      labels: labelMap('Additional labels.'),
      parentRefs: parentList('Gateways of the route.'),
      hostnames: hostList('Host names of the route.'),
      path: pathValue,
      filters: filterList('Filters of the rule, such as headers to set.'),
    },
  ),
  networkPolicy: section('NetworkPolicy of the daemon. It does not select the pods of the database.', {
    enabled: booleanValue('Creates the NetworkPolicy. Without it, every pod can connect.', true),
    prometheusPodLabels: labelMap(
      'Labels of the pods of Prometheus, which can connect from any namespace if a monitor is enabled.',
      { 'app.kubernetes.io/name': 'prometheus' },
    ),
    ingressFrom: peerList(
      'Other sources that can connect to the port, such as the pods of an ingress controller. `[{ ipBlock: { cidr: 0.0.0.0/0 } }]` allows all.',
    ),
    restrictEgress: booleanValue(
      'Allows only DNS, the pods of the databases (`clusters[].podLabels` and `state.postgres.podLabels`) and `extraEgress`.',
      false,
    ),
    extraEgress: egressList(
      'Additional egress rules, for Alertmanager, receivers, the endpoints of `config.telemetry`, and nodes outside of Kubernetes.',
    ),
    annotations: stringMap('Additional annotations.'),
  }),
  podDisruptionBudget: section(
    'PodDisruptionBudget. Always created for two or more replicas. With one replica it protects nothing or, with `minAvailable: 1`, blocks the drain of nodes.',
    {
      enabled: booleanValue('Creates the PodDisruptionBudget.', false),
      annotations: stringMap('Additional annotations.'),
      spec: budgetValue('Spec of the budget. If empty, `maxUnavailable: 1`.'),
    },
  ),
  verticalPodAutoscaler: section('VerticalPodAutoscaler.', {
    enabled: booleanValue('Creates the VerticalPodAutoscaler.', false),
    updateMode: enumValue('Update mode: how recommendations are applied.', ['Off', 'Initial', 'Recreate', 'Auto']),
    resourcePolicy: resourcePolicyValue('Resource policy: the bounds of the recommendations.'),
  }),
};
