import { z } from 'zod';
import type { KeyPath } from '../model/config-problem.ts';

/** JSON Schema from which the reference and the hints are generated. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Patterns for the formats that fields name in their title, for editors. */
const patterns: Readonly<Record<string, string>> = {
  duration: '([0-9]+(\\.[0-9]+)?(ms|s|m|h|d|w))+',
  size: '[0-9]+(\\.[0-9]+)?\\s?([KMGT]i?)?B',
  'size or auto': 'auto|[0-9]+(\\.[0-9]+)?\\s?([KMGT]i?)?B',
  // Without credentials, which have their own keys.
  URL: '[A-Za-z]+://[^/@]+(/.*)?',
};

/** A string may contain a reference to the environment. */
const reference = '.*\\$\\{.+\\}.*';

/** Cache, because converting the schema of the whole configuration takes longer than using it. */
const schemaCache = new WeakMap<z.ZodType, JsonSchema>();

/** Returns the JSON Schema of the input of a schema, before conversion. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const known = schemaCache.get(schema);
  if (known !== undefined) return known;
  const shape = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => completeSchema(zodSchema, jsonSchema),
  });
  schemaCache.set(schema, shape);
  return shape;
}

function completeSchema(schema: z.core.$ZodType, shape: JsonSchema): void {
  // The library drops examples and defaults of schemas that convert, because they may describe the output.
  const { examples, default: given } = z.globalRegistry.get(schema) ?? {};
  if (Array.isArray(examples)) shape.examples = examples;
  if (given !== undefined) shape.default = given;
  const pattern = patterns[shape.title ?? ''] ?? shape.pattern;
  // A wrapper (optional, default) is visited again with the pattern of its content.
  if (pattern === undefined || pattern.includes(reference)) return;
  shape.pattern = `^(${pattern.replace(/^\^(.*)\$$/, '$1')}|${reference})$`;
}

/** Returns the schema at `path`; undefined for an unknown path. */
export function schemaAt(shape: JsonSchema, path: KeyPath): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((at, step) => {
    if (typeof step === 'number') return asObjectSchema(at?.items);
    return asObjectSchema(at?.properties?.[step] ?? at?.additionalProperties);
  }, shape);
}

function asObjectSchema(shape: JsonSchema['items']): JsonSchema | undefined {
  return typeof shape === 'object' && !Array.isArray(shape) ? shape : undefined;
}
