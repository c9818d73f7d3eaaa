import type { Entries, Fields, JsonSchema, Section, Value } from './value.ts';

/** The JSON Schema of the values: closed, so that a key that nobody reads is an error. */
export function schemaOf(fields: Fields): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart graphwarden',
    type: 'object',
    properties: properties(fields),
    additionalProperties: false,
  };
}

function properties(fields: Fields): JsonSchema {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, part(value)]));
}

function part(value: Value): JsonSchema {
  if (value.kind === 'leaf') return { description: value.about, ...value.schema, default: value.fallback };
  if (value.kind === 'section') return mapping(value);
  return { description: value.about, type: 'array', items: item(value), default: value.fallback };
}

function mapping({ about, fields, isOpen }: Section): JsonSchema {
  return { description: about, type: 'object', properties: properties(fields), additionalProperties: isOpen };
}

function item({ fields, required }: Entries): JsonSchema {
  return { type: 'object', properties: properties(fields), required, additionalProperties: false };
}
