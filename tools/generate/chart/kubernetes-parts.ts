import {
  address,
  affinity,
  closed,
  form,
  labels,
  listOf,
  literal,
  objectNameText,
  oneOf,
  ports,
  reference,
  selector,
  share,
  shortName,
  spread,
  text,
  texts,
  toleration,
} from './kubernetes-schemas.ts';
import { authorization, basicAuth, monitorTls, ruleGroup } from './monitor-schemas.ts';
import { context, lifecycle, podContext, probeSchema, quantity } from './pod-schemas.ts';
import { filter, parent } from './route-schemas.ts';
import { type Json, type JsonSchema, type Leaf, objectList, objectValue } from './value.ts';

/** Returns a list of parts. */
function list(about: string, items: JsonSchema, example: Json): Leaf {
  return { ...objectList(about), schema: { type: 'array', items }, example: [example] };
}

/** Returns a value for one part. */
function part(leaf: Leaf, schema: JsonSchema, example: Json): Leaf {
  return { ...leaf, schema, example };
}

/** Returns a value for a probe, of which `successes` may be required. */
export function probeValue(
  about: string,
  defaultValue: Readonly<Record<string, Json>> = {},
  isReadiness = false,
): Leaf {
  return part(objectValue(about, defaultValue), literal(probeSchema(isReadiness)), { periodSeconds: 7 });
}

/** Returns a value for the security context of a pod. */
export function podContextValue(about: string, defaultValue: Readonly<Record<string, Json>>): Leaf {
  return part(objectValue(about, defaultValue), literal(podContext), { runAsUser: 1 });
}

/** Returns a value for the security context of a container. */
export function contextValue(about: string, defaultValue: Readonly<Record<string, Json>>): Leaf {
  return part(objectValue(about, defaultValue), context, { runAsUser: 1 });
}

/** Returns a value for the lifecycle hooks of a container. */
export function lifecycleValue(about: string): Leaf {
  return part(objectValue(about), literal(lifecycle), { preStop: { sleep: { seconds: 1 } } });
}

/** Returns a value for the affinity of a pod. */
export function affinityValue(about: string): Leaf {
  return part(objectValue(about), affinity, { podAffinity: {} });
}

const searchLabel = '[_a-z0-9]([-_a-z0-9]*[_a-z0-9])?';

/** Returns a value for the DNS configuration of a pod. */
export function dnsConfigValue(about: string): Leaf {
  const schema = closed({
    nameservers: { ...listOf(address), maxItems: 3 },
    searches: { ...listOf(form(`(${searchLabel}[.])*${searchLabel}[.]?|[.]`, 253)), maxItems: 32 },
    options: listOf(closed({ name: form('.+'), value: text }, 'name')),
  });
  return part(objectValue(about), schema, { searches: ['example.org'] });
}

/** Returns a value for a selector of labels. */
export function selectorValue(about: string): Leaf {
  return part(objectValue(about), literal(selector), { matchLabels: { changed: 'yes' } });
}

/** Returns a value for the spec of a PodDisruptionBudget; the chart sets its selector. */
export function budgetValue(about: string): Leaf {
  const schema = closed({
    minAvailable: share,
    maxUnavailable: share,
    unhealthyPodEvictionPolicy: oneOf('AlwaysAllow', 'IfHealthyBudget'),
  });
  return part(objectValue(about), schema, { minAvailable: 1 });
}

/** Returns a list of tolerations. */
export const tolerationList = (about: string): Leaf => list(about, toleration, { operator: 'Exists' });

