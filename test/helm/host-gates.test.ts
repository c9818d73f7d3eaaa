import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import type { Json } from '../../tools/generate/chart/value.ts';
import { configFiles, helm, renderAll, rendering, template } from './chart.ts';

const onMemory = { node_memory: '> 0.85', for: '2m' };
const onQueue = { queue_depth: '> 10', for: '1m' };
const nodes = [{ name: 'm1', url: 'http://10.0.0.1:14240' }];

const known = [{ ...nodes[0], host_id: 'm1' }];

interface Setting {
  readonly clusters?: readonly { readonly nodes?: Json }[];
  readonly mode?: string;
}

/** Values with one policy that has a gate, for all of some clusters. */
function values(gate: Json, { clusters = [{}], mode = 'enforce' }: Setting = {}) {
  const when = { graph: 'sandbox', query: 'adhoc_*', age: '> 5m' };
  const enforcing = { abortAuth: { existingSecret: 'abort' }, options: { allow_plain_http: true } };
  const named = clusters.map((one, at) => ({ name: `c${at}`, ...enforcing, ...one }));
  const policies = [{ name: 'room', mode, clusters: named.map(({ name }) => name), when, gate }];
  return { clusters: named, config: { guard: { mode: 'enforce', policies } } };
}

const both = values({ all: [onMemory] }, { clusters: [{ nodes: known }, {}] });
const [policy] = both.config.guard.policies;
/** The same, of a policy for the first of them alone. */
const elsewhere = { ...both, config: { guard: { mode: 'enforce', policies: [{ ...policy, clusters: ['c0'] }] } } };

const refused: readonly (readonly [string, object])[] = [
  ['in all', values({ all: [onMemory, onQueue] })],
  ['alone in any', values({ any: [{ node_cpu: '> 0.9', for: '2m' }, onMemory] })],
  ['of nodes without host_id', values({ all: [onMemory] }, { clusters: [{ nodes }] })],
  ['of the second cluster', both],
];
const taken: readonly (readonly [string, object])[] = [
  ['beside another', values({ any: [onMemory, onQueue] })],
  ['on queues', values({ all: [onQueue] })],
  ['of a policy that looks on', values({ all: [onMemory] }, { mode: 'observe' })],
  ['of nodes whose hosts are known', values({ all: [onMemory] }, { clusters: [{ nodes: known }] })],
  ['of another cluster', elsewhere],
];

describe.skipIf(helm === undefined)('a gate on hosts', () => {
  beforeAll(() => renderAll([...refused, ...taken].map(([, given]) => given)));

  it.each(refused)('is rejected if it would never open: %s', (_, given) => {
    expect(template({ values: given }).error).toMatch(/policy room never opens in c\d: no node has a host_id/);
  });

  it.each(taken)('is accepted if the program accepts it: %s', (_, given) => {
    const [file = ''] = configFiles(rendering({ values: given }));
    expect(loadConfig(file, 'graphwarden.yml', {})).toMatchObject({ ok: true });
  });
});
