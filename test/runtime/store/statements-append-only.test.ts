import { describe, expect, it } from 'vitest';
import type { StoreChange } from '../../../src/kernel/store.ts';
import { tablesOf } from '../../../src/runtime/store/history.ts';
import { openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';
import { isAppendOnly } from '../../../src/runtime/store/statements.ts';
import { action, intent, outcome, serials, wholeAudit } from './intents.ts';

const tables = ['guard_intents', 'guard_outcomes', 'guard_actions'];

describe('tables that are written once', () => {
  it('are those of the audit', () => {
    const written = tablesOf(openInMemoryDatabase()).filter(isAppendOnly);
    expect(written).toEqual(tables.toSorted());
  });

  it.each(tables)('refuse to drop rows of %s', (table) => {
    const database = wholeAudit();
    const before = database.find({ table });
    for (const drop of [{}, { at: 1000 }]) {
      const [dropped] = database.commit([[{ table, drop }]]);
      expect(dropped).toEqual({ ok: false, error: `cannot be stored: rows of ${table} are never deleted` });
    }
    expect(database.find({ table })).toEqual(before);
  });

  it.each<readonly [string, StoreChange]>([
    ['an intent', intent(1, 7777)],
    ['an outcome', outcome(2, 'confirmed')],
    ['an act', action('a', 7777)],
  ])('reject %s under an existing key, with the whole batch', (_, again) => {
    const database = wholeAudit();
    const before = database.find({ table: again.table });
    const [stored] = database.commit([[intent(9), again]]);
    expect(stored).toEqual({ ok: false, error: expect.stringContaining('UNIQUE') });
    expect(database.find({ table: again.table })).toEqual(before);
    expect(serials(database)).toEqual([1, 2, 3]);
  });
});
