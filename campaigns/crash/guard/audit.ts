import { z } from 'zod';
import { migrations } from '../../../src/runtime/store/migrations.ts';
import { openReadOnlyDatabase } from '../../../src/runtime/store/read-only-database.ts';

const row = z.object({
  node: z.string(),
  id: z.string(),
  policy: z.string(),
  at: z.number(),
  outcome: z.string().nullable(),
  ended_at: z.number().nullable(),
});

/** An intent of the audit, with its outcome if it has one. Times are ms since the epoch. */
export type AuditRow = z.infer<typeof row>;

/** Reads the audit rows of a state directory, oldest first. No process may write to the folder during the call. */
export function readAudit(folder: string): readonly AuditRow[] {
  const opened = openReadOnlyDatabase(folder, migrations);
  if (!opened.ok) throw new Error(opened.error);
  const rows = opened.value.find({ table: 'guard_aborts', order: ['at'] });
  opened.value.close();
  return z.array(row).parse(rows);
}
