import type { Store } from '../../kernel/store.ts';
import type { Lane } from './lane.ts';
import { type Standing, storedOf, tables } from './rows.ts';

/** What is kept of each receiver. */
export type Kept = Map<string, KeptReceiver>;

interface KeptReceiver {
  readonly lanes: Lane[];
  standing?: Standing;
}

/** What was owed when the last process ended. A row that cannot be understood owes nothing; a store that cannot be read was complained about where it was opened. */
export async function restoreOutbox(store: Store): Promise<Kept> {
  const found = await store.find({ table: tables.lanes, order: ['receiver', 'key'] });
  const kept: Kept = new Map();
  for (const row of found.ok ? found.value : []) {
    const stored = storedOf(row);
    if (stored === undefined) continue;
    const known = kept.get(stored.receiver) ?? { lanes: [] };
    if (stored.kind === 'standing') known.standing = stored.standing;
    else known.lanes.push(stored.lane);
    kept.set(stored.receiver, known);
  }
  return kept;
}
