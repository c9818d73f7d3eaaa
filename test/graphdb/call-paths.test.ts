import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isVertexId, pathOf, tracedPathOf } from '../../src/graphdb/call-paths.ts';
import { anyCharacter } from '../support/any-character.ts';

const vertex = { graph: 'fraud', vertexType: 'Account', vertexId: 'a 1' };

describe('the id of a vertex in a path', () => {
  it('is encoded, and is the same after decoding', () => {
    expect(pathOf('vertex', { segments: vertex }, 'current')).toBe('/restpp/graph/fraud/vertices/Account/a%201');
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), (vertexId) => {
        const path = pathOf('vertex', { segments: { ...vertex, vertexId } }, 'older');
        expect(path === undefined).toBe(!isVertexId(vertexId));
        if (path === undefined) return;
        const parts = new URL(path, 'http://m1').pathname.split('/');
        expect(parts.slice(0, 5)).toEqual(['', 'graph', 'fraud', 'vertices', 'Account']);
        expect(parts.slice(5).map(decodeURIComponent)).toEqual([vertexId]);
      }),
    );
  });

  it.each(['', '.', '..', '...', 'a/b', 'a\\b', '%2f', 'a?b', 'a#b', 'a\nb', '\ud800', 'x'.repeat(513)])(
    'is refused if a proxy could read it as something else: %j',
    (id) => {
      expect(isVertexId(id)).toBe(false);
      expect(pathOf('vertex', { segments: { ...vertex, vertexId: id } }, 'current')).toBeUndefined();
    },
  );

  it('is a placeholder in the path of a trace', () => {
    expect(tracedPathOf('vertex', { segments: vertex }, 'current')).toBe('/restpp/graph/fraud/vertices/Account/ID');
    expect(tracedPathOf('vertex', { segments: {} }, 'current')).toBeUndefined();
  });
});

describe('the fixed parameters of a call', () => {
  it('are neither replaced nor repeated', () => {
    const parameters = [
      { name: 'tag', value: 'other' },
      { name: 'eol', value: 'x' },
    ];
    const path = pathOf('loadHeartbeat', { segments: { graph: 'g' }, query: { tag: 'other' }, parameters }, 'older');
    expect(path).toBe('/ddl/g?tag=graphwarden_heartbeat&filename=heartbeat&sep=%2C&ack=all&eol=x');
  });

  it('contain the segment that older versions expect in the query string', () => {
    const input = { segments: { template: 'GDBMS_ALGO.centrality.pagerank' }, query: { graph: 'g' } };
    expect(pathOf('templateQuery', input, 'current')).toBe('/gsql/v1/library/GDBMS_ALGO.centrality.pagerank?graph=g');
    expect(pathOf('templateQuery', input, 'older')).toBe(
      '/gsql/library?graph=g&functionName=GDBMS_ALGO.centrality.pagerank',
    );
  });
});
