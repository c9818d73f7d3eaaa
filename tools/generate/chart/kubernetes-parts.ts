import {
  address,
  closed,
  commandOf,
  container,
  context,
  count,
  handlers,
  httpGet,
  listOf,
  mount,
  nullable,
  objectNameText,
  oneOf,
  open,
  peer,
  podContext,
  ports,
  positive,
  selector,
  share,
  source,
  spread,
  text,
  toleration,
  variable,
  volume,
} from './kubernetes-schemas.ts';
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
  const schema = closed({
    ...handlers,
    initialDelaySeconds: nullable(count),
    periodSeconds: nullable(positive),
    timeoutSeconds: nullable(positive),
    failureThreshold: nullable(positive),
    successThreshold: isReadiness ? nullable(positive) : { enum: [1, null] },
    ...(isReadiness ? {} : { terminationGracePeriodSeconds: positive }),
  });
  const exclusive = { not: { anyOf: pairs(Object.keys(handlers)).map((required) => ({ required })) } };
  return part(objectValue(about, defaultValue), { ...schema, ...exclusive }, { periodSeconds: 7 });
}

function pairs(names: readonly string[]): readonly (readonly string[])[] {
  return names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other]));
}

/** Returns a value for the security context of a pod. */
export function podContextValue(about: string, defaultValue: Readonly<Record<string, Json>>): Leaf {
  return part(objectValue(about, defaultValue), podContext, { runAsUser: 1 });
}

/** Returns a value for the security context of a container. */
export function contextValue(about: string, defaultValue: Readonly<Record<string, Json>>): Leaf {
  return part(objectValue(about, defaultValue), context, { runAsUser: 1 });
}

/** Returns a value for the lifecycle hooks of a container. */
export function lifecycleValue(about: string): Leaf {
  const hook = closed({ exec: commandOf, httpGet, tcpSocket: open({}), sleep: closed({ seconds: count }, 'seconds') });
  const schema = closed({ preStop: hook, postStart: hook, stopSignal: text });
  return part(objectValue(about), schema, { preStop: { sleep: { seconds: 1 } } });
}

/** Returns a value for the affinity of a pod. */
export function affinityValue(about: string): Leaf {
  const weight = { type: 'integer', minimum: 1, maximum: 100 };
  const term = open({ topologyKey: text, labelSelector: selector }, 'topologyKey');
  const podTerms = closed({
    requiredDuringSchedulingIgnoredDuringExecution: listOf(term),
    preferredDuringSchedulingIgnoredDuringExecution: listOf(
      closed({ weight, podAffinityTerm: term }, 'weight', 'podAffinityTerm'),
    ),
  });
  const nodeTerm = closed({
    matchExpressions: listOf(open({ key: text, operator: text }, 'key', 'operator')),
    matchFields: listOf(open({})),
  });
  const nodeAffinity = closed({
    requiredDuringSchedulingIgnoredDuringExecution: closed(
      { nodeSelectorTerms: listOf(nodeTerm, 1) },
      'nodeSelectorTerms',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: listOf(
      closed({ weight, preference: nodeTerm }, 'weight', 'preference'),
    ),
  });
  const schema = closed({ nodeAffinity, podAffinity: podTerms, podAntiAffinity: podTerms });
  return part(objectValue(about), schema, { podAffinity: {} });
}

/** Returns a value for the DNS configuration of a pod. */
export function dnsConfigValue(about: string): Leaf {
  const schema = closed({
    nameservers: listOf(address),
    searches: listOf(text),
    options: listOf(closed({ name: text, value: text }, 'name')),
  });
  return part(objectValue(about), schema, { searches: ['example.org'] });
}

/** Returns a value for a selector of labels. */
export function selectorValue(about: string): Leaf {
  return part(objectValue(about), selector, { matchLabels: { changed: 'yes' } });
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
export const variableList = (about: string): Leaf => list(about, variable, { name: 'CHANGED', value: 'yes' });

/** Returns a list of sources of environment variables. */
export const variableSourceList = (about: string): Leaf => {
  const items = {
    ...closed({ prefix: text, configMapRef: closed(source, 'name'), secretRef: closed(source, 'name') }),
    anyOf: [{ required: ['configMapRef'] }, { required: ['secretRef'] }],
  };
  return list(about, items, { configMapRef: { name: 'changed' } });
};

/** Returns a list of volumes. */
export const volumeList = (about: string): Leaf =>
  list(about, volume, { name: 'changed', secret: { secretName: 'changed', optional: true } });

/** Returns a list of volume mounts. */
export const mountList = (about: string): Leaf => list(about, mount, { name: 'config', mountPath: '/changed' });

/** Returns a list of containers. */
export const containerList = (about: string): Leaf => list(about, container, { name: 'changed', image: 'changed' });

/** Returns a list of peers of a NetworkPolicy. */
export const peerList = (about: string): Leaf => list(about, peer, { podSelector: {} });

/** Returns a list of egress rules of a NetworkPolicy. */
export const egressList = (about: string): Leaf =>
  list(about, closed({ to: listOf(peer), ports }), { to: [{ podSelector: {} }] });

/** Returns a list of groups of Prometheus rules. */
export const ruleGroupList = (about: string): Leaf => {
  const rule = open({ alert: text, record: text, expr: { type: ['string', 'number'] }, labels: open({}) }, 'expr');
  const group = open({ name: { type: 'string', minLength: 1 }, rules: listOf(rule) }, 'name');
  return list(about, group, { name: 'changed', rules: [] });
};

const keyReference = closed({ name: text, key: text, optional: { type: 'boolean' } }, 'name', 'key');

/** Returns a value for the basic authentication of a monitor. */
export const basicAuthValue = (about: string): Leaf =>
  part(objectValue(about), closed({ username: keyReference, password: keyReference }), {
    username: { name: 'changed', key: 'changed' },
  });

/** Returns a value for the TLS configuration of a monitor. */
export const monitorTlsValue = (about: string): Leaf => {
  const flag = { type: 'boolean' };
  const schema = open({
    ca: open({}),
    cert: open({}),
    keySecret: keyReference,
    serverName: text,
    insecureSkipVerify: flag,
  });
  return part(objectValue(about), schema, { serverName: 'changed' });
};

/** Returns a list of whole objects. */
export const manifestList = (about: string): Leaf => {
  const manifest = open({ apiVersion: text, kind: text, metadata: open({}) }, 'apiVersion', 'kind', 'metadata');
  return list(about, manifest, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'changed' } });
};
