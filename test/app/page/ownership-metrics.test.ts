import { describe, expect, it } from 'vitest';
import {
  ownerMetrics,
  ownershipFacts,
  ownershipSources,
  replicaMetrics,
} from '../../../src/app/page/ownership-metrics.ts';
import { type Ownership, type OwnershipView, soleOwnership } from '../../../src/kernel/ownership.ts';

const clusters = [
  { name: 'prod', labels: { env: 'prod' } },
  { name: 'test', labels: {} },
];
const now = { wall: 100_000, mono: 50_000 };
const counts = { acquired: 3, takenOver: 1, released: 0, lost: 2 };
const owners = [
  { cluster: '', owner: undefined, epoch: 1, since: 0 },
  { cluster: 'prod', owner: 'r1', epoch: 1, since: 0 },
  { cluster: 'test', owner: undefined, epoch: 1, since: 0 },
];
const replica = { version: '1', startedAt: 0, seenAt: 0, clusters: 0, isLive: true, isSelf: false, url: '' };
const replicas = [
  { ...replica, id: 'r1', name: 'host-1', configHash: 'h', settingsHash: 's', isSelf: true },
  { ...replica, id: 'r2', name: 'host-2', configHash: 'x', settingsHash: 's' },
  { ...replica, id: 'r3', name: 'host-3', configHash: 'h', settingsHash: 't' },
  { ...replica, id: 'r4', name: 'host-4', configHash: 'x', settingsHash: 't', isLive: false },
];
const takeover = { at: 5, from: 'host-1' };

function sharing(view: Partial<OwnershipView> = {}): Ownership {
  return {
    ...soleOwnership,
    isShared: true,
    owns: (cluster) => cluster === 'prod',
    view: () => ({ ...soleOwnership.view(), counts, replicas, answeredAt: 48_000, ...view }),
  };
}

describe('the metrics of ownership', () => {
  it('show the owner of each configured cluster with its labels, and the leases', () => {
    const shown = [...ownershipSources(sharing(), clusters, now)].map(([, { labels, samples }]) => [
      labels,
      [...samples].map(({ metric, labels: own, value }) => [metric.name, ...Object.values(own), value]),
    ]);
    expect(shown).toEqual([
      [
        {},
        [
          ['graphwarden_replicas', 3],
          ['graphwarden_replicas_different', 'clusters', 1],
          ['graphwarden_replicas_different', 'settings', 1],
          ['graphwarden_leases_read_timestamp_seconds', 98],
          ['graphwarden_lease_changes_total', 'acquired', 3],
          ['graphwarden_lease_changes_total', 'taken_over', 1],
          ['graphwarden_lease_changes_total', 'released', 0],
          ['graphwarden_lease_changes_total', 'lost', 2],
        ],
      ],
      [{ cluster_name: 'prod', env: 'prod' }, [['graphwarden_cluster_owner', 1]]],
      [{ cluster_name: 'test' }, [['graphwarden_cluster_owner', 0]]],
    ]);
    expect([...ownerMetrics, ...replicaMetrics]).toHaveLength(5);
  });

  it('are absent without a shared database', () => {
    expect([...ownershipSources(soleOwnership, clusters, now)]).toEqual([]);
  });
});

describe('the facts of ownership for rules', () => {
  it('are the clusters without owner, the replicas that differ, and the latest takeover', () => {
    const facts = ownershipFacts(sharing({ owners, lastTakeover: takeover }));
    expect(facts).toEqual({ unowned: ['test'], different: { clusters: ['host-2'], settings: ['host-3'] }, takeover });
  });

  it('name no replica that differs before this one is registered', () => {
    const different = { clusters: [], settings: [] };
    expect(ownershipFacts(sharing({ replicas: replicas.slice(1) }))).toMatchObject({ different });
  });

  it('are absent without a shared database, and before the database has answered', () => {
    expect(ownershipFacts(undefined)).toBeUndefined();
    expect(ownershipFacts(soleOwnership)).toBeUndefined();
    expect(ownershipFacts(sharing({ answeredAt: undefined }))).toBeUndefined();
  });
});
