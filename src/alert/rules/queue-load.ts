import type { Situation } from '../../model/situation.ts';

const prefix = 'graphdb_workload_queue_';

/** Families of the load of workload queues, and of the limits that the server sets. */
export const queueFamilies = {
  running: `${prefix}running_queries`,
  delayed: `${prefix}delayed_queries`,
  runningLimit: `${prefix}running_limit`,
  delayedLimit: `${prefix}delayed_limit`,
} as const;

/** Labels that identify a workload queue of one engine. */
export const queueLabels = ['engine', 'queue'] as const;

/** Load of one workload queue of one engine, in queries. */
export interface QueueLoad {
  readonly labels: Readonly<Record<(typeof queueLabels)[number], string>>;
  readonly running: number;
  readonly delayed: number;
  readonly runningLimit: number;
  readonly delayedLimit: number;
}

/** Yields the load of every workload queue whose four series are fresh. */
export function* queueLoads({ samples }: Pick<Situation, 'samples'>): Generator<QueueLoad> {
  const running = valuesByQueue(samples(queueFamilies.running));
  const runningLimits = valuesByQueue(samples(queueFamilies.runningLimit));
  const delayedLimits = valuesByQueue(samples(queueFamilies.delayedLimit));
  for (const { labels, value: delayed } of samples(queueFamilies.delayed)) {
    const { engine = '', queue = '' } = labels;
    const key = queueKey(labels);
    const [runs, runningLimit, delayedLimit] = [running, runningLimits, delayedLimits].map((values) => values.get(key));
    if (runs === undefined || runningLimit === undefined || delayedLimit === undefined) continue;
    yield { labels: { engine, queue }, running: runs, delayed, runningLimit, delayedLimit };
  }
}

function valuesByQueue(facts: ReturnType<Situation['samples']>): ReadonlyMap<string, number> {
  return new Map(facts.map(({ labels, value }) => [queueKey(labels), value]));
}

function queueKey({ engine, queue }: Readonly<Record<string, string>>): string {
  return JSON.stringify([engine, queue]);
}
