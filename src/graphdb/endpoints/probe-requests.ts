import { type Millis, toSeconds } from '../../kernel/time.ts';
import type { EdgeSelection, PathSearch, ProbeTask, TypedVertex } from '../../model/probe.ts';
import type { CallInput, CallName } from '../calls.ts';
import { jsonParameters, queryStringParameters, templateParameters } from '../parameter-encoding.ts';
import { limitHeaders } from './query-results.ts';

/** Call of the client with its input. */
export interface CallRequest {
  readonly name: CallName;
  readonly input: CallInput;
}

/** Task that is one request; a heartbeat is several. */
export type RequestTask = Exclude<ProbeTask, { readonly kind: 'write_heartbeat' }>;

interface TaskContext {
  readonly graph: string;
  readonly timeout: Millis;
}

/** Returns the request of a task, in the documented form. */
export function requestOfTask(task: RequestTask, context: TaskContext): CallRequest {
  switch (task.kind) {
    case 'installed_query':
      return installedQuery(task, context);
    case 'interpreted_query':
      return interpretedQuery(task, context);
    case 'template_query':
      return templateQuery(task, context);
    case 'vertex':
      return vertexRead(task, context);
    case 'edges':
      return edgesRead(task, context);
    case 'shortest_path':
      return pathSearch('shortestPath', task.search, context);
    case 'all_paths':
      break;
  }
  return pathSearch('allPaths', task.search, context);
}

type Task<Kind> = Extract<RequestTask, { readonly kind: Kind }>;

function installedQuery(task: Task<'installed_query'>, { graph, timeout }: TaskContext): CallRequest {
  const { query, method, parameters, limits } = task;
  const common = { segments: { graph, query }, headers: limitHeaders(timeout, limits) };
  return method === 'post'
    ? { name: 'postQuery', input: { ...common, body: jsonParameters(parameters) } }
    : { name: 'runQuery', input: { ...common, parameters: queryStringParameters(parameters) } };
}

function interpretedQuery(task: Task<'interpreted_query'>, { timeout }: TaskContext): CallRequest {
  const { statement: text, parameters, limits } = task;
  const input = { text, parameters: queryStringParameters(parameters), headers: limitHeaders(timeout, limits) };
  return { name: 'interpretQuery', input };
}

function templateQuery(task: Task<'template_query'>, { graph, timeout }: TaskContext): CallRequest {
  const { template, parameters } = task;
  const options = { query: { graph }, headers: limitHeaders(timeout, {}) };
  return { name: 'templateQuery', input: { segments: { template }, body: templateParameters(parameters), ...options } };
}

function vertexRead({ vertex, select }: Task<'vertex'>, { graph, timeout }: TaskContext): CallRequest {
  const segments = { graph, vertexType: vertex.type, vertexId: vertex.id };
  return { name: 'vertex', input: { segments, query: readOptions(timeout, select) } };
}

function edgesRead({ selection, select }: Task<'edges'>, { graph, timeout }: TaskContext): CallRequest {
  const limit = selection.limit === undefined ? {} : { limit: String(selection.limit) };
  const { name, segments } = edgeCall(selection);
  return { name, input: { segments: { graph, ...segments }, query: { ...readOptions(timeout, select), ...limit } } };
}

/** Returns the parameters of a read. The timeout is rounded up to seconds, because 0 selects the default of the server. */
function readOptions(timeout: Millis, select: readonly string[]): Readonly<Record<string, string>> {
  const seconds = String(Math.ceil(toSeconds(timeout)));
  return { timeout: seconds, ...(select.length > 0 && { select: select.join(',') }) };
}

function edgeCall({ source, edgeType, targetType, targetId }: EdgeSelection) {
  const from = { sourceType: source.type, sourceId: source.id };
  if (edgeType === undefined) return { name: 'edges', segments: from } as const;
  const ofType = { ...from, edgeType };
  if (targetType === undefined) return { name: 'edgesOfType', segments: ofType } as const;
  const toType = { ...ofType, targetType };
  if (targetId === undefined) return { name: 'edgesToType', segments: toType } as const;
  return { name: 'edgesToVertex', segments: { ...toType, targetId } } as const;
}

function pathSearch(
  name: 'shortestPath' | 'allPaths',
  search: PathSearch,
  { graph, timeout }: TaskContext,
): CallRequest {
  const { vertexFilters, edgeFilters, maxLength, allShortest } = search;
  const body = {
    ...ends('source', search.sources),
    ...ends('target', search.targets),
    ...(vertexFilters.length > 0 && { vertexFilters }),
    ...(edgeFilters.length > 0 && { edgeFilters }),
    ...(maxLength !== undefined && { maxLength }),
    ...(allShortest === true && { allShortestPaths: true }),
  };
  return { name, input: { segments: { graph }, body, headers: limitHeaders(timeout, {}) } };
}

/** Returns the sources or targets of a path search; one vertex and several have different keys. */
function ends(key: 'source' | 'target', vertices: readonly TypedVertex[]): Readonly<Record<string, unknown>> {
  return vertices.length === 1 ? { [key]: vertices[0] } : { [`${key}s`]: vertices };
}
