import { describe, expect, it } from 'vitest';
import { queries } from '../../src/collect/queries.ts';
import { ok } from '../../src/kernel/result.ts';
import type { RunningQuery } from '../../src/model/query.ts';
import { failed, processListOf } from '../support/fake-graphdb.ts';
import { pollEnd, pollOnce } from '../support/poll-results.ts';

const scan: RunningQuery = {
  graph: 'fraud',
  query: 'ring_scan',
  kind: 'installed',
  requestId: '131087.RESTPP_1_1.1790000000723.N',
  grantedTimeout: 16_000,
  elapsed: 3385,
};
const builtin: RunningQuery = {
  graph: '',
  query: 'builtin',
  kind: 'builtin',
  requestId: '7.RESTPP_1_1.5.N',
  elapsed: 20,
};
let ids = 0;

function another(more: Partial<RunningQuery>): RunningQuery {
  ids += 1;
  return { ...scan, requestId: `${ids}.RESTPP_1_1.1790000000723.N`, ...more };
}

async function show(...listed: readonly RunningQuery[]): Promise<readonly string[]> {
  return (await pollOnce(queries, { graphs: ok(['fraud']), processListAll: ok(processListOf(listed)) })).lines;
}

function running(graph: string, count: number): string {
  return `graphdb_queries_running{graph="${graph}"} ${count}`;
}

function oldest(graph: string, seconds: number): string {
  return `graphdb_query_oldest_age_seconds{graph="${graph}"} ${seconds}`;
}

function overdue(graph: string, query: string, count: number): string {
  return `graphdb_queries_overdue{graph="${graph}",query="${query}"} ${count}`;
}

describe('queries', () => {
  it('exposes 0 for each known graph without queries', async () => {
    const { lines, calls } = await pollOnce(queries, {
      graphs: ok(['fraud', 'risk']),
      processListAll: ok(processListOf([])),
    });
    expect(calls).toEqual(['graphs', 'processListAll']);
    expect(lines).toEqual([running('fraud', 0), running('risk', 0), oldest('fraud', 0), oldest('risk', 0)]);
  });

  it('counts by graph, including unconfigured graphs and queries without a graph', async () => {
    const lines = await show(scan, another({ elapsed: 9000 }), another({ graph: 'new', query: 'q' }), builtin);
    expect(lines).toEqual([
      running('fraud', 2),
      running('new', 1),
      running('', 1),
      oldest('fraud', 9),
      oldest('new', 3.385),
      oldest('', 0.02),
      overdue('fraud', 'ring_scan', 0),
      overdue('new', 'q', 0),
      overdue('', 'builtin', 0),
    ]);
  });

  it.each<[string, Partial<RunningQuery>, number]>([
    ['the measure of the server', { elapsed: 3385, arrivedAt: pollEnd.wall - 60_000 }, 3.385],
    ['the request id without it', { arrivedAt: pollEnd.wall - 60_000 }, 60],
    ['nothing below zero, where the clock of the node is ahead', { arrivedAt: pollEnd.wall + 60_000 }, 0],
    ['nothing below zero, where the server measures so', { elapsed: -5 }, 0],
  ])('has the age from %s', async (_, times, seconds) => {
    const { elapsed: _elapsed, ...timeless } = scan;
    expect(await show({ ...timeless, ...times })).toContain(oldest('fraud', seconds));
  });

  it('has no age where both are unknown', async () => {
    const { elapsed: _elapsed, arrivedAt: _arrivedAt, ...timeless } = scan;
    const lines = await show(timeless);
    expect(lines).toContain(running('fraud', 1));
    expect(lines.filter((line) => line.startsWith('graphdb_query_oldest_age_seconds{graph="fraud"}'))).toEqual([]);
  });

  it.each<[string, Partial<RunningQuery>, number]>([
    ['within its time-out', { elapsed: 15_999 }, 0],
    ['exactly at it', { elapsed: 16_000 }, 0],
    ['past it', { elapsed: 16_001 }, 1],
    ['with a long one', { elapsed: 3_600_000, grantedTimeout: 7_200_000 }, 0],
  ])('a query %s counts as overdue or not', async (_, more, count) => {
    expect(await show(another(more))).toContain(overdue('fraud', 'ring_scan', count));
  });

  it.each([
    [{ listedFor: 16_000 }, 0],
    [{ listedFor: 16_001 }, 1],
    [{ listedFor: 3_600_000, arrivedAt: pollEnd.wall - 10_000 }, 0],
    [{ listedFor: 0, elapsed: 16_001 }, 1],
  ])('without a measured age, a query is overdue only if it is listed for longer as well: %j', async (more, count) => {
    const { elapsed: _elapsed, ...timeless } = another({});
    const skewed = { ...timeless, arrivedAt: pollEnd.wall - 60_000 };
    expect(await show({ ...skewed, ...more })).toContain(overdue('fraud', 'ring_scan', count));
  });

  it('is not overdue if the timeout or the age is unknown', async () => {
    const { grantedTimeout: _granted, ...endless } = scan;
    const { elapsed: _elapsed, ...ageless } = another({});
    expect(await show({ ...endless, elapsed: 9e9 }, ageless)).toContain(overdue('fraud', 'ring_scan', 0));
  });

  it('is overdue at the configured age if its timeout is longer or unknown', async () => {
    const limited = queries.withOverdueAfter?.(10_000) ?? queries;
    const { grantedTimeout: _, ...endless } = another({ elapsed: 10_001 });
    const listed = [another({ elapsed: 10_000 }), another({ elapsed: 10_001, grantedTimeout: 60_000 }), endless];
    const { lines } = await pollOnce(limited, { graphs: ok([]), processListAll: ok(processListOf(listed)) });
    expect(lines).toContain(overdue('fraud', 'ring_scan', 2));
    const facts = { graphs: [], queries: listed };
    expect(limited.listedQueries?.(facts, pollEnd).map((query) => query.overdue)).toEqual([undefined, true, true]);
  });

  it('counts overdue queries by name', async () => {
    const lines = await show(
      another({ elapsed: 17_000 }),
      another({ elapsed: 18_000 }),
      scan,
      another({ query: 'other' }),
    );
    expect(lines).toContain(overdue('fraud', 'ring_scan', 2));
    expect(lines).toContain(overdue('fraud', 'other', 0));
  });

  it('names a query that is not installed by its kind alone', async () => {
    const text = another({ kind: 'interpreted', query: 'SELECT * FROM account' });
    expect((await show(text)).join()).not.toContain('SELECT');
    expect(await show(text)).toContain(overdue('fraud', 'interpreted', 0));
  });
});

