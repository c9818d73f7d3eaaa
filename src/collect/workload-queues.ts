import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { WorkloadQueue } from '../model/query.ts';
import { collector } from './collector.ts';
import { distinct, keyOf } from './distinct.ts';

const source = 'POST /restpp/workload-manager/queuestatus';
const labels = ['engine', 'queue'] as const;

const running = gauge({
  name: 'graphdb_workload_queue_running',
  help: 'Queries that a workload queue runs on an engine: runningQueries.',
  labels,
  source: `${source}: runningQueries`,
});

const delayed = gauge({
  name: 'graphdb_workload_queue_delayed',
  help: 'Queries that wait in a workload queue of an engine: delayQueries.',
  labels,
  source: `${source}: delayQueries`,
});

const runningLimit = gauge({
  name: 'graphdb_workload_queue_running_limit',
  help: 'Queries that a workload queue may run at once on an engine: maxConcurrentQueries.',
  labels,
  source: `${source}: maxConcurrentQueries`,
});

const delayedLimit = gauge({
  name: 'graphdb_workload_queue_delayed_limit',
  help: 'Queries that may wait in a workload queue of an engine before more are refused: maxDelayQueueSize.',
  labels,
  source: `${source}: maxDelayQueueSize`,
});

/** How full every workload queue of every engine is: one call covers the cluster. */
export const workloadQueues = collector<readonly WorkloadQueue[]>({
  name: 'workload_queues',
  about: 'Running and delayed queries of each workload queue beside its limits.',
  scope: 'cluster',
  metrics: [running, delayed, runningLimit, delayedLimit],
  defaults: { enabled: true, every: 15_000, timeout: 5000 },
  calls: ['queueStatus'],
  privilege: '',
  read: (db, signal) => db.queueStatus(signal),
  samples,
});

function* samples(queues: readonly WorkloadQueue[]): Generator<Sample> {
  for (const row of distinct(queues, ({ engine, queue }) => keyOf(engine, queue))) {
    const queue = { engine: row.engine, queue: row.queue };
    yield sample(running, queue, row.running);
    yield sample(delayed, queue, row.delayed);
    yield sample(runningLimit, queue, row.runningLimit);
    yield sample(delayedLimit, queue, row.delayedLimit);
  }
}
