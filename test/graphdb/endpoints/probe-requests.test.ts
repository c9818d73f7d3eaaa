import { describe, expect, it } from 'vitest';
import { pathOf } from '../../../src/graphdb/call-paths.ts';
import { calls } from '../../../src/graphdb/calls.ts';
import { type RequestTask, requestOfTask } from '../../../src/graphdb/endpoints/probe-requests.ts';

const context = { graph: 'fraud', timeout: 2500 };
const query = { query: 'ring_scan', parameters: { depth: 3 }, limits: { replica: 1, threads: 2, memory: 1_048_577 } };
const source = { type: 'Account', id: 'a' };
const search = {
  sources: [source],
  targets: [source, { type: 'Account', id: 'b' }],
  vertexFilters: [{ type: 'Account' }],
  edgeFilters: [{ type: 'transfers', condition: 'amount > 100' }],
};
const limits = {
  'GSQL-TIMEOUT': '2500',
  'GSQL-REPLICA': '1',
  'GSQL-THREAD-LIMIT': '2',
  'GSQL-QueryLocalMemLimitMB': '2',
};

function sent(task: RequestTask) {
  const { name, input } = requestOfTask(task, context);
  return { request: `${calls[name].method} ${pathOf(name, input, 'current')}`, input };
}

describe('the request of a task', () => {
  it.each<readonly [string, RequestTask]>([
    ['GET /restpp/query/fraud/ring_scan?depth=3', { kind: 'installed_query', method: 'get', ...query }],
    ['POST /restpp/query/fraud/ring_scan', { kind: 'installed_query', method: 'post', ...query }],
    ['POST /gsql/v1/queries/interpret?depth=3', { kind: 'interpreted_query', statement: 'INTERPRET', ...query }],
    [
      'POST /gsql/v1/library/GDBMS_ALGO.a?graph=fraud',
      { kind: 'template_query', template: 'GDBMS_ALGO.a', parameters: { v: source } },
    ],
    [
      'GET /restpp/graph/fraud/vertices/Account/a?timeout=3&select=x%2Cy',
      { kind: 'vertex', vertex: source, select: ['x', 'y'] },
    ],
    ['GET /restpp/graph/fraud/edges/Account/a?timeout=3', { kind: 'edges', selection: { source }, select: [] }],
    [
      'GET /restpp/graph/fraud/edges/Account/a/t?timeout=3&limit=5',
      { kind: 'edges', selection: { source, edgeType: 't', limit: 5 }, select: [] },
    ],
    [
      'GET /restpp/graph/fraud/edges/Account/a/t/P?timeout=3',
      { kind: 'edges', selection: { source, edgeType: 't', targetType: 'P' }, select: [] },
    ],
    [
      'GET /restpp/graph/fraud/edges/Account/a/t/P/b?timeout=3',
      { kind: 'edges', selection: { source, edgeType: 't', targetType: 'P', targetId: 'b' }, select: [] },
    ],
    ['POST /restpp/shortestpath/fraud', { kind: 'shortest_path', search }],
    ['POST /restpp/allpaths/fraud', { kind: 'all_paths', search }],
  ])('is %s', (request, task) => {
    expect(sent(task).request).toBe(request);
  });

  it('carries the limits of a query as headers, and parameters of a POST as JSON', () => {
    const { input } = sent({ kind: 'installed_query', method: 'post', ...query });
    expect(input).toMatchObject({ body: { depth: 3 }, headers: limits });
    expect(sent({ kind: 'interpreted_query', statement: 'INTERPRET', ...query }).input).toMatchObject({
      text: 'INTERPRET',
      headers: limits,
    });
  });

  it('has the type of a vertex as a parameter of a template', () => {
    const { input } = sent({ kind: 'template_query', template: 'GDBMS_ALGO.a', parameters: { v: source } });
    expect(input.body).toEqual({ v: 'a', 'v.type': 'Account' });
  });

  it('describes a search by one source or several, with the filters and options that are set', () => {
    expect(sent({ kind: 'shortest_path', search: { ...search, allShortest: true } }).input.body).toEqual({
      source,
      targets: search.targets,
      vertexFilters: search.vertexFilters,
      edgeFilters: search.edgeFilters,
      allShortestPaths: true,
    });
    const plain = { sources: [source], targets: [source], vertexFilters: [], edgeFilters: [], maxLength: 3 };
    expect(sent({ kind: 'all_paths', search: plain }).input.body).toEqual({ source, target: source, maxLength: 3 });
  });
});
