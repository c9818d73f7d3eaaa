import { type Ownership, type OwnershipView, selfCluster } from '../../kernel/ownership.ts';
import { toSeconds } from '../../kernel/time.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../../metric/metric.ts';
import type { SourceSamples } from './published-sources.ts';

const owner = gauge({
  name: 'graphwarden_cluster_owner',
  help: 'Whether this replica owns the cluster (1) or not (0); only if replicas share a database.',
  source: 'leases in the database of graphwarden',
});

const replicas = gauge({
  name: 'graphwarden_replicas',
  help: 'Number of live replicas that share the database.',
  source: 'leases in the database of graphwarden',
});

const different = gauge({
  name: 'graphwarden_replicas_different',
  help: 'Number of live replicas with other clusters, or with other settings of the guard, alerts and collectors, than this one.',
  labels: ['what'],
  source: 'hashes in the database of graphwarden',
});

const seen = gauge({
  name: 'graphwarden_leases_read_timestamp_seconds',
  help: 'Unix timestamp of the last successful read of the leases from the database.',
  source: 'measured by graphwarden',
});

const changes = counter({
  name: 'graphwarden_lease_changes_total',
  help: 'Total number of cluster leases by change: acquired, taken over from a replica that did not renew them in time, released, or lost.',
  labels: ['change'],
  source: 'measured by graphwarden',
});

/** Metric families of the replicas, apart from the family of each cluster. */
export const replicaMetrics: readonly Metric[] = [replicas, different, seen, changes];

/** Metric family of the owner of each cluster. */
export const ownerMetrics: readonly Metric[] = [owner];

/** A configured cluster. */
interface LabeledCluster {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** Returns the samples of ownership, by source; none if ownership is not shared. */
export function* ownershipSources(
  ownership: Ownership,
  clusters: readonly LabeledCluster[],
  now: { readonly wall: number; readonly mono: number },
): Generator<readonly [source: string, showing: SourceSamples]> {
  if (!ownership.isShared) return;
  yield ['replicas', { labels: {}, samples: [...replicaSamples(ownership.view(), now)] }];
  for (const { name, labels } of clusters) {
    const isOwn = ownership.owns(name) && ownership.remaining(name) > 0;
    const samples = [sample(owner, {}, isOwn ? 1 : 0)];
    yield [JSON.stringify([name, 'owner']), { labels: { cluster_name: name, ...labels }, samples }];
  }
}

function* replicaSamples(
  view: OwnershipView,
  now: { readonly wall: number; readonly mono: number },
): Generator<Sample> {
  const { counts, answeredAt } = view;
  yield sample(replicas, {}, view.replicas.filter(({ isLive }) => isLive).length);
  for (const [what, names] of Object.entries(differentReplicas(view))) yield sample(different, { what }, names.length);
  if (answeredAt !== undefined) yield sample(seen, {}, Math.round(toSeconds(now.wall - (now.mono - answeredAt))));
  const byChange = {
    acquired: counts.acquired,
    taken_over: counts.takenOver,
    released: counts.released,
    lost: counts.lost,
  };
  for (const [change, value] of Object.entries(byChange)) yield sample(changes, { change }, value);
}

/** Returns the names of the live replicas whose configuration differs from that of this one. */
function differentReplicas({ replicas: all }: Pick<OwnershipView, 'replicas'>) {
  const own = all.find(({ isSelf }) => isSelf);
  const others = own === undefined ? [] : all.filter(({ isLive, isSelf }) => isLive && !isSelf);
  return {
    clusters: others.filter(({ configHash }) => configHash !== own?.configHash).map(({ name }) => name),
    settings: others.filter(({ settingsHash }) => settingsHash !== own?.settingsHash).map(({ name }) => name),
  };
}

/** Returns the state of the leases for alert rules; undefined if ownership is not shared. */
export function ownershipFacts(ownership: Ownership | undefined) {
  if (ownership?.isShared !== true) return undefined;
  const view = ownership.view();
  const { owners, lastTakeover, answeredAt } = view;
  if (answeredAt === undefined) return undefined;
  const unowned = owners.filter((one) => one.cluster !== selfCluster && one.owner === undefined);
  return {
    unowned: unowned.map(({ cluster }) => cluster),
    different: differentReplicas(view),
    ...(lastTakeover && { takeover: lastTakeover }),
  };
}
