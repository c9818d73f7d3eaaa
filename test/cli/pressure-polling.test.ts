import { describe, expect, it } from 'vitest';
import { type PolledNode, pressurePolls } from '../../src/cli/pressure-polling.ts';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ok } from '../../src/kernel/result.ts';
import type { DelayedQuery } from '../../src/model/query.ts';
import { policyOf } from '../guard/parsed-policy.ts';
import { FakeClock } from '../support/clock.ts';
import { failed, fakeGraphDb, type GraphDbScript } from '../support/fake-graphdb.ts';

function configured(collectors: object = {}): Config {
  const nodes = [{ name: 'm1', url: 'http://10.0.0.1:14240' }];
  const loaded = loadConfig(JSON.stringify({ clusters: [{ name: 'prod', nodes }], collectors }), 'a', {});
  if (!loaded.ok) throw new Error('a configuration with problems');
  return loaded.value;
}

function nodeOf(script: GraphDbScript, name = 'm1', hostId?: string): PolledNode {
  const settings = { name, url: 'http://10.0.0.1:14240', ...(hostId === undefined ? {} : { hostId }) };
  return { settings, db: fakeGraphDb(script) };
}

const gated = (...clauses: readonly object[]) => policyOf({ gate: { any: clauses } });
const byQueue = gated({ queue_oldest: '> 10s', for: '1m' });
const byHost = gated({ node_memory: '> 0.8', for: '1m' });
const waiting = (elapsed: number): DelayedQuery => ({
  partialId: '1',
  graph: 'g',
  query: 'q',
  kind: 'installed',
  elapsed,
});
const signal = new AbortController().signal;

describe('recorded pressures', () => {
  it('are those that gates use', () => {
    const nodes = [nodeOf({}), nodeOf({}, 'm2')];
    const sourcesOf = (...policies: readonly ReturnType<typeof policyOf>[]) =>
      pressurePolls(policies, nodes, configured()).map(({ sources, interval }) => [...sources, interval]);
    expect(sourcesOf(policyOf())).toEqual([]);
    expect(sourcesOf(byQueue)).toEqual([
      ['queue_depth', 'queue_oldest', 5000],
      ['queue_depth', 'queue_oldest', 5000],
    ]);
    expect(sourcesOf(byHost)).toHaveLength(1);
    expect(sourcesOf(byHost, byQueue)).toHaveLength(3);
  });

  it('omit those of a disabled collector', () => {
    const off = configured({
      delayed_queries: { enabled: false },
      metrics: { enabled: false },
      categories: { enabled: false },
    });
    expect(pressurePolls([byQueue, byHost], [nodeOf({})], off)).toEqual([]);
  });

  it('contain the length of the queue of a node and its longest wait', async () => {
    const node = nodeOf({ graphs: ok(['g']), delayedList: ok([waiting(4000), waiting(9000)]) });
    const [round] = pressurePolls([byQueue], [node], configured());
    expect(await round?.poll(new FakeClock(), signal)).toEqual([
      { node: 'm1', source: 'queue_depth', value: 2, collectedAt: 0, interval: 5000 },
      { node: 'm1', source: 'queue_oldest', value: 9000, collectedAt: 0, interval: 5000 },
    ]);
  });

  it('contain 0 for an empty queue, and no value for an unknown one', async () => {
    const empty = nodeOf({ graphs: ok(['g']), delayedList: ok([]) });
    const lost = nodeOf({ graphs: ok(['g']), delayedList: failed('timeout') }, 'm2');
    const rounds = pressurePolls([byQueue], [empty, lost], configured());
    const all = await Promise.all(rounds.map((round) => round.poll(new FakeClock(), signal)));
    expect(all.flat().map(({ node, value }) => [node, value])).toEqual([
      ['m1', 0],
      ['m1', 0],
      ['m2', undefined],
      ['m2', undefined],
    ]);
  });

  it('contain hosts from the first node that answers, limited to hosts with a configured node', async () => {
    const nodes = [
      nodeOf({ informantMetrics: failed('timeout') }, 'm1', 'h1'),
      nodeOf({ informantMetrics: failed('unreachable') }, 'm2'),
    ];
    const [round] = pressurePolls([byHost], nodes, configured());
    expect(await round?.poll(new FakeClock(), signal)).toEqual([
      { node: 'm1', source: 'node_memory', value: undefined, collectedAt: 0, interval: 60_000 },
      { node: 'm1', source: 'node_cpu', value: undefined, collectedAt: 0, interval: 60_000 },
    ]);
  });
});
