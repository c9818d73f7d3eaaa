import { z } from 'zod';
import type { KeyPath } from '../model/problem.ts';

/** JSON Schema, as far as our schemas come to it: what the documents and the hints are printed from. */
export type Shape = z.core.JSONSchema.JSONSchema;

/** What an editor can check of the forms that our fields name in their title. */
const patterns: Readonly<Record<string, string>> = {
  duration: '([0-9]+(\\.[0-9]+)?(ms|s|m|h|d|w))+',
  size: '[0-9]+(\\.[0-9]+)?\\s?([KMGT]i?)?B',
  // Without a user and a password, which belong elsewhere.
  URL: '[A-Za-z]+://[^/@]+(/.*)?',
};

/** Any text may be, or hold, a reference to the environment. */
const reference = '.*\\$\\{.+\\}.*';

/** A schema never changes, and printing that of the whole configuration takes longer than using it. */
const printed = new WeakMap<z.ZodType, Shape>();

/** The JSON Schema of what a user writes, before any conversion. */
export function shapeOf(schema: z.ZodType): Shape {
  const known = printed.get(schema);
  if (known !== undefined) return known;
  const shape = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => complete(zodSchema, jsonSchema),
  });
  printed.set(schema, shape);
  return shape;
}

function complete(schema: z.core.$ZodType, shape: Shape): void {
  // Of a schema that converts, the library drops what might be written after the conversion. Ours is written before.
  const { examples, default: given } = z.globalRegistry.get(schema) ?? {};
  if (Array.isArray(examples)) shape.examples = examples;
  if (given !== undefined) shape.default = given;
  const pattern = patterns[shape.title ?? ''] ?? shape.pattern;
  // A wrapper (optional, with a default) comes by a second time, with what its content was given.
  if (pattern === undefined || pattern.includes(reference)) return;
  shape.pattern = `^(${pattern.replace(/^\^(.*)\$$/, '$1')}|${reference})$`;
}

/** The shape at `path`; undefined where none is known. */
export function shapeAt(shape: Shape, path: KeyPath): Shape | undefined {
  return path.reduce<Shape | undefined>((at, step) => {
    if (typeof step === 'number') return single(at?.items);
    return single(at?.properties?.[step] ?? at?.additionalProperties);
  }, shape);
}

function single(shape: Shape['items']): Shape | undefined {
  return typeof shape === 'object' && !Array.isArray(shape) ? shape : undefined;
}
