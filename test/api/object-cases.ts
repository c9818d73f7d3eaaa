import { describe, expect, it } from 'vitest';
import { type ObjectSchema, toJsonSchema } from '../../src/api/fields.ts';
import { changesText } from '../support/case-titles.ts';

type Members = Readonly<Record<string, unknown>>;

const hostileValues: readonly (readonly [about: string, value: unknown])[] = [
  ['a long string', 'x'.repeat(100_000)],
  ['a long array', Array.from({ length: 200_000 }, () => 'x')],
  ['NaN', Number.NaN],
  ['a function', () => 1],
];

/** Returns the example that the schema of an API object declares. */
export function exampleOf(schema: ObjectSchema): Members {
  const { examples = [] } = schema.meta() ?? {};
  const [example] = Array.isArray(examples) ? examples : [];
  return example as Members;
}

/**
 * Tests of an API object: its example is valid, each field has a description, and answers that lack a field, or have a wrong
 * or oversized one, are rejected. `invalid` are changes of the example.
 */
export function describeObject(name: string, schema: ObjectSchema, invalid: readonly Members[]): void {
  describe(name, () => {
    const example = exampleOf(schema);

    it('accepts its example, and ignores unknown fields', () => {
      expect(schema.parse({ ...example, more: true })).toEqual(example);
    });

    it('describes every field', () => {
      const fields = Object.entries(schema.shape);
      expect(
        fields.filter(([, field]) => !/^[A-Z`].*\.$/s.test(toJsonSchema(field).description?.toString() ?? '')),
      ).toEqual([]);
    });

    const { required } = toJsonSchema(schema);

    it.each(Object.keys(schema.shape).filter((field) => Array.isArray(required) && required.includes(field)))(
      'rejects an answer without %s',
      (field) => {
        const { [field]: _, ...rest } = example;
        expect(schema.safeParse(rest).success).toBe(false);
      },
    );

    it.each(Object.keys(schema.shape))('rejects an oversized or hostile %s', (field) => {
      for (const [about, value] of hostileValues)
        expect(schema.safeParse({ ...example, [field]: value }).success, about).toBe(false);
    });

    it.each(invalid.map((change) => [changesText(change, example), change] as const))('rejects %s', (_, change) => {
      expect(schema.safeParse({ ...example, ...change }).success).toBe(false);
    });

    it.each([null, 'text', 7, []])('rejects %j, which is no object', (answer) => {
      expect(schema.safeParse(answer).success).toBe(false);
    });
  });
}
