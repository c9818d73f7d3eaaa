import { definitions } from './definitions.ts';
import type { Entries, Fields, JsonSchema, Leaf, Section, Value } from './value.ts';

/**
 * Returns the JSON Schema of the values. It is closed, so that an unknown key is an error. Parent charts may set
 * `enabled`, which their condition reads, and keys with `x-`, which hold YAML anchors.
 */
export function schemaOf(fields: Fields): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart graphwarden',
    type: 'object',
    properties: { ...properties(fields), enabled: { description: condition, type: 'boolean' } },
    patternProperties: { '^x-': {} },
    required: needed(fields),
    additionalProperties: false,
    definitions,
  };
}

const condition = 'Condition of a parent chart; the chart itself rejects false.';

function properties(fields: Fields, isListed = false): JsonSchema {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, part(value, isListed)]));
}

function part(value: Value, isListed: boolean): JsonSchema {
  if (value.kind === 'leaf') return { description: value.about, ...value.schema, default: value.defaultValue };
  if (value.kind === 'section') return mapping(value, isListed);
  return { description: value.about, type: 'array', items: item(value), default: value.defaultValue };
}

/** Entries of a list have no defaults. All other values have one, unless they are set to null. */
function mapping({ about: description, fields, isOpen }: Section, isListed: boolean): JsonSchema {
  const required = isListed ? {} : { required: needed(fields) };
  const inner = { properties: properties(fields, isListed), ...required, additionalProperties: isOpen };
  return { description, type: 'object', ...inner };
}

function item({ fields, required }: Entries): JsonSchema {
  return { type: 'object', properties: properties(fields, true), required, additionalProperties: false };
}

/** Returns values that must not be null: Helm treats null as «remove the default», and templates need these defaults. */
function needed(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((name) => isNeeded(fields[name]));
}

function isNeeded(value: Value | undefined): boolean {
  return value?.kind === 'section' || (value?.kind === 'leaf' && isPlain(value));
}

/** Whether a value is a plain value. Parts of Kubernetes objects are optional. */
function isPlain({ schema, example }: Leaf): boolean {
  if (example !== undefined) return false;
  const { type, properties: known } = schema;
  return known !== undefined || (typeof type === 'string' && type !== 'object' && type !== 'array');
}
