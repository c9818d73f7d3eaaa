import { onTestFinished } from 'vitest';
import type { Store } from '../../../src/kernel/store.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import type { PostgresSettings } from '../../../src/runtime/postgres/connection.ts';
import { openPostgresStore } from '../../../src/runtime/postgres/open-postgres.ts';

/** Retention that deletes nothing. */
const retention = { transitions: 1e15, audit: 1e15, notifications: 1e15, size: 2 ** 31 };

/** Opens a store and returns it, or the reason why not. */
export async function attempt(settings: PostgresSettings): Promise<Store | string> {
  const store = await openPostgresStore({ settings, retention, clock: systemClock, program: 'test', maxWait: 0 });
  if (!store.ok) return store.error.message;
  onTestFinished(() => store.value.close());
  return store.value;
}

/** Opens a store. */
export async function opened(settings: PostgresSettings): Promise<Store> {
  const store = await attempt(settings);
  if (typeof store === 'string') throw new Error(store);
  return store;
}
