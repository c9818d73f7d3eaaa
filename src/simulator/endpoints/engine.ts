import { z } from 'zod';
import type { Endpoint } from '../call.ts';
import { json, jsonText, restppError, restppResults } from '../replies.ts';
import { hexId } from '../seeded-random.ts';
import type { SimulatedCheckResult } from '../world/consistency-results.ts';
import { inQueue } from '../world/node-load.ts';
import { type QueueName, queueNames, type SimulatedQuery } from '../world/query.ts';
import type { HostState } from '../world/world.ts';
import { unknownGraph } from './database.ts';

/** `GET /restpp/statistics[/{graph}]?seconds&segments`: this node only; only errors have an envelope. */
export const statistics: Endpoint = ({ world, node, path, query }) => {
  const seconds = wholeNumber(query.get('seconds') ?? '', 60);
  const segments = wholeNumber(query.get('segments') ?? '10', 100);
  if (seconds === undefined) return badParameter('seconds', 'a positive integer of at most 60');
  if (segments === undefined) return badParameter('segments', 'an integer from 1 to 100');
  const graph = path.graph;
  if (graph === undefined) return json(world.statistics(node, { seconds, segments }));
  return unknownGraph(world, graph) ?? json(world.statistics(node, { seconds, segments, graph }));
};

function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text);
  return text !== '' && Number.isInteger(value) && value >= 1 && value <= most ? value : undefined;
}

function badParameter(name: string, wanted: string): ReturnType<typeof restppError> {
  return restppError(400, 'REST-30400', `The parameter '${name}' must be ${wanted}.`);
}

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

/** `GET /restpp/data_consistency_check`: the results are an object, and a failed check is not an error. */
export const dataConsistency: Endpoint = ({ world }) => {
  const found = world.consistencyResults.results.filter(({ check }) => check === 'data_consistency');
  const results = {
    GPESelfCheck: found
      .filter(({ engine }) => engine === '')
      .map((result) => ({ Partition: Number(result.partition), ...checkOutcome(result) })),
    GPEGSECheck: found
      .filter(({ partition }) => partition === '')
      .map((result) => ({ GPE: result.engine, ...checkOutcome(result) })),
  };
  return restppResults(results, checkMessage(found));
};

/** `GET /restpp/deleted_vertex_check`: one result per engine, with hashes that exceed the precision of a double. */
export const deletedVertices: Endpoint = ({ world }) => {
  const found = world.consistencyResults.results.filter(({ check }) => check === 'deleted_vertex');
  const results = found.map((result) => ({ GPE: result.engine, ...checkOutcome(result) }));
  const reply = restppResults(results, checkMessage(found));
  // JSON.stringify cannot write 64-bit integers: they are strings until here, where their quotes are removed.
  return jsonText(reply.body.replaceAll(/"(G|I)(PE|DS)DelHash":"(\d+)"/g, '"$1$2DelHash":$3'));
};

function checkOutcome({ engine, partition, unsynced }: SimulatedCheckResult): {
  PassCheck: boolean;
  UnSyncList: readonly unknown[];
} {
  const list = Array.from({ length: unsynced }, (_, index) => ({
    Segid: index,
    IsRemote: false,
    VertexType: 'Account',
    GPEDelHash: hash('gpe', engine, partition, index),
    IDSDelHash: hash('ids', engine, partition, index),
  }));
  return { PassCheck: unsynced === 0, UnSyncList: list };
}

function hash(...keys: readonly (string | number)[]): string {
  return (7_000_000_000_000_000_000n + BigInt(`0x${hexId(...keys).slice(0, 14)}`)).toString();
}

function checkMessage(found: readonly SimulatedCheckResult[]): string {
  return found.every(({ unsynced }) => unsynced === 0) ? 'check passed' : 'check failed';
}

/** `GET` and `POST /restpp/rebuildnow/{graph}`: a rebuild takes no time, and its graph is recorded for tests. */
export const rebuildGraph: Endpoint = ({ world, path }) => {
  const { graph = '' } = path;
  const refused = unknownGraph(world, graph);
  if (refused !== undefined) return refused;
  world.rebuiltGraphs.push(graph);
  return restppResults([], 'RebuildNow finished, please check details in the folder: /tmp/rebuildnow');
};
