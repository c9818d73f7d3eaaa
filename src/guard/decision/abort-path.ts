import { isGraphName } from '../../graphdb/graph-name.ts';
import { readRequestId } from '../../graphdb/request-id.ts';
import { err, ok, type Result } from '../../kernel/result.ts';

/**
 * The path of the only call with which a query can be aborted, below the prefix of its api. Here alone an id becomes a
 * request: exactly one, of the strict form, in a graph that is known. Both are written as they are, since neither can
 * hold a character that means anything in a url.
 */
export function abortPath(
  { id, graph }: { readonly id: string; readonly graph: string },
  knownGraphs: ReadonlySet<string>,
): Result<string, 'id' | 'graph'> {
  if (readRequestId(id) === undefined) return err('id');
  if (!isGraphName(graph) || !knownGraphs.has(graph)) return err('graph');
  return ok(`/abortquery/${graph}?requestid=${id}`);
}
