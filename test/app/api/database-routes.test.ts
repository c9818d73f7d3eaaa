import { describe, expect, it } from 'vitest';
import { databaseRoutes } from '../../../src/app/api/database-routes.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { collector } from '../../../src/collect/collector.ts';
import { graphSizes } from '../../../src/collect/graph-sizes.ts';
import { LatestResults } from '../../../src/collect/latest-results.ts';
import { loadingJobs } from '../../../src/collect/loading-jobs.ts';
import type { PollResult } from '../../../src/collect/poll-runner.ts';
import { queryDefinitions } from '../../../src/collect/query-definitions.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { ok } from '../../../src/kernel/result.ts';
import type { LoadingRun } from '../../../src/model/loading.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, sendRequest, testbed } from '../fakes.ts';

const at = { wall: Date.parse('2026-01-31T12:00:00Z'), mono: 0 };
const asOf = '2026-01-31T12:00:00.000Z';

/** The clusters `prod` and `test`, of which the first has these facts of the collector. */
async function setUp(definition: typeof graphSizes, result: PollResult['result'], isFresh = true) {
  const bed = testbed();
  // The testbed has a collector of the whole cluster, which takes the place of the one that is tested.
  const [first] = bed.parts.collectors.filter(({ scope }) => scope === 'cluster');
  const { name } = first ?? expect.fail();
  const collectors = bed.parts.collectors.map((one) =>
    one.name === name ? collector({ ...one, contents: (facts) => definition.contents?.(facts) ?? {} }) : one,
  );
  const config = configOf([clusterOf('prod', ['m1']), clusterOf('test', ['m1'])]);
  const { pipeline } = await createRouteDependencies(config, { ...bed, parts: { ...bed.parts, collectors } });
  const board = new LatestResults();
  const poll = { result, source: 'm1', started: at, ended: at };
  board.record({ cluster: 'prod', collector: name, node: '' }, poll, isFresh ? Infinity : 0);
  if (!isFresh) board.markStale(at);
  const known = { cluster: { values: () => ['prod', 'test'] } };
  const handler = createHandler(databaseRoutes({ pipeline, board }, known), () => '');
  return async (path: string) => {
    const { status, body } = await sendRequest(handler, `/api/v1/${path}`);
    return { status, answer: JSON.parse(body) };
  };
}

const types = Array.from({ length: 12 }, (_, index) => ({ type: `T${index}`, count: index }));
const fraud = { graph: 'fraud', vertices: [...types, { type: 'T3', count: 100 }], edges: [{ type: 'owns', count: 7 }] };
const sizes = { sizes: [fraud, { ...fraud, vertices: [] }, { ...fraud, graph: 'social', vertices: [] }], uncounted: 0 };

describe('GET /api/v1/graphs', () => {
  it('lists sizes with the largest types first, a type and a graph once, and the number of the others', async () => {
    const list = await setUp(graphSizes, ok(sizes));
    const { answer } = await list('graphs');
    expect(answer.total).toBe(2);
    const [first, second] = answer.items;
    expect(first).toMatchObject({
      cluster: 'prod',
      graph: 'fraud',
      vertices: 166,
      edges: 7,
      otherVertexTypes: 2,
      asOf,
    });
    expect(first.vertexTypes).toHaveLength(10);
    expect(first.vertexTypes.slice(0, 2)).toEqual([
      { type: 'T3', count: 103 },
      { type: 'T11', count: 11 },
    ]);
    expect(second).toMatchObject({ graph: 'social', vertices: 0, vertexTypes: [], otherVertexTypes: 0 });
  });

  it('filters by parameters, and names the known values for an unknown one', async () => {
    const list = await setUp(graphSizes, ok(sizes));
    expect((await list('graphs?graph=social')).answer.total).toBe(1);
    expect((await list('graphs?cluster=test')).answer.total).toBe(0);
    expect((await list('graphs?graph=socail')).answer.detail).toContain("Did you mean 'social'?");
    expect((await list('graphs?cluster=other')).answer.detail).toContain('Known: prod, test.');
    expect((await list('graphs?kind=x')).status).toBe(400);
  });

  it('lists the counted graphs if one of several failed, and no overdue ones', async () => {
    const partial = { ok: false, error: failure('auth', ''), partial: sizes } as const;
    expect((await (await setUp(graphSizes, partial))('graphs')).answer.total).toBe(2);
    const failed = { ok: false, error: failure('auth', '') } as const;
    expect((await (await setUp(graphSizes, failed))('graphs')).answer.total).toBe(0);
    expect((await (await setUp(graphSizes, ok(sizes), false))('graphs')).answer.total).toBe(0);
  });
});

const noLines = { valid: 0, filtered: 0, rejected: 0, too_few_tokens: 0, invalid_json: 0, oversize_token: 0 };

function run(changes: Partial<LoadingRun>): LoadingRun {
  const identity = { graph: 'fraud', job: 'load', id: 'r1' };
  return {
    ...identity,
    state: 'running',
    startedAt: at.wall,
    progress: 0.5,
    linesPerSecond: 10,
    lines: noLines,
    ...changes,
  };
}

describe('GET /api/v1/loading-jobs', () => {
  it('lists the latest run of each job, the latest start first', async () => {
    const runs = [
      run({ id: 'r0', startedAt: 0, job: 'old', state: 'finished' }),
      run({ startedAt: at.wall - 1000, state: 'failed' }),
      run({ id: 'r2', lines: { ...noLines, valid: 5, invalid_json: 2 } }),
    ];
    const list = await setUp(loadingJobs, ok({ graphs: ['fraud'], runs, uncounted: 0 }));
    const { answer } = await list('loading-jobs');
    expect(answer.items).toEqual([
      {
        cluster: 'prod',
        graph: 'fraud',
        job: 'load',
        run: 'r2',
        state: 'running',
        startedAt: asOf,
        progress: 0.5,
        linesPerSecond: 10,
        lines: { ...noLines, valid: 5, invalid_json: 2 },
        asOf,
      },
      expect.objectContaining({ job: 'old', run: 'r0', startedAt: null }),
    ]);
    expect((await list('loading-jobs?state=finished')).answer.total).toBe(1);
    expect((await list('loading-jobs?state=aborted')).answer.total).toBe(0);
    expect((await list('loading-jobs?state=over')).status).toBe(400);
  });
});

describe('GET /api/v1/query-definitions', () => {
  it('lists each query once, with its state', async () => {
    const queries = [
      { graph: 'fraud', name: 'ring_scan', state: 'invalid' },
      { graph: 'fraud', name: 'ring_scan', state: 'installed' },
    ];
    const list = await setUp(queryDefinitions, ok({ graphs: [{ graph: 'fraud', queries }], uncounted: 0 }));
    const item = { cluster: 'prod', graph: 'fraud', query: 'ring_scan', state: 'invalid', asOf };
    expect((await list('query-definitions')).answer.items).toEqual([item]);
    expect((await list('query-definitions?state=invalid&query=ring_scan')).answer.total).toBe(1);
    expect((await list('query-definitions?state=disabled')).answer.items).toEqual([]);
  });
});
