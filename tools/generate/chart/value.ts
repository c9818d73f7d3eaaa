/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON Schema, or a part of one. */
export type JsonSchema = Readonly<Record<string, Json>>;

/** One value of the chart: its meaning, its type and its default. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly about: string;
  /** Name of the type in the table of the README. */
  readonly type: string;
  readonly schema: JsonSchema;
  readonly defaultValue: Json;
  /** A value that the schema accepts; without one, tests make it from the schema. */
  readonly example?: Json;
}

/** A group of values. */
export interface Section {
  readonly kind: 'section';
  readonly about: string;
  readonly fields: Fields;
  /** Whether unknown keys are allowed, because other charts use the same section. */
  readonly isOpen: boolean;
}

/** A list of mappings with the same keys. */
export interface Entries {
  readonly kind: 'entries';
  readonly about: string;
  readonly fields: Fields;
  readonly required: readonly string[];
  readonly defaultValue: readonly Json[];
}

/** A value of the chart, or a group of values. */
export type Value = Leaf | Section | Entries;

/** Values by name, in the order in which they are printed. */
export type Fields = Readonly<Record<string, Value>>;

/** Returns a text value; `''` means that it is not set. */
export function stringValue(about: string, defaultValue = ''): Leaf {
  return { kind: 'leaf', about, type: 'text', schema: { type: 'string' }, defaultValue };
}

/** Name of a namespace, a Service or a container: a DNS label. */
export const labelName = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
/** Name of an object in Kubernetes: a DNS subdomain. */
export const objectName = '[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
/** Schema of such a name. */
export const nameSchema: JsonSchema = { type: 'string', pattern: `^${objectName}$`, maxLength: 253 };
/** Host name; the first label can be `*`. The last one has a letter, unlike that of an address. */
const hostName = `([*][.])?(${labelName}[.])*([0-9][-0-9]*)?[a-z]([-a-z0-9]*[a-z0-9])?`;
/** Name of a label or an annotation. */
export const labelKey = `(${objectName}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?`;
/** Text of a label. */
export const labelText = '([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?';
const textKey = '[-._a-zA-Z0-9]+';
/** Kinds of amounts that a container can request. */
export const resourceName = `(cpu|memory|ephemeral-storage|hugepages-[A-Za-z0-9]+|${objectName}/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)`;
/** A text with a template. */
export const templated = '.*[{][{].*[}][}].*';

/** Returns a text value of one form; `''` means that it is not set. */
export function patternValue(about: string, pattern: string, defaultValue = '', maxLength?: number): Leaf {
  const length = maxLength === undefined ? {} : { maxLength };
  const schema = { type: 'string', pattern: `^(${pattern})?$`, ...length };
  return { kind: 'leaf', about, type: 'text', schema, defaultValue };
}

/** Returns a text value of one form that cannot be empty. */
export function requiredValue(about: string, pattern: string, defaultValue: string): Leaf {
  return { ...stringValue(about, defaultValue), schema: { type: 'string', pattern: `^(${pattern})$` } };
}

/** Returns a value for a key of a Secret or a ConfigMap; `''` means that it is not set. */
export function keyValue(about: string, defaultValue = ''): Leaf {
  return patternValue(about, textKey, defaultValue, 253);
}

/** Returns a value for a key of a Secret or a ConfigMap that is always read, so it cannot be empty. */
export function requiredKey(about: string, defaultValue: string): Leaf {
  return requiredValue(about, textKey, defaultValue);
}

/** Returns a value for the name of a namespace or a Service; `''` means that it is not set. */
export function labelNameValue(about: string, defaultValue = ''): Leaf {
  return patternValue(about, labelName, defaultValue);
}

/** Returns a value for the address to listen on: an address, or a variable that has it. */
export function listenValue(about: string, defaultValue: string): Leaf {
  const ipv6 = '[0-9A-Fa-f]{0,4}(:[0-9A-Fa-f]{0,4}){2,7}([.][0-9]+){0,3}';
  const variable = '[$][{][A-Za-z_][A-Za-z0-9_]*[}]';
  return requiredValue(
    about,
    `localhost|[0-9]+([.][0-9]+){3}|${ipv6}|\\[${ipv6}\\]|${variable}|\\[${variable}\\]`,
    defaultValue,
  );
}

/** Returns a value for the name of a label. */
export function labelKeyValue(about: string, defaultValue: string): Leaf {
  return patternValue(about, labelKey, defaultValue, 317);
}

/** Returns a value for the text of a label. */
export function labelTextValue(about: string, defaultValue: string): Leaf {
  return patternValue(about, labelText, defaultValue);
}

/** Returns a value for the name of an object in Kubernetes; `''` means that it is not set. */
export function nameValue(about: string, defaultValue = ''): Leaf {
  return patternValue(about, objectName, defaultValue, 253);
}

/** Returns a boolean value. */
export function booleanValue(about: string, defaultValue: boolean): Leaf {
  return { kind: 'leaf', about, type: 'true, false', schema: { type: 'boolean' }, defaultValue };
}

/** Returns a boolean value that is not set by default. */
export function optionalBoolean(about: string): Leaf {
  return { kind: 'leaf', about, type: 'true, false', schema: { type: ['boolean', 'null'] }, defaultValue: null };
}

