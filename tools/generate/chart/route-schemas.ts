import { closed, has, implies, integer, listOf, oneOf, portNumber } from './kubernetes-schemas.ts';
import { type JsonSchema, labelName, objectName } from './value.ts';

/** Parts of an HTTPRoute, as the definitions of the Gateway API describe them. */

const name = { type: 'string', minLength: 1, maxLength: 253 };
const host = { type: 'string', pattern: `^${objectName}$`, maxLength: 253 };
const group = { type: 'string', pattern: `^(${objectName})?$`, maxLength: 253 };
const kind = { type: 'string', pattern: '^[a-zA-Z]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?$' };
const namespace = { type: 'string', pattern: `^${labelName}$` };

/** A Gateway. */
export const parent = closed(
  {
    group,
    kind,
    name,
    namespace,
    port: portNumber,
    sectionName: { type: 'string', pattern: `^${objectName}$`, maxLength: 253 },
  },
  'name',
);

const headers = {
  ...listOf(
    closed(
      {
        name: { type: 'string', pattern: "^[A-Za-z0-9!#$%&'*+\\-.^_`|~]{1,256}$" },
        value: { type: 'string', minLength: 1, maxLength: 4096 },
      },
      'name',
      'value',
    ),
  ),
  maxItems: 16,
};
const headerModifier = closed({
  add: headers,
  set: headers,
  remove: { type: 'array', items: { type: 'string' }, maxItems: 16, uniqueItems: true },
});

const replaced = { type: 'string', maxLength: 1024 };
const path = {
  ...closed(
    { type: oneOf('ReplaceFullPath', 'ReplacePrefixMatch'), replaceFullPath: replaced, replacePrefixMatch: replaced },
    'type',
  ),
  oneOf: [
    { ...has('type', 'ReplaceFullPath'), ...requires('replaceFullPath', 'replacePrefixMatch') },
    { ...has('type', 'ReplacePrefixMatch'), ...requires('replacePrefixMatch', 'replaceFullPath') },
  ],
};

function requires(one: string, other: string): JsonSchema {
  return { required: ['type', one], not: { required: [other] } };
}

const backend = {
  ...closed({ group, kind, name, namespace, port: portNumber }, 'name'),
  anyOf: [
    { required: ['port'] },
    { required: ['group'], properties: { group: { minLength: 1 } } },
    { required: ['kind'], properties: { kind: { not: { const: 'Service' } } } },
  ],
};
const mirror = {
  ...closed(
    {
      backendRef: backend,
      percent: { ...integer, minimum: 0, maximum: 100 },
      fraction: closed({ numerator: { ...integer, minimum: 0 }, denominator: { ...integer, minimum: 1 } }, 'numerator'),
    },
    'backendRef',
  ),
  not: { required: ['percent', 'fraction'] },
};

/** Keys of the filters by their type. `CORS` is in the experimental channel of some versions. */
const filters: Readonly<Record<string, readonly [key: string, schema: JsonSchema]>> = {
  RequestHeaderModifier: ['requestHeaderModifier', headerModifier],
  ResponseHeaderModifier: ['responseHeaderModifier', headerModifier],
  RequestMirror: ['requestMirror', mirror],
  RequestRedirect: [
    'requestRedirect',
    closed({
      hostname: host,
      path,
      port: portNumber,
      scheme: oneOf('http', 'https'),
      statusCode: { enum: [301, 302, 303, 307, 308] },
    }),
  ],
  URLRewrite: ['urlRewrite', closed({ hostname: host, path })],
  ExtensionRef: ['extensionRef', closed({ group, kind, name }, 'group', 'kind', 'name')],
  CORS: ['cors', { type: 'object' }],
};

/** A filter has a type, and the key of this type. */
export const filter: JsonSchema = {
  ...closed({ type: oneOf(...Object.keys(filters)), ...Object.fromEntries(Object.values(filters)) }, 'type'),
  maxProperties: 2,
  allOf: Object.entries(filters).map(([type, [key]]) => implies(has('type', type), { required: [key] })),
};
