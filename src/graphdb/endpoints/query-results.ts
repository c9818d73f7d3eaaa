import { failure } from '../../kernel/failure.ts';
import { err, ok } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import type { QueryLimits } from '../../model/probe.ts';
import type { QueryRun } from '../../model/query-run.ts';
import type { Caller } from '../caller.ts';
import type { CallInput, CallName } from '../calls.ts';
import type { Answer } from '../graph-db.ts';

const bytesPerMegabyte = 1_048_576;

/**
 * `GET /restpp/query/{graph}/{query}`, or `POST /gsql/v1/queries/interpret`: returns what the query prints. The server ends
 * the query at its timeout, so that a query whose reply is no longer needed does not keep running.
 */
export async function fetchQueryResults(caller: Caller, run: QueryRun, signal: AbortSignal): Answer<unknown> {
  const { name, input } = requestOf(run);
  const json = await caller.json(name, input, signal);
  if (!json.ok) return json;
  const { results } = json.value;
  if (typeof results === 'object' && results !== null) return ok(results);
  return err(caller.withContext(name, failure('body', 'the response contains no results')));
}

function requestOf(run: QueryRun): { readonly name: CallName; readonly input: CallInput } {
  const { graph, source, parameters, timeout } = run;
  const common = { parameters, headers: limitHeaders(timeout, run) };
  return 'installed' in source
    ? { name: 'runQuery', input: { ...common, segments: { graph, query: source.installed } } }
    : { name: 'interpretQuery', input: { ...common, text: source.interpreted } };
}

/** Returns the headers that limit one run of a query. */
export function limitHeaders(
  timeout: Millis,
  { replica, threads, memory }: QueryLimits,
): Readonly<Record<string, string>> {
  return {
    'GSQL-TIMEOUT': String(timeout),
    ...(replica !== undefined && { 'GSQL-REPLICA': String(replica) }),
    ...(threads !== undefined && { 'GSQL-THREAD-LIMIT': String(threads) }),
    ...(memory !== undefined && { 'GSQL-QueryLocalMemLimitMB': String(Math.ceil(memory / bytesPerMegabyte)) }),
  };
}
