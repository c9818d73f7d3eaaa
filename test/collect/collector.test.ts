import { describe, expect, it } from 'vitest';
import { collectors } from '../../src/collect/all.ts';
import { type Collector, collector, isList } from '../../src/collect/collector.ts';
import { ok } from '../../src/kernel/result.ts';
import { gauge, sample } from '../../src/metric/metric.ts';
import { pollOnce } from '../support/poll-results.ts';

const graphCount = gauge({ name: 'graphdb_graphs', help: 'Graphs.', source: 'GET /gsql/v1/schema/graphs' });
const definition: Collector<readonly string[]> = {
  name: 'graphs',
  about: 'How many graphs there are.',
  scope: 'cluster',
  metrics: [graphCount],
  defaults: { enabled: true, interval: 60_000, timeout: 5000 },
  calls: ['graphs'],
  privilege: '',
  poll: (db, signal) => db.graphs(signal),
  samples: (names) => [sample(graphCount, {}, names.length)],
};

describe('collector', () => {
  it('is the same object with an erased fact type', () => {
    const declared: Collector = collector(definition);
    expect(declared).toBe(definition);
  });

  it('passes the facts of its poll to its samples', async () => {
    const { lines } = await pollOnce(collector(definition), { graphs: ok(['fraud', 'risk']) });
    expect(lines).toEqual(['graphdb_graphs 2']);
  });

  it('is a list if it lists running or delayed queries', () => {
    const names = collectors.filter(isList).map(({ name }) => name);
    expect(names.toSorted()).toEqual(['delayed_queries', 'queries']);
  });
});
