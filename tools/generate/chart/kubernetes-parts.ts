import {
  type Json,
  type JsonSchema,
  type Leaf,
  labelMap,
  labelName,
  objectList,
  objectName,
  objectValue,
  templated,
} from './value.ts';

/** Parts of Kubernetes objects. The API server would reject a wrong one after Helm has applied other objects. */

const text: JsonSchema = { type: 'string' };
const count: JsonSchema = { type: 'integer', minimum: 0, maximum: 2_147_483_647 };
const positive: JsonSchema = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
const labels = labelMap('').schema;

/** A text of one form, or a template. */
function form(pattern: string): JsonSchema {
  return { type: 'string', pattern: `^(${pattern}|${templated})$` };
}

function oneOf(...words: readonly string[]): JsonSchema {
  return { type: 'string', enum: words };
}

function closed(properties: Readonly<Record<string, JsonSchema>>, ...required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The same for parts to which new versions of Kubernetes add fields. */
function open(properties: Readonly<Record<string, JsonSchema>>, ...required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required };
}

function implies(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { anyOf: [{ not: condition }, consequence] };
}

function listOf(items: JsonSchema, minItems = 0): JsonSchema {
  return { type: 'array', items, minItems };
}

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ipv4 = `${byte}([.]${byte}){3}`;
const ipv6 = '[0-9A-Fa-f]{0,4}(:[0-9A-Fa-f]{0,4}){2,7}';
const address = form(`${ipv4}|${ipv6}`);
/** A network: an address and the length of its prefix. */
export const networkPattern = `${ipv4}/(3[0-2]|[12]?[0-9])|${ipv6}/(12[0-8]|1[01][0-9]|[1-9]?[0-9])`;

const portName = '[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?';
const portNumber: JsonSchema = { type: 'integer', minimum: 1, maximum: 65_535 };
const port: JsonSchema = { anyOf: [portNumber, form(portName)] };
const objectNameText = form(objectName);
const shortName = form(labelName);
const key = form('[-._a-zA-Z0-9]+');
const commandOf = closed({ command: listOf(text) }, 'command');
const httpGet = open({ path: text, port, host: text, scheme: oneOf('HTTP', 'HTTPS') }, 'port');
const handlers = { httpGet, exec: commandOf, tcpSocket: open({ port }, 'port'), grpc: open({}, 'port') };

const selector = closed({
  matchLabels: labels,
  matchExpressions: listOf(
    closed(
      { key: text, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'), values: listOf(text) },
      'key',
      'operator',
    ),
  ),
});

const peer: JsonSchema = {
  anyOf: [
    closed(
      { ipBlock: closed({ cidr: form(networkPattern), except: listOf(form(networkPattern)) }, 'cidr') },
      'ipBlock',
    ),
    { ...closed({ podSelector: selector, namespaceSelector: selector }), minProperties: 1 },
  ],
};

const ports = listOf(closed({ port, endPort: portNumber, protocol: oneOf('TCP', 'UDP', 'SCTP') }));

const source = { name: objectNameText, optional: { type: 'boolean' } };
const keyOf = closed({ ...source, key }, 'name', 'key');
const variable: JsonSchema = {
  not: { required: ['value', 'valueFrom'] },
  ...closed(
    {
      name: form('[^=]+'),
      value: text,
      valueFrom: {
        ...open({ fieldRef: open({ fieldPath: text }, 'fieldPath'), secretKeyRef: keyOf, configMapKeyRef: keyOf }),
        minProperties: 1,
        maxProperties: 1,
      },
    },
    'name',
  ),
};

/** A volume has a name and one source. */
const volume: JsonSchema = {
  ...open(
    {
      name: shortName,
      secret: closed({ secretName: text, items: listOf(open({})), defaultMode: count, optional: { type: 'boolean' } }),
      configMap: closed({ name: text, items: listOf(open({})), defaultMode: count, optional: { type: 'boolean' } }),
      emptyDir: closed({
        medium: text,
        sizeLimit: { anyOf: [count, form('[0-9]+([.][0-9]+)?([KMGTPE]i|[kMGTPE])?')] },
      }),
      persistentVolumeClaim: closed({ claimName: text, readOnly: { type: 'boolean' } }, 'claimName'),
    },
    'name',
  ),
  maxProperties: 2,
};

const mount = open(
  { name: text, mountPath: form('[^:]+'), subPath: text, readOnly: { type: 'boolean' } },
  'name',
  'mountPath',
);

const container = open(
  {
    name: shortName,
    image: form('\\S+'),
    command: listOf(text),
    args: listOf(text),
    env: listOf(variable),
    volumeMounts: listOf(mount),
    restartPolicy: oneOf('Always', 'Never', 'OnFailure'),
    imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
  },
  'name',
  'image',
);

const toleration: JsonSchema = {
  ...closed({
    key: text,
    operator: oneOf('Equal', 'Exists', 'Lt', 'Gt'),
    value: text,
    effect: oneOf('', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'),
    tolerationSeconds: { type: 'integer' },
  }),
  allOf: [
    { anyOf: [{ required: ['key'] }, { required: ['operator'], properties: { operator: { const: 'Exists' } } }] },
    implies(
      { required: ['operator', 'value'], properties: { operator: { const: 'Exists' } } },
      { properties: { value: { const: '' } } },
    ),
    implies(
      { required: ['tolerationSeconds'] },
      { required: ['effect'], properties: { effect: { const: 'NoExecute' } } },
    ),
  ],
};

const spread = open(
  {
    topologyKey: text,
    maxSkew: positive,
    whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
    labelSelector: selector,
  },
  'topologyKey',
  'maxSkew',
  'whenUnsatisfiable',
);

const seccompProfile = {
  ...closed({ type: oneOf('RuntimeDefault', 'Unconfined', 'Localhost'), localhostProfile: text }, 'type'),
  ...implies({ properties: { type: { const: 'Localhost' } } }, { required: ['localhostProfile'] }),
};
const identity = {
  runAsUser: nullable(count),
  runAsGroup: nullable(count),
  runAsNonRoot: { type: ['boolean', 'null'] },
};

/** A value that `null` removes from the defaults. */
function nullable(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [...[schema.type].flat(), 'null'] as Json };
}

const podContext = closed({
  ...identity,
  seccompProfile,
  fsGroup: nullable(count),
  fsGroupChangePolicy: { enum: ['Always', 'OnRootMismatch', null] },
  supplementalGroups: listOf(count),
  supplementalGroupsPolicy: oneOf('Merge', 'Strict'),
  seLinuxOptions: open({}),
  seLinuxChangePolicy: text,
  appArmorProfile: open({}),
  sysctls: listOf(open({ name: form('[a-z0-9][-_a-z0-9./]*'), value: text }, 'name', 'value')),
  windowsOptions: open({}),
});

const context = closed({
  ...identity,
  seccompProfile,
  allowPrivilegeEscalation: { type: ['boolean', 'null'] },
  privileged: { type: ['boolean', 'null'] },
  readOnlyRootFilesystem: { type: ['boolean', 'null'] },
  capabilities: closed({ add: listOf(text), drop: listOf(text) }),
  procMount: text,
  seLinuxOptions: open({}),
  appArmorProfile: open({}),
  windowsOptions: open({}),
});

const share: JsonSchema = {
  anyOf: [count, { type: 'string', pattern: '^([0-9]|[1-9][0-9]|100)%$' }],
};

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
