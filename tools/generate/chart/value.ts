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

/** Name of an object in Kubernetes: a DNS subdomain. */
export const objectName = '[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
/** Host name; the first label can be `*`. */
const hostName = `([*][.])?${objectName}`;
const templated = '.*[{][{].*[}][}].*';

/** Returns a text value of one form; `''` means that it is not set. */
export function patternValue(about: string, pattern: string, defaultValue = ''): Leaf {
  const schema = { type: 'string', pattern: `^(${pattern})?$` };
  return { kind: 'leaf', about, type: 'text', schema, defaultValue };
}

/** Returns a value for the name of an object in Kubernetes; `''` means that it is not set. */
export function nameValue(about: string, defaultValue = ''): Leaf {
  return patternValue(about, objectName, defaultValue);
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
  return { kind: 'leaf', about, type: 'integer', schema: { type: 'integer', minimum }, defaultValue };
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
  const value = { type: 'string', maxLength: 63, pattern: '^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$' };
  const key = `^(${objectName}/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`;
  const schema = { type: 'object', patternProperties: { [key]: value }, additionalProperties: false };
  return { kind: 'leaf', about, type: 'mapping of text', schema, defaultValue };
}

/** Returns a mapping of texts, such as annotations. */
export function stringMap(about: string, defaultValue: Readonly<Record<string, string>> = {}): Leaf {
  const schema = { type: 'object', additionalProperties: { type: 'string' } };
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
  const schema = { type: 'array', items: { type: 'string', pattern: `^${objectName}$` }, uniqueItems: true };
  return { kind: 'leaf', about, type: 'list of text', schema, defaultValue: [] };
}

/** Returns a list of host names, without scheme, port or path; templates in them are rendered. */
export function hostList(about: string, defaultValue: readonly string[] = []): Leaf {
  const items = { type: 'string', pattern: `^(${hostName}|${templated})$` };
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
  const amounts = { type: 'object', additionalProperties: { type: ['string', 'number'] } };
  const claims = { type: 'array', items: { type: 'object' } };
  const schema = {
    type: 'object',
    patternProperties: { '^(requests|limits)$': amounts, '^claims$': claims },
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
