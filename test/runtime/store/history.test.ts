import { describe, expect, it } from 'vitest';
import type { Retention, StoreChange } from '../../../src/kernel/store.ts';
import type { Database } from '../../../src/runtime/store/database.ts';
import {
  databaseBytes,
  isHistoryTable,
  retainedRows,
  tablesOf,
  trimHistory,
} from '../../../src/runtime/store/history.ts';
import { openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';
import { action, databaseWith, intent, outcome, outcomes, serials } from './intents.ts';
import { note, noteTables } from './notes.ts';
import { generous } from './retention.ts';

const now = Date.UTC(2026, 8, 22);

function history(table: string, count: number, at: (index: number) => number): readonly StoreChange[] {
  return Array.from({ length: count }, (_, index) => ({
    table,
    put: { id: `${table} ${index}`, at: at(index), text: 'x'.repeat(500) },
  }));
}

function filled(...batches: readonly (readonly StoreChange[])[]): Database {
  const database = openInMemoryDatabase([noteTables]);
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
    const database = openInMemoryDatabase();
    expect(tablesOf(database)).toEqual(expect.arrayContaining(['notifications', 'transitions']));
    const grown = ['guard_actions', 'guard_intents', 'guard_outcomes', 'notifications', 'transitions'];
    expect(tablesOf(database).filter(isHistoryTable)).toEqual(grown);
  });

  it('is deleted when it exceeds the retention of its table, to the millisecond', () => {
    const database = filled(
      history('transitions', 10, (index) => now - index * 100),
      history('notifications', 10, (index) => now - index * 100),
      [note('1', 'stays')],
    );
    expect(trimmed(database, { transitions: 500, notifications: 200 })).toBe(1);
    expect(ends(database, 'transitions')).toEqual({ count: 6, first: now - 500 });
    expect(ends(database, 'notifications')).toEqual({ count: 3, first: now - 200 });
    expect(database.count({ table: 'notes' })).toBe(1);
  });

  it('is trimmed in slices, so that other work does not wait long', () => {
    const database = filled(history('transitions', 4500, (index) => now - 10_000 + index));
    expect(trimHistory(database, { ...generous, transitions: 100 }, now)).toBe(true);
    expect(ends(database, 'transitions').count).toBe(2500);
    expect(trimmed(database, { transitions: 100 })).toBe(2);
    expect(ends(database, 'transitions').count).toBe(0);
  });

  it('is trimmed oldest first, across all tables, while the file is too large', () => {
    const database = filled(
      history('transitions', 5000, (index) => now - 5000 + index),
      history('notifications', 5000, (index) => now - 20_000 + index),
    );
    const size = Math.ceil(databaseBytes(database) * 0.7);
    trimmed(database, { size });
    expect(databaseBytes(database)).toBeLessThanOrEqual(size);
    expect(ends(database, 'transitions').count).toBe(5000);
    expect(ends(database, 'notifications')).toEqual({ count: 1000, first: now - 16_000 });
  });

  it('is deleted completely if the file is still too large, without other tables', () => {
    const database = filled(
      history('transitions', 100, () => now),
      [note('1', 'stays')],
    );
    trimmed(database, { size: 1 });
    expect(ends(database, 'transitions').count).toBe(0);
    expect(database.count({ table: 'notes' })).toBe(1);
  });

  it('is not trimmed in a table without history', () => {
    const database = openInMemoryDatabase([noteTables.slice(0, 1)]);
    expect(trimmed(database, { size: 1, transitions: 0 })).toBe(1);
  });
});

describe('the audit', () => {
  const old = now - 1000;
  const words = ['still_running', 'unknown', 'not_aborted', 'refused', 'withdrawn'] as const;
  const excluding = words.flatMap((word, index) => [intent(10 + index, old), outcome(10 + index, word, old)]);

  function audit(): Database {
    const going = [
      [intent(1, old), outcome(1, 'confirmed', now)],
      [intent(2, old), outcome(2, 'finished_first', old)],
      [intent(3, old), outcome(3, 'vanished', old)],
    ];
    const young = [intent(4, now), outcome(4, 'confirmed', now), action('new', now)];
    return databaseWith(...going.flat(), ...young, intent(5, old), ...excluding, action('old', old));
  }

  it('loses expired rows with their outcomes, but never an exclusion of a query that may still run', () => {
    const database = audit();
    expect(trimmed(database, { audit: 500 })).toBe(1);
    expect(serials(database)).toEqual([4, 5, 10, 11, 12, 13, 14]);
    expect(Object.keys(outcomes(database)).map(Number)).toEqual([4, 10, 11, 12, 13, 14]);
    expect(database.find({ table: 'guard_actions' })).toMatchObject([{ uid: 'new' }]);
  });

  it('keeps exclusions when the file is too large, and loses other rows', () => {
    const database = audit();
    database.commit([history('notifications', 10, () => now).map((change) => notification(change))]);
    trimmed(database, { size: 1 });
    expect(serials(database)).toEqual([5, 10, 11, 12, 13, 14]);
    expect([database.count({ table: 'guard_actions' }), database.count({ table: 'notifications' })]).toEqual([0, 0]);
  });

  it('loses an outcome whose intent was never stored', () => {
    const database = databaseWith(outcome(1, 'withdrawn', old), outcome(2, 'withdrawn', now));
    trimmed(database, { audit: 500 });
    expect(outcomes(database)).toEqual({ 2: 'withdrawn' });
  });

  it('has rows that are never trimmed, unlike other tables', () => {
    expect(retainedRows(audit(), 'guard_intents').map(({ id }) => Number.parseInt(String(id), 10))).toEqual([
      5, 10, 11, 12, 13, 14,
    ]);
    expect([retainedRows(audit(), 'guard_actions'), retainedRows(audit(), 'episodes')]).toEqual([[], []]);
  });

  it('is trimmed in slices', () => {
    const many = Array.from({ length: 2100 }, (_, index) => [
      intent(index, old + index),
      outcome(index, 'confirmed', now),
    ]);
    const database = databaseWith(...many.flat(), intent(9999, old - 1));
    expect(trimHistory(database, { ...generous, audit: -5000 }, now)).toBe(true);
    expect(trimmed(database, { audit: -5000 })).toBe(1);
    expect([serials(database), outcomes(database)]).toEqual([[9999], {}]);
  });
});

function notification(change: StoreChange): StoreChange {
  const { id = '', at = 0 } = 'put' in change ? change.put : {};
  return { ...change, put: { id, at, receiver: '', key: '', episode: 1, action: '', result: '' } };
}
