import { describe, expect, it } from 'vitest';
import {
  deleteVertex,
  findPaths,
  loadRows,
  readEdges,
  readVertex,
  runTemplate,
} from '../../../src/simulator/endpoints/graph-data.ts';
import { callOn, jsonOf, worldOf } from '../test-world.ts';

const heartbeat = { graph: 'fraud', type: 'graphwarden_heartbeat', id: 'b1' };
const load = new URLSearchParams({ tag: 'graphwarden_heartbeat', filename: 'heartbeat', sep: ',' });
const account = { graph: 'fraud', type: 'Account', id: 'a%201' };

describe('the row of a heartbeat', () => {
  it('exists from its load until its deletion', async () => {
    const world = worldOf();
    const read = () => jsonOf(readVertex(callOn(world, { path: heartbeat })));
    expect(await read()).toMatchObject({ error: true });
    const loaded = loadRows(callOn(world, { path: { graph: 'fraud' }, query: load, body: 'b1,1790000000000\n' }));
    expect(await jsonOf(loaded)).toMatchObject({
      results: [{ statistics: { validLine: 1, vertex: [{ validObject: 1 }] } }],
    });
    expect(await read()).toMatchObject({ results: [{ v_id: 'b1', v_type: 'graphwarden_heartbeat' }] });
    const deleted = () => jsonOf(deleteVertex(callOn(world, { path: heartbeat })));
    expect(await deleted()).toMatchObject({ results: { deleted_vertices: 1 } });
    expect(await deleted()).toMatchObject({ results: { deleted_vertices: 0 } });
  });

  it('is rejected if it does not match the job, and no other type can be changed', async () => {
    const world = worldOf();
    const rejected = loadRows(callOn(world, { path: { graph: 'fraud' }, query: load, body: 'b1,x' }));
    expect(await jsonOf(rejected)).toMatchObject({ results: [{ statistics: { rejectLine: 1 } }] });
    for (const reply of [
      loadRows(callOn(world, { path: { graph: 'fraud' }, query: new URLSearchParams({ tag: 'other' }) })),
      loadRows(callOn(world, { path: { graph: 'nope' }, query: load })),
      deleteVertex(callOn(world, { path: account })),
      deleteVertex(callOn(world, { path: { ...account, graph: 'nope' } })),
    ]) {
      expect(await jsonOf(reply)).toMatchObject({ error: true });
    }
  });
});

const find = (body: object, graph = 'fraud') =>
  jsonOf(findPaths(callOn(worldOf(), { path: { graph }, body: JSON.stringify(body) })));

const run = (template: string | undefined, query: string) =>
  jsonOf(
    runTemplate(
      callOn(worldOf(), { path: template === undefined ? {} : { template }, query: new URLSearchParams(query) }),
    ),
  );

describe('data of a graph', () => {
  it('has every vertex of a known type, except missing ones', async () => {
    const world = worldOf();
    const read = (path: object) => jsonOf(readVertex(callOn(world, { path: { ...account, ...path } })));
    expect(await read({})).toMatchObject({
      results: [{ v_id: 'a 1', attributes: { updated_at: expect.any(Number) } }],
    });
    for (const path of [{ id: 'missing' }, { type: 'Nothing' }, { graph: 'nope' }]) {
      expect(await read(path)).toMatchObject({ error: true });
    }
  });

  it('has three edges of each vertex', async () => {
    const world = worldOf();
    const read = (path: object, query = '') =>
      jsonOf(readEdges(callOn(world, { path: { ...account, ...path }, query: new URLSearchParams(query) })));
    expect(await read({})).toMatchObject({ results: [{ from_id: 'a 1', to_id: 't-1' }, {}, {}] });
    expect(await read({}, 'limit=1')).toMatchObject({ results: [{}] });
    expect(await read({ edge: 'owns' })).toMatchObject({ results: [] });
    const target = { edge: 'transfers', targetType: 'Person', target: 'p%201' };
    expect(await read(target)).toMatchObject({ results: [{ to_id: 'p 1', to_type: 'Person' }] });
    expect(await read({ type: 'Nothing' })).toMatchObject({ error: true });
    expect(await read({ graph: 'nope' })).toMatchObject({ error: true });
  });

  it('has a path between any two vertices', async () => {
    const [source, target] = [
      { type: 'Account', id: 'a' },
      { type: 'Account', id: 'b' },
    ];
    const found = { results: [{ vertices: [{ v_id: 'a' }, { v_id: 'b' }], edges: [{}] }] };
    expect(await find({ source, target })).toMatchObject(found);
    expect(await find({ sources: [source], targets: [target] })).toMatchObject(found);
    expect(await find({ source })).toMatchObject({ error: true });
    expect(await find({ source, target }, 'nope')).toMatchObject({ error: true });
  });

  it('has the template queries of the library, in both path forms', async () => {
    const found = { results: { results: [{ top_scores: [1, 2, 3] }] } };
    expect(await run('GDBMS_ALGO.a', 'graph=fraud')).toMatchObject(found);
    expect(await run(undefined, 'graph=fraud&functionName=GDBMS_ALGO.a')).toMatchObject(found);
    expect(await run('other', 'graph=fraud')).toMatchObject({ error: true });
    expect(await run('GDBMS_ALGO.a', 'graph=nope')).toMatchObject({ error: true });
  });
});
