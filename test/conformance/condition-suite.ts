import { expect, it } from 'vitest';
import { z } from 'zod';
import type { PolicyCondition } from '../../src/guard/conditions/condition.ts';

const describedSchema = z.object({ examples: z.array(z.unknown()).min(1) });

/** Example values of a condition, as the documents show them: its own, or those of the kind of value. */
function examplesOf({ field }: PolicyCondition): readonly unknown[] {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  return describedSchema.parse({ ...z.globalRegistry.get(inner), ...z.globalRegistry.get(field) }).examples;
}

/** Tests that every policy condition must pass. */
export function conditionSuite(condition: PolicyCondition): void {
  it('has a key in snake_case and a description that ends with a period', () => {
    expect(condition.name).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(condition.field.description).toMatch(/\.$/);
  });

  it('is optional and rejects values of a wrong type', () => {
    expect(condition.field.parse(undefined)).toBeUndefined();
    for (const value of [42, true, null, [42]]) expect(condition.field.safeParse(value).success).toBe(false);
  });

  it('accepts its examples, states them in words and compiles either a test or a timing', () => {
    for (const example of examplesOf(condition)) {
      const value = condition.field.parse(example);
      expect(condition.phrases(value).join()).toMatch(/\w/);
      const compiled = [condition.test?.(value), condition.timing?.(value)].filter((one) => one !== undefined);
      expect(compiled).toEqual([expect.any(Function)]);
    }
  });
}
