import { describe, expect, it } from 'vitest';
import type { QueryReport } from '../../../src/api/queries.ts';
import { queryTable } from '../../../src/cli/commands/queries.ts';

function query(more: Partial<QueryReport> = {}): QueryReport {
  return {
    cluster: 'prod',
    node: 'm1',
    state: 'running',
    id: '7.RESTPP_1_1.1790000000000.N',
    graph: 'fraud',
    query: 'ring_scan',
    kind: 'installed',
    ageSeconds: 75,
    grantedTimeoutSeconds: 3600,
    remainingSeconds: 3525,
    overdue: false,
    asOf: '2026-09-22T04:53:20.000Z',
    policy: null,
    matchesAt: null,
    earliestAbortAt: null,
    protected: null,
    mode: null,
    held: null,
    heldUntil: null,
    ...more,
  };
}

function rows(...queries: readonly QueryReport[]): readonly string[] {
  return queryTable(queries, queries.length).trimEnd().split('\n').slice(1);
}

describe('queries in a terminal', () => {
  it('are printed below a header', () => {
    expect(queryTable([query(), query({ ageSeconds: 3.9, remainingSeconds: null, state: 'delayed' })], 2)).toBe(
      [
        'AGE   LEFT   QUERY      NODE  ID                            STATE    GRAPH',
        '1:15  58:45  ring_scan  m1    7.RESTPP_1_1.1790000000000.N  running  fraud',
        '0:03         ring_scan  m1    7.RESTPP_1_1.1790000000000.N  delayed  fraud',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [0, '0:00'],
    [59.9, '0:59'],
    [3599, '59:59'],
    [3600, '1:00:00'],
    [90_061, '25:01:01'],
  ])('write an age of %d s as %s', (ageSeconds, text) => {
    expect(rows(query({ ageSeconds }))[0]).toMatch(new RegExp(`^${text} `));
  });

  it('mark a query that exceeded its timeout', () => {
    expect(rows(query({ remainingSeconds: -5, overdue: true }))[0]).toContain('1:15  overdue  ring_scan');
  });

  it('name the cluster if there are several', () => {
    expect(rows(query(), query({ cluster: 'test' })).map((row) => row.split(/ +/)[3])).toEqual(['prod/m1', 'test/m1']);
  });

  it('name the policy that matches or will match, if there are policies', () => {
    const table = queryTable(
      [
        query({ policy: 'runaway', mode: 'enforce', earliestAbortAt: '2026-09-22T04:50:00.000Z', protected: false }),
        query({ policy: 'runaway', mode: 'enforce', earliestAbortAt: '2026-09-22T04:54:25.000Z', protected: false }),
        query({ policy: 'runaway', mode: 'observe', earliestAbortAt: '2026-09-22T04:53:32.000Z', protected: false }),
        query({ policy: 'runaway', held: 'cooldown', heldUntil: '2026-09-22T04:54:01.000Z', protected: false }),
        query({ policy: 'runaway', held: 'not_covered', protected: false }),
        query({ protected: true }),
        query({ protected: false }),
      ],
      7,
    );
    const cells = table.split('\n').map((line) => /(?:ID|\.N) {2,}(.*?) +(?:STATE|running)/.exec(line)?.[1]);
    expect(cells).toEqual([
      'POLICY',
      'runaway: abort in 0:00',
      'runaway: abort in 1:05',
      'runaway: would abort in 0:12',
      'runaway: held: cooldown, 0:41',
      'runaway: held: not covered',
      'protected',
      '',
      undefined,
    ]);
  });

  it('may be empty, or longer than the printed part', () => {
    expect(queryTable([], 0)).toBe('no queries\n');
    expect(queryTable([query()], 1234)).toMatch(/\nand 1233 more\n$/);
  });

  it('contain no control characters', () => {
    expect(queryTable([query({ query: '\u001B[2Jgone' })], 1)).not.toContain('\u001B');
  });
});
