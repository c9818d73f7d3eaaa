import { describe, expect, it } from 'vitest';
import { endpointList } from '../../../src/simulator/endpoints/endpoint-list.ts';
import { callOn, jsonOf, worldOf } from '../test-world.ts';

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

  it('lists one graph, and nothing for one that does not exist', async () => {
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
