import { describe, expect, it } from 'vitest';
import { matches, readMatcher } from '../../../src/alert/matcher.ts';
import { migrate, migrations, openInMemoryDatabase } from '../../../src/runtime/store/migrations.ts';
import { matcherLists } from '../../../src/runtime/store/silence-matchers.ts';

const silence = { starts_at: 1, ends_at: 2, author: 'alice', reason: 'upgrade' };

/** Returns the silences of a database of version 1 after its migration. */
function migrated(...stored: readonly (readonly [id: string, match: string])[]) {
  const database = openInMemoryDatabase(migrations.slice(0, 1));
  for (const [id, match] of stored) database.apply({ table: 'silences', put: { ...silence, id, match } });
  migrate(database);
  return database.find({ table: 'silences', order: ['id'] });
}

/** Whether one of the lists matches, as the current version reads them. */
function isSilenced(lists: readonly (readonly string[])[], labels: Readonly<Record<string, string>>): boolean {
  return lists.some((list) => {
    const matchers = list.map((text) => {
      const matcher = readMatcher(text);
      if (!matcher.ok) throw new Error(`${text}: ${matcher.error}`);
      return matcher.value;
    });
    return matches(matchers, labels);
  });
}

describe('silences of version 1', () => {
  it('keep everything but the form of their matchers', () => {
    expect(migrated(['a', '{"severity":["critical","warning"],"host_id":["m1"]}'])).toEqual([
      { ...silence, id: 'a', matchers: JSON.stringify(['severity=~"critical|warning"', 'host_id="m1"']) },
    ]);
  });

  it('are deleted if version 1 could not read them', () => {
    expect(migrated(['a', 'no JSON'], ['b', '["severity"]'], ['c', '{"severity":"critical"}'])).toEqual([]);
  });

  it('are split if a matcher cannot hold all values', () => {
    const hosts = Array.from({ length: 100 }, (_, index) => `host-${index}`);
    const ids = migrated(['a', JSON.stringify({ host_id: hosts })]).map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(['a', 'a-2', 'a-3']);
  });

  it('stay as they are if a build between the versions stored matchers', () => {
    const database = openInMemoryDatabase(migrations.slice(0, 1));
    database.run('ALTER TABLE silences RENAME COLUMN "match" TO matchers');
    const put = { ...silence, id: 'a', matchers: '["severity=\\"critical\\""]' };
    database.apply({ table: 'silences', put });
    migrate(database);
    expect(database.find({ table: 'silences' })).toEqual([put]);
  });
});

describe('matcherLists', () => {
  it.each([
    ['a regular expression', ['prod.*', 'te|st', 'a(b)[c]{1}^$?+']],
    ['quotes and backslashes', ['C:\\data', 'the "big" one', 'two\nlines']],
    ['a dash, a slash and a space', ['eu-west 1/a', 'x']],
    ['no value', ['', 'x']],
    ['a character beyond the basic plane', ['🦄', 'x']],
    ['more than fits into one expression', Array.from({ length: 60 }, (_, index) => `${index}.`.padEnd(20, 'x'))],
    ['a value longer than an expression', ['y'.repeat(250), '.'.repeat(256)]],
  ])('match exactly the values with %s', (_, values) => {
    const lists = matcherLists({ path: values, cluster_name: ['prod'] });
    for (const value of values) {
      expect(isSilenced(lists, { path: value, cluster_name: 'prod' })).toBe(true);
      expect(isSilenced(lists, { path: value, cluster_name: 'test' })).toBe(false);
      expect(isSilenced(lists, { path: `${value}z`, cluster_name: 'prod' })).toBe(false);
    }
    expect(isSilenced(lists, { path: 'prodXY', cluster_name: 'prod' })).toBe(false);
  });

  it('match every alert if there is no label', () => {
    expect(isSilenced(matcherLists({}), { severity: 'info' })).toBe(true);
  });

  it('are at most 100', () => {
    const long = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(200, 'x'));
    expect(matcherLists({ a: long, b: long })).toHaveLength(100);
  });
});
