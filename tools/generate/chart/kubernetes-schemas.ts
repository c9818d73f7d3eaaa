import { type Json, type JsonSchema, labelKey, labelName, labelText, objectName, templated } from './value.ts';

/**
 * Parts of Kubernetes objects. The API server would reject a wrong one after Helm has applied other objects. A part has
 * the fields of Kubernetes 1.36, because Helm 4 applies no field that the API server does not know.
 */

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
/** Integer of at least 0. */
export const count: JsonSchema = { type: 'integer', minimum: 0, maximum: 2_147_483_647 };
/** Integer of at least 1. */
export const positive: JsonSchema = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
/** Integer of 32 bits. */
export const integer: JsonSchema = { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647 };

/** Returns the schema of a text that matches a pattern, or of a template. */
export function form(pattern: string, maxLength?: number): JsonSchema {
  return { type: 'string', pattern: `^(${pattern}|${templated})$`, ...(maxLength === undefined ? {} : { maxLength }) };
}

/** Returns the schema without templates, for values that are not rendered. */
export function literal(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll(JSON.stringify(`|${templated}`).slice(1, -1), ''));
}

/** Returns the schema of an enumeration. */
export function oneOf(...words: readonly string[]): JsonSchema {
  return { type: 'string', enum: words };
}

/** Returns the schema of a mapping with these keys only. */
export function closed(properties: Readonly<Record<string, JsonSchema>>, ...required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Returns the schema of a mapping that has exactly one of these keys. */
export function oneKey(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { ...closed(properties), minProperties: 1, maxProperties: 1 };
}

/** Mapping with any keys, whose values are texts. */
export const texts: JsonSchema = { type: 'object', additionalProperties: text };

/** Returns the schema that requires `consequence` of values that meet `condition`. */
export function implies(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  return { anyOf: [{ not: condition }, consequence] };
}

/** Returns the condition that a key has a value. */
export function has(key: string, value: Json): JsonSchema {
  return { required: [key], properties: { [key]: { const: value } } };
}

/** Returns a reference to one of `definitions`, which several values use. */
export function reference(name: string): JsonSchema {
  return { $ref: `#/definitions/${name}` };
}

/** Returns the schema of a list. */
export function listOf(items: JsonSchema, minItems = 0): JsonSchema {
  return { type: 'array', items, minItems };
}

/** Returns a schema that also accepts `null`, which removes a default. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type = [] } = schema;
  return { ...schema, type: Array.isArray(type) ? [...type, 'null'] : [type, 'null'] };
}

const byte = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const ipv4 = `${byte}([.]${byte}){3}`;
const groups = '[0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4})';
const ipv6 = `(${groups}{7}|(${groups}{0,6})?::(${groups}{0,6})?)`;
/** IP address. */
export const address = form(`${ipv4}|${ipv6}`);
/** Network in CIDR notation. */
export const networkPattern = `${ipv4}/(3[0-2]|[12]?[0-9])|${ipv6}/(12[0-8]|1[01][0-9]|[1-9]?[0-9])`;

export const portNumber: JsonSchema = { type: 'integer', minimum: 1, maximum: 65_535 };
/** Name of a port: it contains a letter, and no two consecutive dashes. */
export const portNameText: JsonSchema = {
  type: 'string',
  pattern: '^([a-z0-9]+-)*[a-z0-9]*[a-z][a-z0-9]*(-[a-z0-9]+)*$',
  maxLength: 15,
};
/** The number or the name of a port. */
export const port: JsonSchema = { anyOf: [portNumber, portNameText] };
/** The name of an object. */
export const objectNameText = form(objectName, 253);
export const shortName = form(labelName);
/** The key of an entry of a Secret or a ConfigMap. */
export const key = form('[-._a-zA-Z0-9]+', 253);
/** The name of a label. */
const labelKeyText = form(labelKey, 317);

/** Labels, whose texts may have templates. */
export const labels: JsonSchema = {
  type: 'object',
  patternProperties: { [`^(${labelKey}|${templated})$`]: form(labelText) },
  additionalProperties: false,
};

/** A selector of labels. */
export const selector = closed({
  matchLabels: labels,
  matchExpressions: listOf({
    ...closed(
      {
        key: labelKeyText,
        operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist'),
        values: listOf(form(labelText)),
      },
      'key',
      'operator',
    ),
    ...implies(
      { properties: { operator: { enum: ['In', 'NotIn'] } } },
      { required: ['values'], properties: { values: { minItems: 1 } } },
    ),
    allOf: [
      implies(
        { properties: { operator: { enum: ['Exists', 'DoesNotExist'] } } },
        { properties: { values: { maxItems: 0 } } },
      ),
    ],
  }),
});

/** The other end of a connection: networks or pods. */
export const peer: JsonSchema = {
  anyOf: [
    closed(
      { ipBlock: closed({ cidr: form(networkPattern), except: listOf(form(networkPattern)) }, 'cidr') },
      'ipBlock',
    ),
    { ...closed({ podSelector: reference('selector'), namespaceSelector: reference('selector') }), minProperties: 1 },
  ],
};

/** Ports of a rule. */
export const ports = listOf({
  ...closed({ port, endPort: portNumber, protocol: oneOf('TCP', 'UDP', 'SCTP') }),
  ...implies({ required: ['endPort'] }, { required: ['port'], properties: { port: { type: 'integer' } } }),
});

/** A toleration. */
export const toleration: JsonSchema = {
  ...closed({
    key: { anyOf: [{ const: '' }, labelKeyText] },
    operator: oneOf('Equal', 'Exists', 'Lt', 'Gt'),
    value: form(labelText),
    effect: oneOf('', 'NoSchedule', 'PreferNoSchedule', 'NoExecute'),
    tolerationSeconds: { type: 'integer' },
  }),
  allOf: [
    { anyOf: [{ required: ['key'], properties: { key: { minLength: 1 } } }, has('operator', 'Exists')] },
    implies(
      { required: ['operator', 'value'], properties: { operator: { const: 'Exists' } } },
      { properties: { value: { const: '' } } },
    ),
    implies({ required: ['tolerationSeconds'] }, has('effect', 'NoExecute')),
  ],
};

/** A topology spread constraint. */
export const spread = {
  ...closed(
    {
      topologyKey: labelKeyText,
      maxSkew: positive,
      minDomains: positive,
      whenUnsatisfiable: oneOf('DoNotSchedule', 'ScheduleAnyway'),
      labelSelector: reference('selector'),
      matchLabelKeys: listOf(labelKeyText),
      nodeAffinityPolicy: oneOf('Honor', 'Ignore'),
      nodeTaintsPolicy: oneOf('Honor', 'Ignore'),
    },
    'topologyKey',
    'maxSkew',
    'whenUnsatisfiable',
  ),
  allOf: [
    implies({ required: ['minDomains'] }, has('whenUnsatisfiable', 'DoNotSchedule')),
    implies({ required: ['matchLabelKeys'] }, { required: ['labelSelector'] }),
  ],
};

const weight = { type: 'integer', minimum: 1, maximum: 100 };
/** Terms of an affinity to pods. */
const podTerm = {
  ...closed(
    {
      topologyKey: labelKeyText,
      labelSelector: reference('selector'),
      namespaceSelector: reference('selector'),
      namespaces: listOf(shortName),
      matchLabelKeys: listOf(labelKeyText),
      mismatchLabelKeys: listOf(labelKeyText),
    },
    'topologyKey',
  ),
  ...implies(
    { anyOf: [{ required: ['matchLabelKeys'] }, { required: ['mismatchLabelKeys'] }] },
    { required: ['labelSelector'] },
  ),
};
export const podTerms = closed({
  requiredDuringSchedulingIgnoredDuringExecution: listOf(podTerm),
  preferredDuringSchedulingIgnoredDuringExecution: listOf(
    closed({ weight, podAffinityTerm: podTerm }, 'weight', 'podAffinityTerm'),
  ),
});

const requirement = {
  ...closed(
    { key: labelKeyText, operator: oneOf('In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'), values: listOf(text) },
    'key',
    'operator',
  ),
  allOf: [
    implies(
      { properties: { operator: { enum: ['In', 'NotIn'] } } },
      { required: ['values'], properties: { values: { minItems: 1 } } },
    ),
    implies(
      { properties: { operator: { enum: ['Exists', 'DoesNotExist'] } } },
      { properties: { values: { maxItems: 0 } } },
    ),
    implies(
      { properties: { operator: { enum: ['Gt', 'Lt'] } } },
      { required: ['values'], properties: { values: { minItems: 1, maxItems: 1 } } },
    ),
  ],
};
const fieldRequirement = closed(
  {
    key: { const: 'metadata.name' },
    operator: oneOf('In', 'NotIn'),
    values: { ...listOf(objectNameText, 1), maxItems: 1 },
  },
  'key',
  'operator',
  'values',
);
export const nodeTerm = closed({ matchExpressions: listOf(requirement), matchFields: listOf(fieldRequirement) });

/** The affinity of a pod. */
export const affinity = closed({
  nodeAffinity: closed({
    requiredDuringSchedulingIgnoredDuringExecution: closed(
      { nodeSelectorTerms: listOf(reference('nodeTerm'), 1) },
      'nodeSelectorTerms',
    ),
    preferredDuringSchedulingIgnoredDuringExecution: listOf(
      closed({ weight, preference: reference('nodeTerm') }, 'weight', 'preference'),
    ),
  }),
  podAffinity: reference('podTerms'),
  podAntiAffinity: reference('podTerms'),
});

/** A number of pods, or a share of them. */
export const share: JsonSchema = {
  anyOf: [count, { type: 'string', pattern: '^([0-9]|[1-9][0-9]|100)%$' }],
};