/** Returns a list of topology spread constraints. */
export const spreadList = (about: string): Leaf =>
  list(about, spread, { topologyKey: 'changed', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' });

/** Returns a list of entries of the hosts file. */
export const hostAliasList = (about: string): Leaf =>
  list(about, closed({ ip: address, hostnames: listOf(objectNameText) }, 'ip'), {
    ip: '10.0.0.1',
    hostnames: ['changed'],
  });

/** Returns a list of environment variables. */
export const variableList = (about: string): Leaf =>
  list(about, reference('variable'), { name: 'CHANGED', value: 'yes' });

/** Returns a list of sources of environment variables. */
export const variableSourceList = (about: string): Leaf =>
  list(about, reference('variableSource'), { configMapRef: { name: 'changed' } });

/** Returns a list of volumes. */
export const volumeList = (about: string): Leaf =>
  list(about, reference('volume'), { name: 'changed', secret: { secretName: 'changed', optional: true } });

/** Returns a list of volume mounts. */
export const mountList = (about: string): Leaf =>
  list(about, reference('mount'), { name: 'config', mountPath: '/changed' });

/** Returns a list of init containers. */
export const initContainerList = (about: string): Leaf =>
  list(about, reference('initContainer'), { name: 'changed', image: 'changed' });

/** Returns a list of containers. */
export const containerList = (about: string): Leaf =>
  list(about, reference('container'), { name: 'changed', image: 'changed' });

/** Returns a list of peers of a NetworkPolicy. */
export const peerList = (about: string): Leaf => list(about, reference('peer'), { podSelector: {} });

/** Returns a list of egress rules of a NetworkPolicy. */
export const egressList = (about: string): Leaf =>
  list(about, closed({ to: listOf(reference('peer')), ports }), { to: [{ podSelector: {} }] });

/** Returns a list of groups of Prometheus rules. */
export const ruleGroupList = (about: string): Leaf => list(about, ruleGroup, { name: 'changed', rules: [] });

/** Returns a list of relabeling rules. */
export const relabelingList = (about: string): Leaf => list(about, reference('relabeling'), { targetLabel: 'changed' });

/** Returns a value for the basic authentication of a monitor. */
export const basicAuthValue = (about: string): Leaf =>
  part(objectValue(about), basicAuth, { username: { name: 'changed', key: 'changed' } });

/** Returns a value for the authorization of a monitor with a token. */
export const authorizationValue = (about: string): Leaf =>
  part(objectValue(about), authorization, { credentials: { name: 'changed', key: 'changed' } });

/** Returns a value for the TLS configuration of a monitor. */
export const monitorTlsValue = (about: string, isService: boolean): Leaf =>
  part(objectValue(about), monitorTls(isService), { serverName: 'changed' });

/** Returns a list of Gateways. */
export const parentList = (about: string): Leaf => ({
  ...list(about, parent, { name: 'changed' }),
  schema: { type: 'array', items: parent, maxItems: 32, uniqueItems: true },
});

/** Returns a list of filters of a route. */
export const filterList = (about: string): Leaf => ({
  ...list(about, filter, { type: 'RequestHeaderModifier', requestHeaderModifier: { remove: ['changed'] } }),
  schema: { type: 'array', items: filter, maxItems: 16, uniqueItems: true },
});

/** Returns a value for the resource policy of a VerticalPodAutoscaler. */
export const resourcePolicyValue = (about: string): Leaf => {
  const amounts = { type: 'object', additionalProperties: literal(quantity) };
  const policy = closed({
    containerName: text,
    mode: oneOf('Auto', 'Off'),
    minAllowed: amounts,
    maxAllowed: amounts,
    controlledResources: listOf(oneOf('cpu', 'memory')),
    controlledValues: oneOf('RequestsAndLimits', 'RequestsOnly'),
  });
  return part(objectValue(about), closed({ containerPolicies: listOf(policy) }), { containerPolicies: [] });
};

/** Returns a list of whole objects, whose content the chart does not know. */
export const manifestList = (about: string): Leaf => {
  const word = { type: 'string', minLength: 1 };
  const properties = { name: word, namespace: shortName, labels, annotations: texts };
  const metadata = { type: 'object', properties, required: ['name'] };
  const schema = {
    type: 'object',
    properties: { apiVersion: word, kind: word, metadata },
    required: ['apiVersion', 'kind', 'metadata'],
  };
  return list(about, schema, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'changed' } });
};
