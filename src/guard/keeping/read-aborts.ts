import { ok, type Result } from '../../kernel/result.ts';
import type { Condition, Store } from '../../kernel/store.ts';
import type { AbortView } from '../../model/guard.ts';
import { abortOf, abortView } from './abort-rows.ts';
import { tables } from './columns.ts';

/** More than budgets allow in any hour that somebody should want to look at. */
const most = 1000;

/** The intents of a cluster that have no outcome yet, the latest first. Rows that cannot be read are left out. */
export function openAborts(store: Store, cluster: string): Promise<Result<readonly AbortView[], string>> {
  return views(store, cluster, { column: 'outcome', is: '=', value: null });
}

/** Those that ended then or later, ms since the epoch, the latest first. Rows that cannot be read are left out. */
export function recentAborts(
  store: Store,
  cluster: string,
  since: number,
): Promise<Result<readonly AbortView[], string>> {
  return views(store, cluster, { column: 'ended_at', is: '>=', value: since });
}

async function views(store: Store, cluster: string, which: Condition): Promise<Result<readonly AbortView[], string>> {
  const where = [{ column: 'cluster', is: '=', value: cluster } as const, which];
  const rows = await store.find({ table: tables.aborts, where, order: ['-at', 'key'], limit: most });
  return rows.ok ? ok(rows.value.flatMap((row) => abortOf(row) ?? []).map(abortView)) : rows;
}
