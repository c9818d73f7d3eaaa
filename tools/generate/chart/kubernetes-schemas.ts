import { type Json, type JsonSchema, labelName, objectName, templated } from './value.ts';

/** Parts of Kubernetes objects. The API server would reject a wrong one after Helm has applied other objects. */

export const text: JsonSchema = { type: 'string' };
/** A number from 0 on. */
export const count: JsonSchema = { type: 'integer', minimum: 0, maximum: 2_147_483_647 };
/** A number from 1 on. */
export const positive: JsonSchema = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
/** Labels, whose texts may have templates. */
const labels: JsonSchema = {
  type: 'object',
  additionalProperties: form('([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?'),
};

/** A text of one form, or a template. */
function form(pattern: string): JsonSchema {
  return { type: 'string', pattern: `^(${pattern}|${templated})$` };
}

/** One of some words. */
export function oneOf(...words: readonly string[]): JsonSchema {
  return { type: 'string', enum: words };
}

/** A mapping with these keys only. */
export function closed(properties: Readonly<Record<string, JsonSchema>>, ...required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The same for parts to which new versions of Kubernetes add fields. */
export function open(properties: Readonly<Record<string, JsonSchema>>, ...required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required };
}

function implies(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { anyOf: [{ not: condition }, consequence] };
}

/** A list of parts. */
export function listOf(items: JsonSchema, minItems = 0): JsonSchema {
  return { type: 'array', items, minItems };
}

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ipv4 = `${byte}([.]${byte}){3}`;
const ipv6 = '[0-9A-Fa-f]{0,4}(:[0-9A-Fa-f]{0,4}){2,7}';
/** An address. */
export const address = form(`${ipv4}|${ipv6}`);
/** A network: an address and the length of its prefix. */
export const networkPattern = `${ipv4}/(3[0-2]|[12]?[0-9])|${ipv6}/(12[0-8]|1[01][0-9]|[1-9]?[0-9])`;

const portName = '[a-z0-9]([-a-z0-9]{0,13}[a-z0-9])?';
const portNumber: JsonSchema = { type: 'integer', minimum: 1, maximum: 65_535 };
const port: JsonSchema = { anyOf: [portNumber, form(portName)] };
/** The name of an object. */
export const objectNameText = form(objectName);
const shortName = form(labelName);
/** key */
const key = form('[-._a-zA-Z0-9]+');
/** A command without a shell. */
export const commandOf = closed({ command: listOf(text) }, 'command');
/** A request. */
export const httpGet = open({ path: text, port, host: text, scheme: oneOf('HTTP', 'HTTPS') }, 'port');
/** What a probe can do, one of them. */
export const handlers = { httpGet, exec: commandOf, tcpSocket: open({ port }, 'port'), grpc: open({}, 'port') };

/** A selector of labels. */
export const selector = closed({
  matchLabels: labels,
  matchExpressions: listOf(
    closed(
      { key: text, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'), values: listOf(text) },
      'key',
      'operator',
    ),
  ),
});

/** The other end of a connection: networks or pods. */
export const peer: JsonSchema = {
  anyOf: [
    closed(
      { ipBlock: closed({ cidr: form(networkPattern), except: listOf(form(networkPattern)) }, 'cidr') },
      'ipBlock',
    ),
    { ...closed({ podSelector: selector, namespaceSelector: selector }), minProperties: 1 },
  ],
};

/** Ports of a rule. */
export const ports = listOf(closed({ port, endPort: portNumber, protocol: oneOf('TCP', 'UDP', 'SCTP') }));

/** A reference to a Secret or a ConfigMap. */
export const source = { name: objectNameText, optional: { type: 'boolean' } };
const keyOf = closed({ ...source, key }, 'name', 'key');
/** An environment variable. */
export const variable: JsonSchema = {
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
export const volume: JsonSchema = {
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

/** A volume mount. */
export const mount = open(
  { name: text, mountPath: form('[^:]+'), subPath: text, readOnly: { type: 'boolean' } },
  'name',
  'mountPath',
);

/** A container. */
export const container = open(
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

/** A toleration. */
export const toleration: JsonSchema = {
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

/** A topology spread constraint. */
export const spread = open(
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
export function nullable(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [...[schema.type].flat(), 'null'] as Json };
}

/** The security context of a pod. */
export const podContext = closed({
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

/** The security context of a container. */
export const context = closed({
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

/** A number of pods, or a share of them. */
export const share: JsonSchema = {
  anyOf: [count, { type: 'string', pattern: '^([0-9]|[1-9][0-9]|100)%$' }],
};
