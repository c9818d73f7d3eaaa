import { type ReplicaReport, type ReplicasReport, replicaPageSchema } from '../../api/replicas.ts';
import { type Ownership, selfCluster } from '../../kernel/ownership.ts';
import type { Clock, Instant, Millis } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import { filterItems, listErrors, pageOf, pagingParameters, parsePage } from './paging.ts';
import { jsonReply, problemReply } from './reply.ts';
import type { Route } from './routes.ts';

/** Time without an answer after which the database counts as away: every lease has ended by then. */
const awayAfter: Millis = 10_000;

type ReplicaOwnership = Pick<Ownership, 'view' | 'isShared'>;

/** Returns the list of the replicas that share a database; empty without a shared database. */
export function replicaRoute(ownership: ReplicaOwnership, clock: Pick<Clock, 'now'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/replicas',
    about:
      'Lists the replicas that share a database, and the clusters that each of them owns. Each replica answers the requests about all clusters: it requests live data from the owners, and forwards operator actions to them. Empty without a shared database.',
    parameters: pagingParameters,
    response: { type: 'application/json', schema: replicaPageSchema },
    errorResponses: listErrors,
    handle: async ({ query }) => {
      const page = parsePage(query);
      if (!page.ok) return problemReply(400, page.error);
      const replicas = filterItems(reportReplicas(ownership), query, {});
      if (!replicas.ok) return problemReply(400, replicas.error);
      return jsonReply({ ...pageOf(replicas.value, page.value), ...sharedState(ownership, clock.now()) });
    },
  };
}

function sharedState(
  ownership: ReplicaOwnership,
  { wall, mono }: Instant,
): Pick<ReplicasReport, 'databaseAway' | 'databaseAnsweredAt' | 'withoutOwner'> {
  const { owners, answeredAt } = ownership.view();
  const unowned = owners.filter(({ cluster, owner }) => cluster !== selfCluster && owner === undefined);
  return {
    databaseAway: ownership.isShared && (answeredAt === undefined || mono - answeredAt > awayAfter),
    databaseAnsweredAt: answeredAt === undefined ? null : formatTimestamp(wall - (mono - answeredAt)),
    withoutOwner: unowned.map(({ cluster }) => cluster),
  };
}

function reportReplicas(ownership: ReplicaOwnership): readonly ReplicaReport[] {
  const { replicas, owners } = ownership.view();
  const own = replicas.find(({ isSelf }) => isSelf);
  return replicas.map(({ configHash, settingsHash, startedAt, seenAt, isLive, isSelf, ...replica }) => ({
    ...replica,
    startedAt: formatTimestamp(startedAt),
    seenAt: formatTimestamp(seenAt),
    live: isLive,
    self: isSelf,
    sameClusters: configHash === own?.configHash,
    sameSettings: settingsHash === own?.settingsHash,
    clusters: owners
      .filter(({ cluster, owner }) => owner === replica.id && cluster !== selfCluster)
      .map(({ cluster }) => cluster),
  }));
}
