import { z } from 'zod';
import { failure } from '../../kernel/failure.ts';
import { err } from '../../kernel/result.ts';
import type { QueryDefinition, QueryState } from '../../model/inventory.ts';
import type { Caller } from '../caller.ts';
import type { Answer } from '../graph-db.ts';
import { isGraphName } from '../query-identity.ts';
import { booleanSchema, parserOf, textOrEmpty } from '../reply-schemas.ts';
import { fetchList } from './list.ts';

const definition = parserOf(
  z.object({
    name: z.string().min(1).max(1000),
    installed: booleanSchema.nullish(),
    installing: booleanSchema.nullish(),
    enabled: booleanSchema.nullish(),
    status: textOrEmpty.catch(''),
  }),
);

const invalidName = failure('unsupported', 'the name of the graph is invalid');

/** `GET /gsql/v1/queries/info` of a graph. The text of a query is in the answer, and is dropped at once. */
export async function fetchQueryDefinitions(
  caller: Caller,
  graph: string,
  signal: AbortSignal,
): Answer<readonly QueryDefinition[]> {
  if (!isGraphName(graph)) return err(caller.withContext('queryDefinitions', invalidName));
  const entry = (value: unknown): QueryDefinition | undefined => {
    const read = definition(value);
    return read && { graph, name: read.name, state: stateOf(read) };
  };
  return await fetchList(
    caller,
    { name: 'queryDefinitions', input: { query: { graph } }, member: 'results', entry, needs: 'all' },
    signal,
  );
}

/** Returns the state of a query. A field that the server omits does not indicate a problem. */
function stateOf({ installed, installing, enabled, status }: NonNullable<ReturnType<typeof definition>>): QueryState {
  if (installing === true) return 'installing';
  if (status !== '' && status !== 'VALID') return 'invalid';
  if (enabled === false) return 'disabled';
  return installed === true ? 'installed' : 'draft';
}
