import type { Entries, Fields, JsonSchema, Leaf, Section, Value } from './value.ts';

/** The JSON Schema of the values: closed, so that a key that nobody reads is an error. */
export function schemaOf(fields: Fields): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart graphwarden',
    type: 'object',
    properties: properties(fields),
    required: needed(fields),
    additionalProperties: false,
  };
}

function properties(fields: Fields, isListed = false): JsonSchema {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, part(value, isListed)]));
}

function part(value: Value, isListed: boolean): JsonSchema {
  if (value.kind === 'leaf') return { description: value.about, ...value.schema, default: value.fallback };
  if (value.kind === 'section') return mapping(value, isListed);
  return { description: value.about, type: 'array', items: item(value), default: value.fallback };
}

/** What is in a list has no defaults; all else has, unless somebody says null. */
function mapping({ about, fields, isOpen }: Section, isListed: boolean): JsonSchema {
  const required = isListed ? {} : { required: needed(fields) };
  const inner = { properties: properties(fields, isListed), ...required, additionalProperties: isOpen };
  return { description: about, type: 'object', ...inner };
}

function item({ fields, required }: Entries): JsonSchema {
  return { type: 'object', properties: properties(fields, true), required, additionalProperties: false };
}

/** Helm takes null, or a key with nothing below it, for «without a default»; where templates need one, that is an error. */
function needed(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((name) => isNeeded(fields[name]));
}

function isNeeded(value: Value | undefined): boolean {
  return value?.kind === 'section' || (value?.kind === 'leaf' && isPlain(value));
}

/** Parts of Kubernetes objects may be missing, as they may be there. */
function isPlain({ schema }: Leaf): boolean {
  const { type, properties: known } = schema;
  return known !== undefined || (typeof type === 'string' && type !== 'object' && type !== 'array');
}
