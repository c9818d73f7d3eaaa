import { z } from 'zod';
import { migrations } from '../../src/runtime/store/migrations.ts';
import { openForReading } from '../../src/runtime/store/read-file.ts';

const row = z.object({
  node: z.string(),
  id: z.string(),
  policy: z.string(),
  at: z.number(),
  outcome: z.string().nullable(),
  ended_at: z.number().nullable(),
  doubt: z.string().nullable(),
});

/** An intent of the audit, with its outcome where it has one. Times are ms since the epoch. */
export type Row = z.infer<typeof row>;

/** What the audit in a state folder says, the oldest first; nobody may write to it meanwhile. */
export function booksIn(folder: string): readonly Row[] {
  const opened = openForReading(folder, migrations);
  if (!opened.ok) throw new Error(opened.error);
  const rows = opened.value.find({ table: 'guard_aborts', order: ['at'] });
  opened.value.close();
  return z.array(row).parse(rows);
}
