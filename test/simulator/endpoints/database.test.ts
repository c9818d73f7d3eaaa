import { describe, expect, it } from 'vitest';
import {
  commit,
  components,
  echo,
  endpointList,
  graphList,
  gsqlVersion,
  license,
  ping,
  queryInfo,
  restppVersion,
  unknownGraph,
} from '../../../src/simulator/endpoints/database.ts';
import { FakeClock } from '../../support/clock.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

describe('ping and echo', () => {
  it('have the format of real servers', async () => {
    expect(await jsonOf(ping(callOn(worldOf())))).toEqual({ error: false, message: 'pong', results: null });
    expect((await echo(callOn(worldOf()))).body).toBe('{"error":false, "message":"Hello GSQL"}');
  });

  it('respond after the requested delay', async () => {
    const clock = new FakeClock();
    let answered = false;
    const answer = echo(callOn(worldOf(), { clock, query: new URLSearchParams('sleep=3') })).finally(() => {
      answered = true;
    });
    await clock.advance(2_900);
    expect(answered).toBe(false);
    await clock.advance(100);
    await answer;
    expect(answered).toBe(true);
  });
});

describe('the versions', () => {
  it('are a table with white space, with the field error as text', async () => {
    const { body } = await restppVersion(callOn(worldOf({ version: '4.2.1' })));
    expect(body).toMatch(/^\{"error":"false", "message":"SimulatedGraph RESTPP: \n --- Version ---\n[^"]+\n"\}$/);
    const rows = body.split('\n').slice(3, -1);
    expect(rows.map((row) => row.split(/\s+/)[0])).toEqual([...components]);
    for (const row of rows) {
      expect(row).toMatch(/^\w+ +release_4\.2\.1_\d\d-\d\d-\d{4} +[0-9a-f]{40} +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d -0700$/);
    }
  });

  it('have a different commit for each component and release', () => {
    const commits = components.flatMap((name) => [commit(name, '4.1.2'), commit(name, '4.2.1')]);
    expect(new Set(commits).size).toBe(2 * components.length);
  });

  it('are plain text from the GSQL server', async () => {
    const short = await gsqlVersion(callOn(worldOf()));
    expect(short.headers['content-type']).toContain('text/plain');
    expect(short.body).toMatch(
      /^GSQL version: 4\.1\.2\nGSQL commit number: [0-9a-f]{40}\nGSQL commit date: \S+ \S+ -0700\n$/,
    );
    const long = await gsqlVersion(callOn(worldOf(), { query: new URLSearchParams('verbose') }));
    expect(long.body).toContain('simulation');
  });
});

const shape = { vertices: ['Account', 'Person'], edges: ['knows', 'owns', 'transfers'] };

describe('graphList', () => {
  it('lists graphs outside the envelope', async () => {
    expect(await jsonOf(graphList(callOn(worldOf())))).toEqual({
      graphs: [
        { graphName: 'fraud', ...shape },
        { graphName: 'social', ...shape },
      ],
      error: false,
      message: '',
    });
  });

  it('grows with the cluster', async () => {
    const world = worldOf({ graphs: [] });
    expect(await jsonOf(graphList(callOn(world)))).toMatchObject({ graphs: [] });
    world.addGraph('routes');
    expect(await jsonOf(graphList(callOn(world)))).toMatchObject({ graphs: [{ graphName: 'routes' }] });
  });

  it.each(['graphName=social', 'graph=social'])('lists one with %s', async (query) => {
    const call = callOn(worldOf(), { query: new URLSearchParams(query) });
    expect(await jsonOf(graphList(call))).toMatchObject({ graphs: [{ graphName: 'social' }] });
  });

  it('rejects an unknown graph', () => {
    expect(graphList(callOn(worldOf(), { query: new URLSearchParams('graph=none') }))).toMatchObject({ status: 404 });
  });
});

describe('unknownGraph', () => {
  it('rejects an unknown graph with the documented code', () => {
    const world = worldOf({ graphs: ['one'] });
    expect(unknownGraph(world, 'one')).toBeUndefined();
    expect(unknownGraph(world, 'two')).toMatchObject({ status: 404, body: expect.stringContaining('REST-1004') });
    expect(unknownGraph(world, '')?.status).toBe(404);
  });
});

async function keys(path: Readonly<Record<string, string>>, query = ''): Promise<readonly string[]> {
  const list = await jsonOf(endpointList(callOn(worldOf(), { path, query: new URLSearchParams(query) })));
  return Object.keys(Object(list));
}

describe('endpointList', () => {
  it('lists all kinds of endpoints of all graphs, without an envelope', async () => {
    const all = await keys({});
    expect(all).toContain('GET /statistics/{graph_name}');
    expect(all).toContain('GET /query/fraud/ring_scan');
    expect(all).toContain('GET /query/social/ring_scan');
    expect(all).not.toContain('error');
  });

  it('lists the endpoints of one graph, and none for an unknown graph', async () => {
    expect((await keys({ graph: 'fraud' })).filter((key) => key.includes('/query/social'))).toEqual([]);
    expect((await keys({ graph: 'nowhere' })).filter((key) => key.includes('/query/'))).toEqual([]);
  });

  it.each([
    ['builtin=true', true, false],
    ['dynamic=true', false, true],
    ['static=true', false, false],
    ['builtin=true&dynamic=true', true, true],
    ['builtin=false', true, true],
  ])('with %s', async (query, builtIn, dynamic) => {
    const listed = await keys({}, query);
    expect([listed.includes('GET /echo'), listed.includes('GET /query/fraud/pagerank')]).toEqual([builtIn, dynamic]);
  });

  it('describes the parameters', async () => {
    expect(await jsonOf(endpointList(callOn(worldOf())))).toMatchObject({
      'GET /query/fraud/pagerank': {
        parameters: { query: { default: 'pagerank', max_count: 1, min_count: 0, type: 'STRING' } },
      },
      'GET /endpoints/{graph_name}': {
        parameters: { builtin: { default: 'false', max_count: 1, min_count: 0, type: 'BOOL' } },
      },
    });
  });
});

const day = 86_400_000;

describe('license', () => {
  it('returns the last day and the number of days left', async () => {
    const world = worldOf();
    expect(world.licenseExpiresAt).toBe(Date.UTC(2026, 8, 22) + 300 * day);
    expect(await jsonOf(license(callOn(world)))).toMatchObject({
      error: false,
      results: [{ 'Expiration date': '2027-07-19 00:00:00', 'Days remaining': 299 }],
    });
  });

  it('has fewer days left each day', async () => {
    const world = worldOf({ nodes: 1, graphs: [], licenseDays: 10 });
    world.advance(noon + day / 2 - 1);
    expect(await jsonOf(license(callOn(world)))).toMatchObject({ results: [{ 'Days remaining': 9 }] });
    world.advance(noon + day / 2 + 1);
    expect(await jsonOf(license(callOn(world)))).toMatchObject({ results: [{ 'Days remaining': 8 }] });
  });

  it('is an error after the license has expired', async () => {
    const over = worldOf({ licenseDays: 0 });
    expect(await jsonOf(license(callOn(over)))).toMatchObject({ error: true, code: 'REST-10020' });
  });
});

function definitionsOf(world: ReturnType<typeof worldOf>, query: string): Promise<unknown> {
  return jsonOf(queryInfo(callOn(world, { query: new URLSearchParams(query) })));
}

describe('the definitions of queries', () => {
  it('have the documented fields', async () => {
    const { results } = (await definitionsOf(worldOf(), 'graph=fraud&query=ring_scan')) as {
      readonly results: readonly object[];
    };
    expect(results).toMatchObject([
      { name: 'ring_scan', installed: true, installing: false, enabled: true, status: 'VALID', callerQueries: [] },
    ]);
  });

  it('are refused for an unknown graph', async () => {
    expect(await definitionsOf(worldOf(), 'graph=nowhere')).toMatchObject({ error: true });
  });

  it('are fewer after a change of the schema, as are the endpoints', async () => {
    const world = worldOf({ scenario: 'schema_change' });
    const before = await definitionsOf(world, 'graph=fraud');
    const endpoints = await jsonOf(endpointList(callOn(world)));
    world.advance(noon + 60_000);
    expect(await definitionsOf(world, 'graph=fraud')).not.toEqual(before);
    expect(await jsonOf(endpointList(callOn(world)))).not.toEqual(endpoints);
  });
});
