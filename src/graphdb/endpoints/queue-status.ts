import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, mapResult } from '../../kernel/result.ts';
import type { QueueStatus, WorkloadQueue } from '../../model/query.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { booleanSchema, numberOrZero, parserOf, rawList } from '../reply-schemas.ts';
import { parseEntries } from './list.ts';

/** `verbose` lists the requests of a queue, `stats` counts them. */
const population = z
  .union([rawList.transform((requests) => requests.length), numberOrZero])
  .nullish()
  .transform((value) => value ?? 0);

const queue = parserOf(
  z.object({
    WorkloadQueueName: z.string().min(1),
    maxConcurrentQueries: numberOrZero,
    maxDelayQueueSize: numberOrZero,
    runningQueries: population,
    delayQueries: population,
  }),
);
const instance = parserOf(
  z.object({ error: booleanSchema.nullish().catch(undefined), results: z.record(z.string(), rawList) }),
);
const instances = z.object({ WorkloadQueueStatusByInstances: rawList });

/**
 * `POST /restpp/workload-manager/queuestatus` for all queues: one reply contains all engine instances of the cluster, each in
 * its own envelope, which may report an error. The mode is `verbose`, because its format is known.
 */
export async function fetchQueueStatus(caller: Caller, signal: AbortSignal): Answer<QueueStatus> {
  const json = await caller.json('queueStatus', { body: { mode: 'verbose' } }, signal);
  if (!json.ok) return json;
  const read = instances.safeParse(json.value);
  const answers = read.success ? read.data.WorkloadQueueStatusByInstances : [];
  const parsed = answers.map((answer) => instance(answer));
  const engines = parsed.flatMap((answer) => Object.entries(answer?.results ?? {}));
  if (!read.success || (answers.length > 0 && engines.length === 0)) {
    return err(caller.withContext('queueStatus', failure('body', 'the response contains no queues by instance')));
  }
  const entries = engines.flatMap(([engine, queues]) => queues.map((item) => ({ engine, item })));
  const queues = await parseEntries(caller, { name: 'queueStatus', entries, entry: parseQueue }, signal);
  const isComplete = parsed.every((answer) => answer !== undefined && answer.error !== true);
  return mapResult(queues, (listed) => ({ queues: listed, isComplete }));
}

function parseQueue({ engine, item }: { readonly engine: string; readonly item: unknown }): WorkloadQueue | undefined {
  const read = queue(item);
  if (read === undefined) return undefined;
  return {
    engine,
    queue: read.WorkloadQueueName,
    running: read.runningQueries,
    delayed: read.delayQueries,
    runningLimit: read.maxConcurrentQueries,
    delayedLimit: read.maxDelayQueueSize,
  };
}
