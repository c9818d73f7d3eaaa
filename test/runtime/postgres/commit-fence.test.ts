import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../src/kernel/result.ts';
import type { StoreChange } from '../../../src/kernel/store.ts';
import { fencedClusters, requiredLeases, unconfirmedLease } from '../../../src/runtime/postgres/commit-fence.ts';

const incident: StoreChange = { table: 'tracker_clusters', put: { observed_until: 1, cluster: 'prod' } };
const ended: StoreChange = { table: 'tracker_clusters', drop: { observed_until: 1 }, cluster: 'test' };
const samples: StoreChange = { table: 'trend_samples', drop: { cluster: 'prod', at: 1 } };

describe('the clusters of a batch', () => {
  it('are those of its rows, also of deleted ones', () => {
    expect(fencedClusters([incident, ended, samples])).toEqual(ok(new Set(['prod', 'test'])));
  });

  it.each<StoreChange>([
    { table: 'silences', drop: { id: 's' } },
    { table: 'counters', put: { name: 'episode', value: 1 } },
    { table: 'guard_actions', put: { uid: 'u', cluster: 'prod' } },
    { table: 'notifications', put: { id: 'n', cluster: 'prod' } },
    { table: 'guard_standing', put: { cluster: 'prod', kind: 'pause', name: 'operator', value: '', at: 1 } },
    { table: 'guard_standing', drop: { kind: 'pause' } },
  ])('do not include rows that each replica may change: $table (case %$)', (change) => {
    expect(fencedClusters([change])).toEqual(ok(new Set()));
  });

  it('include those of circuit breakers', () => {
    const put = { cluster: 'prod', kind: 'breaker', name: 'b', value: '', at: 1 };
    expect(fencedClusters([{ table: 'guard_standing', put }])).toEqual(ok(new Set(['prod'])));
  });

  it('must be named', () => {
    expect(fencedClusters([{ table: 'tracker_clusters', drop: { observed_until: 1 } }])).toEqual(
      err('a change of the table tracker_clusters does not name its cluster'),
    );
  });
});

describe('the leases of a batch', () => {
  it('are those of its clusters, in order', () => {
    expect(requiredLeases([ended, incident], () => 3)).toEqual(
      ok([
        { cluster: 'prod', epoch: 3 },
        { cluster: 'test', epoch: 3 },
      ]),
    );
  });

  it('must be held, and confirmed by the database', () => {
    const refusal = err("this replica does not own the cluster 'prod': nothing was written");
    expect(requiredLeases([incident], () => undefined)).toEqual(refusal);
    expect(unconfirmedLease([{ cluster: 'prod', epoch: 1 }], [])).toEqual(refusal);
    expect(unconfirmedLease([{ cluster: 'prod', epoch: 1 }], ['prod'])).toEqual(ok(undefined));
  });
});
