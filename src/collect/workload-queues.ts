import type { GraphDb } from '../graphdb/graph-db.ts';
import { failure } from '../kernel/failure.ts';
import { ok } from '../kernel/result.ts';
import { gauge, type Sample, sample } from '../metric/metric.ts';
import type { WorkloadQueue } from '../model/query.ts';
import { collector, type PollOutcome } from './collector.ts';
import { compositeKey, distinctBy } from './keyed-rows.ts';

const source = 'POST /restpp/workload-manager/queuestatus';
const labels = ['engine', 'queue'] as const;

const running = gauge({
  name: 'graphdb_workload_queue_running_queries',
  help: 'Number of running queries of the workload queue on the engine.',
  labels,
  source: `${source}: runningQueries`,
});

const delayed = gauge({
  name: 'graphdb_workload_queue_delayed_queries',
  help: 'Number of delayed queries of the workload queue on the engine.',
  labels,
  source: `${source}: delayQueries`,
});

const runningLimit = gauge({
  name: 'graphdb_workload_queue_running_limit',
  help: 'Maximum concurrent queries of the workload queue on the engine.',
  labels,
  source: `${source}: maxConcurrentQueries`,
});

const delayedLimit = gauge({
  name: 'graphdb_workload_queue_delayed_limit',
  help: 'Maximum delayed queries of the workload queue on the engine; the server rejects further queries.',
  labels,
  source: `${source}: maxDelayQueueSize`,
});

/** Load of every workload queue of every engine; one call covers the cluster. */
export const workloadQueues = collector<readonly WorkloadQueue[]>({
  name: 'workload_queues',
  about: 'Running and delayed queries of each workload queue, and its limits.',
  scope: 'cluster',
  metrics: [running, delayed, runningLimit, delayedLimit],
  defaults: { enabled: true, interval: 15_000, timeout: 5000 },
  calls: ['queueStatus'],
  privilege: '',
  poll,
  samples,
});

/** An engine that reports an error has no load of 0: the poll fails with the queues of the others. */
async function poll(db: GraphDb, signal: AbortSignal): Promise<PollOutcome<readonly WorkloadQueue[]>> {
  const answer = await db.queueStatus(signal);
  if (!answer.ok) return answer;
  const { queues, isComplete } = answer.value;
  if (isComplete) return ok(queues);
  const error = failure('body', `POST /restpp/workload-manager/queuestatus on ${db.node}: an engine reports an error`);
  return { ok: false, error, partial: queues };
}

function* samples(queues: readonly WorkloadQueue[]): Generator<Sample> {
  for (const row of distinctBy(queues, ({ engine, queue }) => compositeKey(engine, queue))) {
    const queue = { engine: row.engine, queue: row.queue };
    yield sample(running, queue, row.running);
    yield sample(delayed, queue, row.delayed);
    yield sample(runningLimit, queue, row.runningLimit);
    yield sample(delayedLimit, queue, row.delayedLimit);
  }
}
