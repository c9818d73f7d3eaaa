import { type AbortRequest, abortRequests, type Evidence, type Finding, type StartedQuery } from '../evidence.ts';
import type { QueryKind } from '../plan.ts';
import { runawayCondition } from '../settings.ts';

const victims: ReadonlySet<QueryKind> = new Set(['runaway', 'brief', 'zombie']);

/** Checks that each query has at most one abort request, each request has one id, and the policy matches each query. */
export function findWrongRequests(evidence: Evidence): readonly Finding[] {
  const requests = abortRequests(evidence);
  const ran = new Map(evidence.ran.map((one) => [queryName(one), one]));
  return [
    ...repeatedRequests(requests),
    ...requests.filter(({ ids }) => ids.length !== 1).map(({ node, ids }) => severalIds(node, ids)),
    ...requests.flatMap((request) => unintendedRequests(request, ran)),
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
  return again.map((name) => ({ kind: 'asked twice', about: `an abort of ${name} was asked for again` }));
}

function severalIds(node: string, ids: readonly string[]): Finding {
  return { kind: 'not one id', about: `one request to ${node} names ${ids.length} ids: ${ids.join()}` };
}

function unintendedRequests(
  { node, ids, at }: AbortRequest,
  ran: ReadonlyMap<string, StartedQuery>,
): readonly Finding[] {
  return ids.flatMap((id): readonly Finding[] => {
    const query = ran.get(queryName({ node, id }));
    const kind = 'not meant';
    if (query === undefined) return [{ kind, about: `${queryName({ node, id })} is not a runaway query` }];
    const age = at - query.startedAt;
    if (!victims.has(query.kind) && query.kind !== 'young') return [{ kind, about: `${id} is ${query.kind}` }];
    return age < runawayCondition.age ? [{ kind, about: `${id} (${query.kind}) had run for ${age} ms alone` }] : [];
  });
}

/** Returns queries that the server aborted without a request for their id. */
function unrequestedAborts({ aborts }: Evidence, requests: readonly AbortRequest[]): readonly Finding[] {
  const asked = new Set(requests.flatMap(({ node, ids }) => ids.map((id) => queryName({ node, id }))));
  return aborts
    .map(({ node, requestId: id }) => queryName({ node, id }))
    .filter((name) => !asked.has(name))
    .map((name) => ({ kind: 'not asked for', about: `${name} was aborted without a request` }));
}
