import type { Store } from '../../kernel/store.ts';
import { LocalStore, type StoreLimits } from './local-store.ts';
import { databaseInMemory } from './migrate.ts';

/** The past that memory is given away for. */
const memoryRoom = 64 * 1024 * 1024;

/**
 * A store that lives as long as the process, with the tables and the SQL of the one on disk. Where it stands in for a
 * disk that is not to be had, `trouble` says why, and it is not durable; else memory is what was asked for.
 */
export function memoryStore(trouble?: string, limits?: StoreLimits): Store {
  return new LocalStore(databaseInMemory(), { trouble, limits: limits && inMemory(limits) });
}

function inMemory({ retention, now }: StoreLimits): StoreLimits {
  return { retention: { ...retention, size: Math.min(retention.size, memoryRoom) }, now };
}
