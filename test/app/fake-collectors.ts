import { type Collector, collector, type PollOutcome } from '../../src/collect/collector.ts';
import type { GraphDb } from '../../src/graphdb/graph-db.ts';
import { counter, gauge, sample } from '../../src/metric/metric.ts';

const up = gauge({ name: 'graphdb_up', help: 'Up.', source: 'test' });
const load = gauge({ name: 'graphdb_load', help: 'Load.', source: 'test' });
const bytes = counter({ name: 'graphdb_bytes_total', help: 'Bytes.', source: 'test' });
const listed = gauge({ name: 'graphdb_listed', help: 'Listed.', source: 'test' });
const collected = gauge({ name: 'graphdb_collected', help: 'Collected.', source: 'test' });
const verdictLabels = ['check', 'graph', 'partition', 'engine'] as const;
const passed = gauge({
  name: 'graphdb_check_passed',
  help: 'Passed.',
  labels: verdictLabels,
  source: 'test',
  keep: true,
});
const lastRun = gauge({
  name: 'graphdb_check_last_run_timestamp_seconds',
  help: 'Last run.',
  labels: verdictLabels,
  source: 'test',
  keep: true,
});
const verdict = { check: 'data_consistency', graph: '', partition: '', engine: '' };

/** Requests of the collectors. */
interface FakeNodes {
  read(name: string, db: GraphDb, signal: AbortSignal): Promise<PollOutcome<number>>;
}

/** Five collectors, one of each kind: liveness, cluster-wide, yielding, dear, and by calendar. */
export function fakeCollectors(nodes: FakeNodes): readonly Collector[] {
  const common = { about: 'A test.', privilege: '', calls: [] };
  const reader = (name: string) => ({ name, poll: nodes.read.bind(nodes, name) });
  return [
    collector<number>({
      ...common,
      ...reader('health'),
      scope: 'node',
      metrics: [up],
      defaults: { enabled: true, interval: 5000, timeout: 3000 },
      samples: () => [sample(up, {}, 1)],
      failureSamples: () => [sample(up, {}, 0)],
    }),
    collector<number>({
      ...common,
      ...reader('load'),
      scope: 'cluster',
      metrics: [load, bytes],
      defaults: { enabled: true, interval: 10_000, timeout: 2000 },
      samples: (facts) => [sample(load, {}, facts), sample(bytes, {}, facts)],
    }),
    collector<number>({
      ...common,
      ...reader('backup'),
      scope: 'cluster',
      metrics: [load, bytes, collected],
      fallbackFor: 'load',
      defaults: { enabled: true, interval: 20_000, timeout: 2000 },
      samples: (facts) => [sample(load, {}, facts + 100), sample(collected, {}, facts)],
    }),
    collector<number>({
      ...common,
      ...reader('lists'),
      calls: ['processListAll'],
      scope: 'node',
      metrics: [listed],
      defaults: { enabled: true, interval: 5000, timeout: 3000 },
      samples: (facts) => [sample(listed, {}, facts)],
    }),
    collector<number>({
      ...common,
      ...reader('check'),
      scope: 'cluster',
      metrics: [passed, lastRun],
      defaults: { enabled: false, interval: 604_800_000, timeout: 1_800_000, schedule: '0 3 * * SUN' },
      samples: (facts, at) => [sample(passed, verdict, facts), sample(lastRun, verdict, at.wall / 1000)],
    }),
  ];
}
