import { describe, expect, it } from 'vitest';
import { DuplicateNodes } from '../../../src/app/guard/duplicate-nodes.ts';

/** Clusters with their nodes, and what the guard of each was given. */
function clustersWith(nodes: Readonly<Record<string, Readonly<Record<string, string>>>>) {
  const excluded: Record<string, readonly string[]> = {};
  const guards = new Map(
    Object.keys(nodes).map((cluster) => [
      cluster,
      {
        setSharedNodes(names: readonly string[]) {
          excluded[cluster] = names;
        },
      },
    ]),
  );
  const nodesOf = (cluster: string) => Object.entries(nodes[cluster] ?? {}).map(([name, url]) => ({ name, url }));
  return { excluded, guards, nodesOf };
}

describe('duplicate nodes', () => {
  it('are found by host, port and path, in the later cluster', () => {
    const { excluded, guards, nodesOf } = clustersWith({
      prod: { m1: 'http://10.0.0.1:14240', m2: 'http://10.0.0.2:14240/a' },
      copy: { x1: 'https://10.0.0.1:14240/', x2: 'http://10.0.0.2:14240/b', x3: 'http://10.0.0.1:14241' },
    });
    new DuplicateNodes().update(guards, nodesOf);
    expect(excluded).toEqual({ prod: [], copy: ['x1'] });
  });

  it('are found by the address of their lists, independent of their URLs', () => {
    const { excluded, guards, nodesOf } = clustersWith({
      prod: { m1: 'http://graph-1.example.org:14240' },
      copy: { m1: 'http://alias.example.org:14240', m2: 'http://other.example.org:14240' },
    });
    const shared = new DuplicateNodes();
    shared.record({ cluster: 'prod', node: 'm1' }, '10.0.0.1:14240');
    shared.record({ cluster: 'copy', node: 'm1' }, '10.0.0.1:14240');
    shared.record({ cluster: 'copy', node: 'm2' }, '');
    shared.update(guards, nodesOf);
    expect(excluded).toEqual({ prod: [], copy: ['m1'] });
  });
});
