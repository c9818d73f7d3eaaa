import { z } from 'zod';
import { readPattern, type Subject } from './pattern.ts';
import type { Pattern, Patterns } from './policy.ts';

/** A pattern, or a list of them of which one has to match: texts in, patterns out. */
export function patternsField(subject: Subject) {
  return z
    .union([z.string(), z.array(z.string()).min(1)], { error: 'is no text and no list of texts' })
    .transform((given, context): Patterns => {
      const texts = typeof given === 'string' ? [given] : given;
      return texts.flatMap((text, at): readonly Pattern[] => {
        const pattern = readPattern(text, subject);
        if (pattern.ok) return [pattern.value];
        const path = typeof given === 'string' ? [] : [at];
        context.issues.push({ code: 'custom', message: pattern.error, path, input: '' });
        return [];
      });
    });
}
