import { type AbortRequest, abortRequests, type Evidence, type Finding, type StartedQuery } from '../evidence.ts';
import type { QueryKind } from '../plan.ts';
import { runawayCondition } from '../settings.ts';

const victims: ReadonlySet<QueryKind> = new Set(['runaway', 'brief', 'unstoppable']);

/** Checks that each query has at most one abort request, each request has one id, and the policy matches each query. */
export function findWrongRequests(evidence: Evidence): readonly Finding[] {
  const requests = abortRequests(evidence);
  const startedQueries = new Map(evidence.startedQueries.map((one) => [queryName(one), one]));
  return [
    ...repeatedRequests(requests),
    ...requests.filter(({ ids }) => ids.length !== 1).map(({ node, ids }) => severalIds(node, ids)),
    ...requests.flatMap((request) => unintendedRequests(request, startedQueries)),
    ...unrequestedAborts(evidence, requests),
  ];
}

/** Returns the name of a query that is unique in the cluster. */
export function queryName({ node, id }: { readonly node: string; readonly id: string }): string {
  return `${id} of ${node}`;
}

function repeatedRequests(requests: readonly AbortRequest[]): readonly Finding[] {
  const names = requests.flatMap(({ node, ids }) => ids.map((id) => queryName({ node, id })));
  const again = names.filter((name, at) => names.indexOf(name) !== at);
  return again.map((name) => ({ kind: 'repeated request', about: `a second abort request for ${name}` }));
}

function severalIds(node: string, ids: readonly string[]): Finding {
  return { kind: 'several ids', about: `one request to ${node} names ${ids.length} ids: ${ids.join()}` };
}

function unintendedRequests(
  { node, ids, at }: AbortRequest,
  startedQueries: ReadonlyMap<string, StartedQuery>,
): readonly Finding[] {
  return ids.flatMap((id): readonly Finding[] => {
    const query = startedQueries.get(queryName({ node, id }));
    const kind = 'no policy match';
    if (query === undefined) return [{ kind, about: `${queryName({ node, id })} is not a runaway query` }];
    const age = at - query.startedAt;
    if (!victims.has(query.kind) && query.kind !== 'short') return [{ kind, about: `${id} is ${query.kind}` }];
    return age < runawayCondition.age ? [{ kind, about: `${id} (${query.kind}) had run for only ${age} ms` }] : [];
  });
}

/** Returns queries that the server aborted without a request for their id. */
function unrequestedAborts({ aborts }: Evidence, requests: readonly AbortRequest[]): readonly Finding[] {
  const requested = new Set(requests.flatMap(({ node, ids }) => ids.map((id) => queryName({ node, id }))));
  return aborts
    .map(({ node, requestId: id }) => queryName({ node, id }))
    .filter((name) => !requested.has(name))
    .map((name) => ({ kind: 'abort without request', about: `${name} was aborted without a request` }));
}