describe('without the global privilege', () => {
  it('requests a list per graph, and counts repeated queries once', async () => {
    const graphs = ok(['fraud', 'risk']);
    const lists = { fraud: ok([scan, builtin]), risk: ok([builtin]) };
    const { error, lines, calls } = await pollOnce(queries, {
      graphs,
      processListAll: failed('auth'),
      processList: lists,
    });
    expect(error).toBeUndefined();
    expect(calls).toEqual(['graphs', 'processListAll', 'processList fraud', 'processList risk']);
    expect(lines.slice(0, 3)).toEqual([running('fraud', 1), running('risk', 0), running('', 1)]);
  });

  it('keeps entries apart that have no id', async () => {
    const nameless = { ...scan, requestId: '' };
    expect(await show(nameless, nameless)).toContain(running('fraud', 2));
  });

  it('exposes no 0 for a graph whose list failed', async () => {
    const { error, lines } = await pollOnce(queries, {
      graphs: ok(['fraud', 'risk']),
      processListAll: failed('auth'),
      processList: { fraud: ok([]), risk: failed('auth') },
    });
    expect(error?.reason).toBe('auth');
    expect(lines).toEqual([running('fraud', 0), oldest('fraud', 0)]);
  });

  it('fails if no list is allowed, or no graph is known', async () => {
    const refused = await pollOnce(queries, {
      graphs: ok(['fraud']),
      processListAll: failed('auth'),
      processList: { fraud: failed('auth') },
    });
    expect(refused).toMatchObject({ error: { reason: 'auth' }, lines: [] });
    const unknown = await pollOnce(queries, { graphs: failed('auth'), processListAll: failed('auth') });
    expect(unknown).toMatchObject({ error: { reason: 'auth' }, lines: [] });
  });

  it.each(['timeout', 'status', 'unsupported'] as const)('requests no graph after %s', async (reason) => {
    const { error, lines } = await pollOnce(queries, { graphs: ok(['fraud']), processListAll: failed(reason) });
    expect(error?.reason).toBe(reason);
    expect(lines).toEqual([]);
  });
});

describe('without the list of graphs', () => {
  it('exposes the listed queries, and fails', async () => {
    const { error, lines } = await pollOnce(queries, {
      graphs: failed('status'),
      processListAll: ok(processListOf([scan])),
    });
    expect(error?.reason).toBe('status');
    expect(lines).toEqual([running('fraud', 1), oldest('fraud', 3.385), overdue('fraud', 'ring_scan', 0)]);
  });
});

describe('queries one by one', () => {
  const at = { wall: 1_790_000_010_000, mono: 0 };

  function listed(...list: readonly RunningQuery[]) {
    return queries.listedQueries?.({ graphs: [], queries: list }, at) ?? [];
  }

  it('have the age that the server measures, and else that of their id', () => {
    const { elapsed: _, ...without } = scan;
    const ages = listed(scan, { ...without, arrivedAt: 1_790_000_000_723 }, without).map(({ age }) => age);
    expect(ages).toEqual([3385, 9277, undefined]);
  });

  it('have no negative age if the clocks differ', () => {
    const { elapsed: _, ...without } = scan;
    expect(listed({ ...without, arrivedAt: at.wall + 500 })[0]?.age).toBe(0);
  });

  it('have their names, without their parameters', () => {
    expect(listed(scan)).toEqual([
      {
        state: 'running',
        id: scan.requestId,
        graph: 'fraud',
        query: 'ring_scan',
        kind: 'installed',
        age: 3385,
        grantedTimeout: 16_000,
      },
    ]);
  });
});
