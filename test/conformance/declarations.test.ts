import { describe, expect, it } from 'vitest';
import { counter, gauge, type Metric, summary } from '../../src/metric/metric.ts';
import { declarationProblems } from './declarations.ts';

const good = { name: 'graphdb_disk_free_bytes', help: 'Free space.', source: 'GET /informant/metrics: diskspace_free' };

describe('complaintsAbout', () => {
  it.each<[string, Metric]>([
    ['a gauge', gauge(good)],
    ['a counter', counter({ ...good, name: 'graphdb_network_bytes_total', labels: ['host_id'] })],
    ['a summary', summary({ ...good, name: 'graphdb_latency_seconds', labels: ['quantile'] })],
  ])('returns no problem for %s', (_, metric) => {
    expect(declarationProblems(metric)).toEqual([]);
  });

  it.each<[string, Metric]>([
    ['another prefix', gauge({ ...good, name: 'svc_disk_free_bytes' })],
    ['capitals', gauge({ ...good, name: 'graphdb_diskFree_bytes' })],
    ['a gauge that is a total', gauge({ ...good, name: 'graphdb_requests_total' })],
    ['a counter that is none', counter(good)],
    ['milliseconds', gauge({ ...good, name: 'graphdb_latency_ms' })],
    ['megabytes', gauge({ ...good, name: 'graphdb_disk_free_mb' })],
    ['percent', gauge({ ...good, name: 'graphdb_cpu_percent' })],
    ['a part of a histogram', gauge({ ...good, name: 'graphdb_latency_bucket' })],
    ['no help', gauge({ ...good, help: '' })],
    ['half a sentence', gauge({ ...good, help: 'free space' })],
    ['two lines', gauge({ ...good, help: 'Free\nspace.' })],
    ['no source', gauge({ ...good, source: 'the server' })],
    ['a label of the runner', gauge({ ...good, labels: ['node'] })],
    ['a label of the scraper', gauge({ ...good, labels: ['instance'] })],
    ['a label in capitals', gauge({ ...good, labels: ['hostId'] })],
    ['a label twice', gauge({ ...good, labels: ['graph', 'graph'] })],
    ['quantiles of a gauge', gauge({ ...good, labels: ['quantile'] })],
    ['a summary without quantiles', summary({ ...good, name: 'graphdb_latency_seconds' })],
  ])('returns a problem for %s', (_, metric) => {
    expect(declarationProblems(metric)).toHaveLength(1);
  });
});
