import { describe, expect, it } from 'vitest';
import {
  attemptStatement,
  changeStatements,
  countStatement,
  findStatement,
  insertStatement,
} from '../../../src/runtime/postgres/statements.ts';

const memory = (collector: string, content: string) => ({
  table: 'collector_memory',
  put: { cluster: 'a', collector, content },
});

describe('statements for PostgreSQL', () => {
  it('writes the rows of a table with one statement, also if rows of other tables are between them', () => {
    const counted = { table: 'tracker_clusters', put: { cluster: 'a', observed_until: 1 } };
    const statements = changeStatements([memory('x', '1'), counted, memory('y', '2'), counted]);
    expect(statements.map(({ values }) => JSON.parse(String(values[0])))).toEqual([
      [memory('x', '1').put, memory('y', '2').put],
      [counted.put],
    ]);
  });

  it('writes neighbouring rows of a table with one statement, and of equal keys the last', () => {
    const statements = changeStatements([memory('x', '1'), memory('y', '2'), memory('x', '3')]);
    expect(statements).toHaveLength(1);
    expect(JSON.parse(String(statements[0]?.values[0]))).toEqual([
      { cluster: 'a', collector: 'x', content: '3' },
      { cluster: 'a', collector: 'y', content: '2' },
    ]);
    expect(statements[0]?.sql).toContain(
      'ON CONFLICT ("cluster", "collector") DO UPDATE SET "content" = EXCLUDED."content"',
    );
  });

  it('keeps the order of puts and drops', () => {
    const drop = { table: 'collector_memory', drop: { cluster: 'a' } };
    const kinds = changeStatements([memory('x', '1'), drop, memory('x', '2')]).map(({ sql }) => sql.slice(0, 6));
    expect(kinds).toEqual(['INSERT', 'DELETE', 'INSERT']);
  });

  it('keeps the higher value of a counter', () => {
    const [statement] = changeStatements([{ table: 'counters', put: { name: 'a', value: 1 } }]);
    expect(statement?.sql).toContain('GREATEST("counters"."value", EXCLUDED."value")');
  });

  it('adds a row of the audit once, also if an earlier attempt may have been committed', () => {
    const put = { uid: 'u', at: 1, what: 'w', actor: 'a', cluster: 'c', subject: 's', reason: 'r' };
    const [first] = changeStatements([{ table: 'guard_actions', put }]);
    expect(first).toMatchObject({ adds: 1, sql: expect.not.stringContaining('ON CONFLICT') });
    const [second] = changeStatements([{ table: 'guard_actions', put }], true);
    expect(second).toMatchObject({ adds: 1, sql: expect.stringContaining('ON CONFLICT ("uid") DO NOTHING') });
    expect(second?.found?.sql).toContain('stored."reason" IS NOT DISTINCT FROM given."reason"');
  });

  it('refuses to delete a row of the audit, unknown tables and invalid names', () => {
    expect(() => changeStatements([{ table: 'guard_actions', drop: {} }])).toThrow(
      'rows of guard_actions are never deleted',
    );
    expect(() => changeStatements([{ table: 'nowhere', put: { a: 1 } }])).toThrow('there is no table nowhere');
    expect(attemptStatement(() => findStatement({ table: 'a; b' }))).toEqual({
      ok: false,
      error: "'a; b' is not a valid table or column name",
    });
  });

  it('orders columns without NULL as the indexes do, and the others with NULL as the lowest value', () => {
    const { sql } = findStatement({ table: 'transitions', order: ['-at', 'lasted', '-lasted'] });
    expect(sql).toBe('SELECT * FROM "transitions" ORDER BY "at" DESC, "lasted" NULLS FIRST, "lasted" DESC NULLS LAST');
  });

  it('compares, pages and counts with parameters', () => {
    const where = [
      { column: 'cluster', is: '=', value: 'a\0' },
      { column: 'at', is: '>=', value: 5 },
      { column: 'lasted', is: '=', value: null },
      { column: 'lasted', is: '<', value: null },
    ] as const;
    const { sql, values } = findStatement({ table: 'transitions', columns: ['at'], where, limit: 10, offset: 20 });
    expect(sql).toBe(
      'SELECT "at" FROM "transitions" WHERE "cluster" = $1::text AND "at" >= $2::bigint AND "lasted" IS NULL AND FALSE LIMIT $3::bigint OFFSET $4::bigint',
    );
    expect(values).toEqual(['a\uFFFD', 5, 10, 20]);
    expect(countStatement({ table: 'transitions' }).sql).toBe('SELECT count(*) AS "rows" FROM "transitions"');
  });

  it('adds rows as one parameter', () => {
    expect(insertStatement('counters', [{ name: 'a', value: 1 }])).toEqual({
      sql: 'INSERT INTO "counters" ("name", "value") SELECT "name", "value" FROM jsonb_populate_recordset(NULL::"counters", $1::jsonb)',
      values: ['[{"name":"a","value":1}]'],
    });
  });
});
