import { describe, expect, it } from 'vitest';
import type { Change, Retention } from '../../../src/kernel/store.ts';
import type { Database } from '../../../src/runtime/store/database.ts';
import { bytesOf, isHistory, tablesOf, trimHistory } from '../../../src/runtime/store/history.ts';
import { databaseInMemory } from '../../../src/runtime/store/migrate.ts';
import { note, noteTables } from './notes.ts';
import { generous } from './retention.ts';

const now = Date.UTC(2026, 8, 22);

function history(table: string, count: number, at: (place: number) => number): readonly Change[] {
  return Array.from({ length: count }, (_, place) => ({
    table,
    put: { id: `${table} ${place}`, at: at(place), text: 'x'.repeat(500) },
  }));
}

function filled(...batches: readonly (readonly Change[])[]): Database {
  const database = databaseInMemory([noteTables]);
  expect(database.commit(batches).every(({ ok }) => ok)).toBe(true);
  return database;
}

function trimmed(database: Database, retention: Partial<Retention>): number {
  let rounds = 1;
  while (trimHistory(database, { ...generous, ...retention }, now)) rounds += 1;
  return rounds;
}

function ends(database: Database, table: string): { readonly count: number; readonly first: unknown } {
  return { count: database.count({ table }), first: database.find({ table, order: ['at'], limit: 1 })[0]?.at };
}

describe('history', () => {
  it('is of the tables that only grow', () => {
    const database = databaseInMemory();
    expect(tablesOf(database)).toEqual(expect.arrayContaining(['notifications', 'transitions']));
    expect(tablesOf(database).filter(isHistory)).toEqual(['notifications', 'transitions']);
    expect(isHistory('audit')).toBe(true);
  });

  it('goes when it is older than its table keeps, to the millisecond', () => {
    const database = filled(
      history('transitions', 10, (place) => now - place * 100),
      history('notifications', 10, (place) => now - place * 100),
      [note('1', 'stays')],
    );
    expect(trimmed(database, { transitions: 500, notifications: 200 })).toBe(1);
    expect(ends(database, 'transitions')).toEqual({ count: 6, first: now - 500 });
    expect(ends(database, 'notifications')).toEqual({ count: 3, first: now - 200 });
    expect(database.count({ table: 'notes' })).toBe(1);
  });

  it('goes in slices, so that nobody waits long', () => {
    const database = filled(history('transitions', 4500, (place) => now - 10_000 + place));
    expect(trimHistory(database, { ...generous, transitions: 100 }, now)).toBe(true);
    expect(ends(database, 'transitions').count).toBe(2500);
    expect(trimmed(database, { transitions: 100 })).toBe(2);
    expect(ends(database, 'transitions').count).toBe(0);
  });

  it('goes oldest first, of whatever table, while all is too large', () => {
    const database = filled(
      history('transitions', 5000, (place) => now - 5000 + place),
      history('notifications', 5000, (place) => now - 20_000 + place),
    );
    const size = Math.ceil(bytesOf(database) * 0.7);
    trimmed(database, { size });
    expect(bytesOf(database)).toBeLessThanOrEqual(size);
    expect(ends(database, 'transitions').count).toBe(5000);
    expect(ends(database, 'notifications')).toEqual({ count: 1000, first: now - 16_000 });
  });

  it('goes entirely where even that is too large, and then it is left at that', () => {
    const database = filled(
      history('transitions', 100, () => now),
      [note('1', 'stays')],
    );
    trimmed(database, { size: 1 });
    expect(ends(database, 'transitions').count).toBe(0);
    expect(database.count({ table: 'notes' })).toBe(1);
  });

  it('is not looked for where there is none', () => {
    const database = databaseInMemory([noteTables.slice(0, 1)]);
    expect(trimmed(database, { size: 1, transitions: 0 })).toBe(1);
  });
});
