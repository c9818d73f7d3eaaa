import { z } from 'zod';

/** The tables and views of the guard; `aborts` are intents with their outcomes, `audit` is all of it by time. */
export const tables = {
  intents: 'guard_intents',
  outcomes: 'guard_outcomes',
  actions: 'guard_actions',
  standing: 'guard_standing',
  aborts: 'guard_aborts',
  audit: 'guard_audit',
} as const;

/** Milliseconds since the epoch, as far as there are dates for them. */
export const timestamp = z.number().min(-8.64e15).max(8.64e15);

/** Words of people and names that they chose: short, and nothing that steers a terminal. */
export function shortText(most: number) {
  return z
    .string()
    .max(most)
    .regex(/^\P{Cc}*$/u);
}

/** What people typed, as one line of {@link shortText}. */
export function toSingleLine(text: string, most: number): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, most);
}

/** Column of the reason why an abort was withdrawn. */
export const skipReasonColumn = 'doubt';

/** A column that holds JSON of the shape of `schema`. */
export function jsonColumn<T>(schema: z.ZodType<T>) {
  return z.string().transform((text, context): T => {
    const read = schema.safeParse(parseJson(text));
    if (read.success) return read.data;
    context.issues.push({ code: 'custom', message: 'does not have the stored format', input: '' });
    return z.NEVER;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