/** Returns an integer value. */
export function integerValue(about: string, defaultValue: number, minimum = 0): Leaf {
  return {
    kind: 'leaf',
    about,
    type: 'integer',
    schema: { type: 'integer', minimum, maximum: 2_147_483_647 },
    defaultValue,
  };
}

/** Returns a number value. */
export function numberValue(about: string, defaultValue: number): Leaf {
  return { kind: 'leaf', about, type: 'number', schema: { type: 'number', minimum: 0 }, defaultValue };
}

/** Returns a value for a TCP port. */
export function portValue(about: string, defaultValue: number): Leaf {
  return { kind: 'leaf', about, type: 'port', schema: { type: 'integer', minimum: 1, maximum: 65535 }, defaultValue };
}

/** Returns a value with a fixed set of texts. The first one is the default. */
export function enumValue(about: string, among: readonly [string, ...string[]]): Leaf {
  return {
    kind: 'leaf',
    about,
    type: among.join(', '),
    schema: { type: 'string', enum: among },
    defaultValue: among[0],
  };
}

/** Returns a value with a fixed set of texts that is not set by default. */
export function optionalEnum(about: string, among: readonly string[]): Leaf {
  return {
    kind: 'leaf',
    about,
    type: among.join(', '),
    schema: { type: 'string', enum: ['', ...among] },
    defaultValue: '',
  };
}

/** Returns a mapping of labels, as Kubernetes accepts them. */
export function labelMap(about: string, defaultValue: Readonly<Record<string, string>> = {}): Leaf {
  const value = { type: 'string', pattern: `^${labelText}$` };
  const schema = {
    type: 'object',
    patternProperties: { [`^${labelKey}$`]: value },
    additionalProperties: false,
  };
  return { kind: 'leaf', about, type: 'mapping of text', schema, defaultValue };
}

/** Returns a mapping of texts whose names are those of annotations, or have another form. */
export function stringMap(
  about: string,
  defaultValue: Readonly<Record<string, string>> = {},
  keyPattern = labelKey,
): Leaf {
  const schema = {
    type: 'object',
    patternProperties: { [`^${keyPattern}$`]: { type: 'string' } },
    additionalProperties: false,
  };
  return { kind: 'leaf', about, type: 'mapping of text', schema, defaultValue };
}

/** Returns a list of texts. */
export function stringList(about: string, defaultValue: readonly string[] = []): Leaf {
  return {
    kind: 'leaf',
    about,
    type: 'list of text',
    schema: { type: 'array', items: { type: 'string' } },
    defaultValue,
  };
}

/** Returns a list of different texts from a fixed set. */
export function enumList(about: string, among: readonly string[], defaultValue: readonly string[] = []): Leaf {
  const schema = { type: 'array', items: { type: 'string', enum: among }, uniqueItems: true };
  return { kind: 'leaf', about, type: `list of ${among.join(', ')}`, schema, defaultValue };
}

/** Returns a list of different names of objects in Kubernetes. */
export function nameList(about: string): Leaf {
  const schema = { type: 'array', items: nameSchema, uniqueItems: true };
  return { kind: 'leaf', about, type: 'list of text', schema, defaultValue: [] };
}

/** Returns a list of host names, without scheme, port or path; templates in them are rendered. */
export function hostList(about: string, defaultValue: readonly string[] = []): Leaf {
  const items = { type: 'string', pattern: `^(${hostName}|${templated})$`, maxLength: 253 };
  return {
    kind: 'leaf',
    about,
    type: 'list of text',
    schema: { type: 'array', items, uniqueItems: true },
    defaultValue,
  };
}

/** Returns a value for the resources of a container; the templates check the quantities. */
export function resourcesValue(about: string, defaultValue: Readonly<Record<string, Json>>): Leaf {
  const amounts = {
    type: 'object',
    patternProperties: { [`^${resourceName}$`]: { type: ['string', 'number'] } },
    additionalProperties: false,
  };
  const schema = {
    type: 'object',
    patternProperties: { '^(requests|limits)$': amounts },
    additionalProperties: false,
  };
  return { kind: 'leaf', about, type: 'mapping', schema, defaultValue };
}

/** Returns a value for a part of a Kubernetes object, which is passed through. */
export function objectValue(about: string, defaultValue: Readonly<Record<string, Json>> = {}): Leaf {
  return { kind: 'leaf', about, type: 'mapping', schema: { type: 'object' }, defaultValue };
}

/** Returns a list of parts of Kubernetes objects, which are passed through. */
export function objectList(about: string, defaultValue: readonly Json[] = []): Leaf {
  const schema = { type: 'array', items: { type: 'object' } };
  return { kind: 'leaf', about, type: 'list of mappings', schema, defaultValue };
}

/** Returns a group of values. */
export function section(about: string, fields: Fields): Section {
  return { kind: 'section', about, fields, isOpen: false };
}

/** Returns a list of mappings. */
export function entries(
  about: string,
  required: readonly string[],
  defaultValue: readonly Json[],
  fields: Fields,
): Entries {
  return { kind: 'entries', about, required, defaultValue, fields };
}
