import type { Retention, Store } from '../../kernel/store.ts';
import { LocalStore } from './local-store.ts';
import { databaseInMemory } from './migrate.ts';

/** What a store in memory may come to hold. `now` is ms since the epoch, by which history ages. */
export interface MemoryLimits {
  readonly retention: Retention;
  readonly now: () => number;
}

/** The past that memory is given away for. */
const memoryRoom = 64 * 1024 * 1024;

/**
 * A store that lives as long as the process, with the tables and the SQL of the one on disk. Where it stands in for a
 * disk that is not to be had, `trouble` says why, and it is not durable; else memory is what was asked for.
 */
export function memoryStore(trouble?: string, limits?: MemoryLimits): Store {
  const store = new LocalStore(databaseInMemory(), trouble);
  if (limits !== undefined) store.limit(limited(limits.retention), limits.now);
  return store;
}

function limited(retention: Retention): Retention {
  return { ...retention, size: Math.min(retention.size, memoryRoom) };
}
