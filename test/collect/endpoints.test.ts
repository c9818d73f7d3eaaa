import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/collect/endpoints.ts';
import { ok } from '../../src/kernel/result.ts';
import type { EndpointItem, EndpointKind } from '../../src/model/inventory.ts';
import { failed } from '../support/fake-graphdb.ts';
import { pollOnce } from '../support/poll-results.ts';

function item(graph: string, name: string, kind: EndpointKind = 'dynamic'): EndpointItem {
  return { graph, name, kind, parts: [] };
}

describe('endpoints', () => {
  it('shows the number of endpoints by graph and kind', async () => {
    const list = [item('fraud', 'GET /a'), item('fraud', 'POST /a'), item('risk', 'GET /b'), item('', '/c', 'builtin')];
    const { error, lines } = await pollOnce(endpoints, { endpoints: ok(list) });
    expect(error).toBeUndefined();
    expect(lines).toEqual([
      'graphdb_endpoints{graph="",kind="builtin"} 1',
      'graphdb_endpoints{graph="",kind="dynamic"} 0',
      'graphdb_endpoints{graph="",kind="static"} 0',
      'graphdb_endpoints{graph="fraud",kind="dynamic"} 2',
      'graphdb_endpoints{graph="risk",kind="dynamic"} 1',
      'graphdb_endpoints_other_graphs 0',
    ]);
  });

  it('counts an endpoint once, even if the server repeats it', async () => {
    const { lines } = await pollOnce(endpoints, { endpoints: ok([item('g', 'GET /a'), item('g', 'GET /a')]) });
    expect(lines).toContain('graphdb_endpoints{graph="g",kind="dynamic"} 1');
  });

  it('sums the graphs beyond the limit, and counts them', async () => {
    const list = Array.from({ length: 10_000 }, (_, at) => item(`g${at}`, `GET /query/g${at}/q`));
    const large = [item('z', 'GET /1'), item('z', 'GET /2')];
    const { lines } = await pollOnce(endpoints, { endpoints: ok([...list, ...large]) });
    expect(lines).toHaveLength(3 + 200 + 1 + 1);
    expect(lines).toContain('graphdb_endpoints{graph="z",kind="dynamic"} 2');
    expect(lines).toContain('graphdb_endpoints{graph="other",kind="dynamic"} 9801');
    expect(lines.at(-1)).toBe('graphdb_endpoints_other_graphs 9801');
  });

  it('reports endpoints that were added, removed or have other parameters', () => {
    const before = [item('g', 'GET /a'), { ...item('g', 'GET /b'), parts: ['depth INT64'] }];
    const after = [{ ...item('g', 'GET /b'), parts: ['depth INT32'] }, item('g', 'GET /c')];
    const inventory = endpoints.inventory ?? expect.fail('no inventory');
    expect(inventory.objects).toEqual(['endpoint']);
    expect([...inventory.changes(before, after)].map(({ object, change, name }) => [object, change, name])).toEqual([
      ['endpoint', 'changed', 'GET /b'],
      ['endpoint', 'added', 'GET /c'],
      ['endpoint', 'removed', 'GET /a'],
    ]);
  });

  it.each(['unsupported', 'auth'] as const)('returns the failure %s unchanged', async (reason) => {
    const { error, lines } = await pollOnce(endpoints, { endpoints: failed(reason) });
    expect(error?.reason).toBe(reason);
    expect(lines).toEqual([]);
  });
});
