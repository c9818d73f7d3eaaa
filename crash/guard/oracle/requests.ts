import { type AbortRequest, abortRequests, type Evidence, type Finding, type Ran } from '../evidence.ts';
import type { Kind } from '../plan.ts';
import { meant } from '../settings.ts';

const victims: ReadonlySet<Kind> = new Set(['runaway', 'brief', 'zombie']);

/** Of each query at most one abort is asked for, of one query at a time, and only of what the policy means. */
export function wrongRequests(evidence: Evidence): readonly Finding[] {
  const requests = abortRequests(evidence);
  const ran = new Map(evidence.ran.map((one) => [nameOf(one), one]));
  return [
    ...repeated(requests),
    ...requests.filter(({ ids }) => ids.length !== 1).map(({ node, ids }) => ofSeveral(node, ids)),
    ...requests.flatMap((request) => unmeant(request, ran)),
    ...unasked(evidence, requests),
  ];
}

/** Under which name a query is known in the whole cluster. */
export function nameOf({ node, id }: { readonly node: string; readonly id: string }): string {
  return `${id} of ${node}`;
}

function repeated(requests: readonly AbortRequest[]): readonly Finding[] {
  const names = requests.flatMap(({ node, ids }) => ids.map((id) => nameOf({ node, id })));
  const again = names.filter((name, at) => names.indexOf(name) !== at);
  return again.map((name) => ({ kind: 'asked twice', about: `an abort of ${name} was asked for again` }));
}

function ofSeveral(node: string, ids: readonly string[]): Finding {
  return { kind: 'not one id', about: `one request to ${node} names ${ids.length} ids: ${ids.join()}` };
}

function unmeant({ node, ids, at }: AbortRequest, ran: ReadonlyMap<string, Ran>): readonly Finding[] {
  return ids.flatMap((id): readonly Finding[] => {
    const query = ran.get(nameOf({ node, id }));
    const kind = 'not meant';
    if (query === undefined) return [{ kind, about: `${nameOf({ node, id })} is nobody's runaway` }];
    const age = at - query.startedAt;
    if (!victims.has(query.kind) && query.kind !== 'young') return [{ kind, about: `${id} is ${query.kind}` }];
    return age < meant.age ? [{ kind, about: `${id} (${query.kind}) had run for ${age} ms alone` }] : [];
  });
}

/** What the server has aborted beyond what it was asked for by name. */
function unasked({ aborts }: Evidence, requests: readonly AbortRequest[]): readonly Finding[] {
  const asked = new Set(requests.flatMap(({ node, ids }) => ids.map((id) => nameOf({ node, id }))));
  return aborts
    .map(({ node, requestId: id }) => nameOf({ node, id }))
    .filter((name) => !asked.has(name))
    .map((name) => ({ kind: 'not asked for', about: `${name} was aborted, and nobody named it` }));
}
