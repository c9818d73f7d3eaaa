import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { VectorStatus } from '../../model/inventory.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { booleanSchema, rawList } from '../reply-schemas.ts';

const status = z.object({
  NeedRebuildServers: rawList.nullish(),
  status: z.string().max(1000).nullish(),
  Ready_for_query: booleanSchema.nullish(),
});
const reply = z.object({ results: status.nullish().catch(undefined), ...status.shape });

/**
 * `GET /restpp/vector/status/{graph}`, of 4.2 and later: the engines that have to rebuild vector indexes of a graph. The
 * documents do not describe the request. Early versions reply with a word or a flag instead of the engines.
 */
export async function fetchVectorStatus(caller: Caller, graph: string, signal: AbortSignal): Answer<VectorStatus> {
  const json = await caller.json('vectorStatus', { segments: { graph } }, signal);
  if (!json.ok) return json;
  const read = reply.safeParse(json.value);
  const rebuilding = read.success ? rebuildingEngines(read.data.results ?? read.data) : undefined;
  if (rebuilding !== undefined) return ok({ graph, rebuilding });
  return err(caller.withContext('vectorStatus', failure('body', 'the response contains no status of vector indexes')));
}

/** Number of engines that rebuild; 1 where the server states only that an index is not ready. */
function rebuildingEngines({
  NeedRebuildServers: engines,
  status: word,
  Ready_for_query: isReady,
}: z.output<typeof status>): number | undefined {
  if (engines !== null && engines !== undefined) return engines.length;
  const ready = typeof word === 'string' ? word === 'Ready_for_query' : isReady;
  return typeof ready === 'boolean' ? Number(!ready) : undefined;
}
