import type { Store } from '../../kernel/store.ts';
import { LocalStore } from './local-store.ts';
import { databaseInMemory } from './migrate.ts';

/**
 * A store that lives as long as the process, with the tables and the SQL of the one on disk. Where it stands in for a
 * disk that is not to be had, `trouble` says why, and it is not durable; else memory is what was asked for.
 */
export function memoryStore(trouble?: string): Store {
  return new LocalStore(databaseInMemory(), trouble);
}
