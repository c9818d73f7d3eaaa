import { pageSchema } from '../../api/fields.ts';
import { type ReplicaReport, replicaSchema } from '../../api/replicas.ts';
import { type Ownership, selfCluster } from '../../kernel/ownership.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { listErrors, pagedReply, pagingParameters } from './paging.ts';
import type { Route } from './routes.ts';

/** Returns the list of the replicas that share a database; empty without a shared database. */
export function replicaRoute(ownership: Pick<Ownership, 'view'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/replicas',
    about:
      'Lists the replicas that share a database, and the clusters that each of them owns. The lists of nodes, collectors, services, queries, probes and alerts, and the guard, contain the clusters that the replica owns that answers; histories and silences are those of all clusters. A request that acts on a cluster of another replica gets its address.',
    parameters: pagingParameters,
    response: { type: 'application/json', schema: pageSchema(replicaSchema) },
    errorResponses: listErrors,
    handle: async ({ query }) => pagedReply(reportReplicas(ownership), query, {}, {}),
  };
}

function reportReplicas(ownership: Pick<Ownership, 'view'>): readonly ReplicaReport[] {
  const { replicas, owners } = ownership.view();
  const own = replicas.find(({ isSelf }) => isSelf);
  return replicas.map(({ configHash, startedAt, seenAt, isLive, isSelf, ...replica }) => ({
    ...replica,
    startedAt: formatTimestamp(startedAt),
    seenAt: formatTimestamp(seenAt),
    live: isLive,
    self: isSelf,
    sameClusters: configHash === own?.configHash,
    clusters: owners
      .filter(({ cluster, owner }) => owner === replica.id && cluster !== selfCluster)
      .map(({ cluster }) => cluster),
  }));
}
