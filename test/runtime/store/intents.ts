import { intentChange, outcomeChange } from '../../../src/guard/storage/abort-rows.ts';
import type { StoreChange } from '../../../src/kernel/store.ts';
import type { AbortOutcome } from '../../../src/model/guard.ts';
import type { Database } from '../../../src/runtime/store/database.ts';
import { openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';
import { storedAbort } from '../../guard/storage/stored-aborts.ts';

/** Adds the intent on query number `serial`. */
export function intent(serial: number, at = 1000): StoreChange {
  return intentChange(storedAbort(serial, { at }));
}

/** Adds how that ended. */
export function outcome(serial: number, word: AbortOutcome, at = 2000): StoreChange {
  return outcomeChange(storedAbort(serial), { outcome: word, at });
}

/** Adds something that an operator did. */
export function action(uid: string, at = 1000): StoreChange {
  const said = { what: 'pause', actor: 'alice', cluster: '', subject: '', reason: '' };
  return { table: 'guard_actions', put: { uid, at, ...said } };
}

/** A database in memory with these changes. */
export function databaseWith(...changes: readonly StoreChange[]): Database {
  const database = openInMemoryDatabase();
  const [stored] = database.commit([changes]);
  if (stored?.ok === false) throw new Error(stored.error);
  return database;
}

/** The numbers of the queries on which there are intents. */
export function serials(database: Database): readonly number[] {
  return database
    .find({ table: 'guard_intents' })
    .map(({ id }) => Number.parseInt(String(id), 10))
    .toSorted((a, b) => a - b);
}

/** The outcomes by the number of their query. */
export function outcomes(database: Database): Readonly<Record<string, unknown>> {
  const rows = database.find({ table: 'guard_outcomes' });
  return Object.fromEntries(rows.map(({ key, outcome: word }) => [/"(\d+)\./.exec(String(key))?.[1] ?? '', word]));
}

/** A query that is gone, one that may not be, one whose end is not known yet, and an act. */
export function wholeAudit(): Database {
  return databaseWith(intent(1), outcome(1, 'confirmed'), intent(2), outcome(2, 'unknown'), intent(3), action('a'));
}
