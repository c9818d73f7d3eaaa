import { z } from 'zod';
import { parseJson } from '../../kernel/json.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';

/** Tables and views of the guard. `aborts` joins intents with their outcomes; `audit` has all entries by time. */
export const tables = {
  intents: 'guard_intents',
  outcomes: 'guard_outcomes',
  actions: 'guard_actions',
  standing: 'guard_standing',
  aborts: 'guard_aborts',
  audit: 'guard_audit',
} as const;

/** Milliseconds since the epoch, within the range of a date. */
export const timestamp = z.number().min(-8.64e15).max(8.64e15);

/** Creates a field for a short text without control characters, such as a reason or a name. */
export function shortText(most: number) {
  return z
    .string()
    .max(most)
    .regex(/^\P{Cc}*$/u);
}

/** Returns entered text as one line that {@link shortText} accepts. */
export function toSingleLine(text: string, most: number): string {
  return replaceControlCharacters(text).slice(0, most);
}

/** Column of the reason why an intent was withdrawn, or its request not sent. */
export const skipReasonColumn = 'doubt';

/** Creates a field for a column with JSON that `schema` describes. */
export function jsonColumn<T>(schema: z.ZodType<T>) {
  return z.string().transform((text, context): T => {
    const read = schema.safeParse(parseJson(text));
    if (read.success) return read.data;
    context.issues.push({ code: 'custom', message: 'does not have the stored format', input: '' });
    return z.NEVER;
  });
}
