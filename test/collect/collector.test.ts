import { describe, expect, it } from 'vitest';
import { type Collector, collector } from '../../src/collect/collector.ts';
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
  it('hides the type of its facts, and nothing else', () => {
    const declared: Collector = collector(definition);
    expect(declared).toBe(definition);
  });

  it('hands the facts of its read to its samples', async () => {
    const { lines } = await pollOnce(collector(definition), { graphs: ok(['fraud', 'risk']) });
    expect(lines).toEqual(['graphdb_graphs 2']);
  });
});
