import { describe, expect, it } from 'vitest';
import { checkHostGates, hostsView } from '../../src/config/gate-checks.ts';

const memory = { node_memory: '> 0.9', for: '1m' };
const cpu = { node_cpu: '> 0.9', for: '1m' };
const queue = { queue_depth: '> 9', for: '1m' };
const nameless = [{ name: 'm1' }, { name: 'm2' }];

function found(gate: unknown, nodes: unknown = nameless): readonly string[] {
  const findings = checkHostGates(['gate'], gate, { nodes: hostsView.parse(nodes), at: 2 });
  return findings.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const never = [
  'gate: never opens, because no node of clusters[2] has a host_id; set the host_id that the server reports',
];

describe('a gate without a node with a host', () => {
  it.each([
    [{ all: [queue, memory] }, never],
    [{ any: [memory, cpu] }, never],
    [{ any: [memory, queue] }, []],
    [{ any: [queue] }, []],
    [{ any: [] }, []],
    [undefined, []],
    ['x', []],
    [{ any: 'x', all: [null, 7] }, []],
    [{ any: [null] }, []],
  ])('is reported only if it never opens: %j', (gate, complaints) => {
    expect(found(gate)).toEqual(complaints);
  });

  it('is also reported for a cluster with discovered nodes', () => {
    expect(found({ all: [cpu] }, null)).toEqual(never);
  });

  it.each([[[{ host_id: 'h1' }, { name: 'm2' }]], [['odd']], [[{ host_id: 7 }]]])(
    '%j has a host, or may have one',
    (nodes) => {
      expect(found({ all: [cpu] }, nodes)).toEqual([]);
    },
  );
});
