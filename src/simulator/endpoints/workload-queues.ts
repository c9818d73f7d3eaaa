import { z } from 'zod';
import type { Endpoint } from '../call.ts';
import { json, restppError } from '../replies.ts';
import { inQueue } from '../world/node-load.ts';
import { type QueueName, queueNames, type SimulatedQuery } from '../world/query.ts';
import type { HostState } from '../world/world.ts';

const bodySchema = z.object({
  queuelist: z.array(z.string()).optional(),
  mode: z.enum(['stats', 'verbose']).default('stats'),
});

type QueueStatusRequest = z.infer<typeof bodySchema>;

const version = { edition: 'enterprise', api: 'v2', schema: 0 } as const;

/** `POST /restpp/workload-manager/queuestatus`: every engine of the cluster in one call, counts or ids. */
export const workloadQueues: Endpoint = ({ world, body }) => {
  const wanted = readBody(body);
  if (wanted === undefined) return restppError(400, 'REST-30000', 'The payload is not a queue status request.');
  const instances = world.hosts
    .filter(({ isDown }) => !isDown)
    .map((node) => ({
      version,
      error: false,
      message: '',
      results: { [node.host.engine]: queuesOf(node, wanted) },
    }));
  return json({
    version,
    error: false,
    message: 'Completes',
    WorkloadQueueStatusByInstances: instances,
    code: 'REST-0000',
  });
};

function readBody(body: string): QueueStatusRequest | undefined {
  try {
    const value: unknown = body.trim() === '' ? {} : JSON.parse(body);
    return bodySchema.safeParse(value).data;
  } catch {
    return undefined;
  }
}

function queuesOf({ load }: HostState, { queuelist, mode }: QueueStatusRequest): readonly unknown[] {
  const show = (queries: readonly SimulatedQuery[]): unknown =>
    mode === 'stats' ? queries.length : queries.map(({ requestId }) => requestId);
  return queueNames
    .filter((name: QueueName) => queuelist === undefined || queuelist.includes(name))
    .map((name) => ({
      WorkloadQueueName: name,
      maxConcurrentQueries: load.limits[name].running,
      maxDelayQueueSize: load.limits[name].delayed,
      runningQueries: show(inQueue(load.running, name)),
      delayQueries: show(inQueue(load.delayed, name)),
    }));
}
