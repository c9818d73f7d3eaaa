import { describe, expect, it } from 'vitest';
import { checkHosts, hostsView } from '../../src/config/host-checks.ts';

const memory = { node_memory: '> 0.9', for: '1m' };
const cpu = { node_cpu: '> 0.9', for: '1m' };
const queue = { queue_depth: '> 9', for: '1m' };
const nameless = [{ name: 'm1' }, { name: 'm2' }];

function found(gate: unknown, nodes: unknown = nameless): readonly string[] {
  const findings = checkHosts(['gate'], gate, { nodes: hostsView.parse(nodes), at: 2 });
  return findings.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const never = ['gate: never opens: no node of clusters[2] has a host_id'];

describe('a gate where no node has a host', () => {
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
  ])('%j: %j', (gate, complaints) => {
    expect(found(gate)).toEqual(complaints);
  });

  it('is told of where nodes are discovered, too', () => {
    expect(found({ all: [cpu] }, null)).toEqual(never);
  });

  it.each([[[{ host_id: 'h1' }, { name: 'm2' }]], [['odd']], [[{ host_id: 7 }]]])(
    '%j has one, or may have',
    (nodes) => {
      expect(found({ all: [cpu] }, nodes)).toEqual([]);
    },
  );
});
