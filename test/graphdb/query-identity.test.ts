import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQueryIdentity } from '../../src/graphdb/query-identity.ts';

describe('parseQueryIdentity', () => {
  it.each([
    ['/query/fraud/ring_scan?depth=4', 'fraud', 'ring_scan', 'installed'],
    ['/restpp/query/fraud/ring_scan', 'fraud', 'ring_scan', 'installed'],
    ['/restpp/query/restpp/restpp', 'restpp', 'restpp', 'installed'],
    ['/query/fraud/ring_scan#x', 'fraud', 'ring_scan', 'installed'],
    ['/sleepgpe?milliseconds=100000', '', 'sleepgpe', 'builtin'],
    ['/graph/social/vertices/User/canary', 'social', 'graph', 'builtin'],
    ['/builtins/social', 'social', 'builtins', 'builtin'],
    ['/showprocesslist/fraud', 'fraud', 'showprocesslist', 'builtin'],
    ['/showprocesslistall', '', 'showprocesslistall', 'builtin'],
    ['/gsqlserver/interpreted_query?canary=1', '', 'interpreted', 'interpreted'],
    ['/gsql/v1/queries/interpret', '', 'interpreted', 'interpreted'],
    ['/query/fraud', '', 'query', 'builtin'],
    ['/query/../ring_scan', '', 'query', 'builtin'],
    ['/graph/{graph_name}/x', '', 'graph', 'builtin'],
    ['', '', 'other', 'builtin'],
    ['/', '', 'other', 'builtin'],
    ['/€', '', 'other', 'builtin'],
  ])('parses %s', (url, graph, query, kind) => {
    expect(parseQueryIdentity(url)).toEqual({ graph, query, kind });
  });

  it('detects an interpreted query by its path, not by its name', () => {
    expect(parseQueryIdentity('/query/fraud/interpret_all')).toEqual({
      graph: 'fraud',
      query: 'interpret_all',
      kind: 'installed',
    });
  });

  it('returns only words, for any URL', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webPath(),
          fc.string().map((path) => `/query/${path}`),
        ),
        (url) => {
          const { graph, query } = parseQueryIdentity(url);
          expect(graph).toMatch(/^\w{0,128}$/);
          expect(query).toMatch(/^[\w.-]{1,128}$/);
        },
      ),
    );
  });
});
