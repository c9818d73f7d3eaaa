import { describe, expect, it } from 'vitest';
import { skipReasonColumn } from '../../../src/guard/storage/columns.ts';
import { type AbortOutcome, abortOutcomes, queryEndedOutcomes } from '../../../src/model/guard.ts';
import { action, databaseWith, intent, outcome, outcomes, serials, wholeAudit } from './intents.ts';

/** Whether an intent with this outcome excludes no query. */
function isRemovable(word: AbortOutcome): boolean {
  return word === 'not_sent' || queryEndedOutcomes.includes(word);
}

describe('the tables of the audit', () => {
  it.each(['guard_intents', 'guard_outcomes', 'guard_actions'])('refuse an update of %s', (table) => {
    const database = wholeAudit();
    const before = database.find({ table });
    expect(() => database.run(`UPDATE ${table} SET at = 0`)).toThrow(`rows of ${table} are never changed`);
    expect(database.find({ table })).toEqual(before);
  });
});

describe('a manual deletion', () => {
  it.each([undefined, ...abortOutcomes])(
    'of an intent with the outcome %s is allowed only if its query ended',
    (word) => {
      const database = databaseWith(intent(1), ...(word === undefined ? [] : [outcome(1, word)]));
      const remove = () => database.run('DELETE FROM guard_intents');
      if (word !== undefined && isRemovable(word)) remove();
      else expect(remove).toThrow('may still run');
      const isGone = word !== undefined && isRemovable(word);
      expect(serials(database)).toEqual(isGone ? [] : [1]);
      expect(Object.keys(outcomes(database))).toHaveLength(isGone || word === undefined ? 0 : 1);
    },
  );

  it('leaves no intent without its outcome', () => {
    const database = wholeAudit();
    expect(() => database.run('DELETE FROM guard_outcomes')).toThrow('belongs to an intent');
    expect(outcomes(database)).toEqual({ 1: 'confirmed', 2: 'unknown' });
  });
});

describe('the view of aborts', () => {
  it.each([undefined, ...abortOutcomes])('shows whether an abort with the outcome %s excludes its query', (word) => {
    const database = databaseWith(intent(1), ...(word === undefined ? [] : [outcome(1, word)]));
    const [row] = database.find({ table: 'guard_aborts' });
    const bars = word === undefined || !isRemovable(word);
    expect(row).toMatchObject({ outcome: word ?? null, bars: bars ? 1 : 0, at: 1000 });
  });

  it.each([
    ['too_old', 0],
    ['paused', 1],
  ])('shows whether a withdrawn abort excludes its query: %s', (reason, bars) => {
    const withdrawn = outcome(1, 'withdrawn');
    const put = { ...('put' in withdrawn ? withdrawn.put : {}), [skipReasonColumn]: reason };
    const database = databaseWith(intent(1), { table: withdrawn.table, put });
    expect(database.find({ table: 'guard_aborts' })).toMatchObject([{ bars }]);
  });

  it('treats an unknown outcome as no outcome', () => {
    const odd = { ...outcome(1, 'confirmed') };
    const put = { ...('put' in odd ? odd.put : {}), outcome: 'exploded' };
    expect(databaseWith(intent(1), { table: odd.table, put }).find({ table: 'guard_aborts' })).toMatchObject([
      { bars: 1 },
    ]);
  });
});

describe('the view of the audit', () => {
  it('has aborts and operator actions, by time', () => {
    const database = databaseWith(intent(1, 100), outcome(1, 'refused', 300), action('a', 200), intent(2, 50));
    const rows = database.find({ table: 'guard_audit', order: ['-at'] });
    expect(rows.map(({ kind, at, outcome: word }) => [kind, at, word])).toEqual([
      ['action', 200, null],
      ['abort', 100, 'refused'],
      ['abort', 50, null],
    ]);
  });
});
