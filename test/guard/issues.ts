import type { z } from 'zod';

/** What a section has against a value, each with its place. */
export function issuesOf(section: z.ZodType, given: unknown): readonly string[] {
  const read = section.safeParse(given);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}
