import { describe, expect, it } from 'vitest';
import { queriesRoute } from '../../../src/app/api/query-routes.ts';
import { createHandler } from '../../../src/app/api/routes.ts';
import { type Collector, collector } from '../../../src/collect/collector.ts';
import type { ListedQuery } from '../../../src/model/query.ts';
import { createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, sendRequest, testbed } from '../fakes.ts';

const scan: ListedQuery = {
  state: 'running',
  id: '7.RESTPP_1_1.1790000000000.N',
  graph: 'fraud',
  query: 'ring_scan',
  kind: 'installed',
  age: 5000,
};
const listed = [scan, { ...scan, state: 'delayed', id: '17', query: 'other', age: 9000 }] as const;

/** Two nodes, each of which lists the same two queries. */
async function openList() {
  const bed = testbed();
  const lists = (one: Collector): Collector =>
    one.name === 'lists' ? collector({ ...one, listedQueries: () => listed }) : one;
  const parts = { ...bed.parts, collectors: bed.parts.collectors.map(lists) };
  const dependencies = await createRouteDependencies(configOf([clusterOf('prod', ['m1', 'm2'])]), { ...bed, parts });
  await dependencies.clock.advance(5000);
  const handler = createHandler([queriesRoute(dependencies, {})], () => '');
  return async (query: string) => {
    const { status, body } = await sendRequest(handler, `/api/v1/queries${query}`);
    const answer: { items?: readonly { id: string; node: string }[]; total?: number; detail?: string } =
      JSON.parse(body);
    return { status, ...answer };
  };
}

describe('GET /api/v1/queries', () => {
  it('gives a page, the oldest first', async () => {
    const list = await openList();
    const all = await list('?limit=3');
    expect(all).toMatchObject({ status: 200, total: 4 });
    expect(all.items?.map(({ id }) => id)).toEqual(['17', '17', scan.id]);
  });

  it.each([
    ['?node=m2', 2],
    ['?state=delayed', 2],
    ['?query=ring_scan&node=m1', 1],
    ['?overdue=true', 0],
    ['?policy=runaway', 0],
    ['?policy=', 4],
    ['?kind=installed&graph=fraud&cluster=prod&id=17', 2],
  ])('is filtered by %s', async (query, count) => {
    const list = await openList();
    expect((await list(query)).total).toBe(count);
  });

  it('has no guard fields without policies', async () => {
    const list = await openList();
    const [first] = (await list('?limit=1')).items ?? [];
    expect(first).toMatchObject({ policy: null, matchesAt: null, earliestAbortAt: null, protected: null });
  });

  it('rejects an unknown parameter', async () => {
    const list = await openList();
    expect(await list('?user=x')).toMatchObject({ status: 400, detail: "Parameter 'user' does not exist." });
  });
});
