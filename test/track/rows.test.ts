import { describe, expect, it } from 'vitest';
import type { Row, StoreChange } from '../../src/kernel/store.ts';
import type { Transition } from '../../src/model/transition.ts';
import { newReplica } from '../../src/track/replica.ts';
import {
  deleteReplica,
  insertTransition,
  parseCount,
  parseObservedUntil,
  parseReplica,
  parseTransition,
  upsertCount,
  upsertObservedUntil,
  upsertReplica,
} from '../../src/track/rows.ts';
import { trackingStart } from './tracking-harness.ts';

const id = { cluster: 'prod', service: 'GPE', partition: '1', replica: '' };
const transition: Transition = {
  ...id,
  at: trackingStart,
  from: 'Online',
  to: 'Down',
  process: 'Stopped',
  eventId: 'e1',
  eventNs: '1790000000000000009',
  duration: 5000,
  source: 'm1',
};
const replica = {
  ...newReplica(id, { wall: trackingStart, mono: 0 }),
  observed: 'Down',
  confirmed: 'Online',
  status: 'Down',
  source: 'm1',
  changes: '0101',
  isFlapping: true,
};

function rowOf(change: StoreChange): Row {
  return 'put' in change ? change.put : expect.fail('nothing is put');
}

describe('the row of a transition', () => {
  it('restores it', () => {
    expect(parseTransition(rowOf(insertTransition(transition)))).toEqual(transition);
  });

  it('restores one without a length of the former state', () => {
    const { duration: _, ...first } = transition;
    expect(parseTransition(rowOf(insertTransition(first)))).toEqual(first);
  });

  it.each([
    { at: 'now' },
    { at: Number.POSITIVE_INFINITY },
    { at: 9e15 },
    { service: '' },
    { from_status: null },
    { lasted: -1 },
    { source: 7 },
  ])('is invalid with %j', (wrong) => {
    expect(parseTransition({ ...rowOf(insertTransition(transition)), ...wrong })).toBeUndefined();
  });
});

describe('the row of a replica', () => {
  it('restores the stored fields', () => {
    const stored = parseReplica(rowOf(upsertReplica('prod', replica)));
    expect(stored).toBeDefined();
    expect({ ...replica, ...stored }).toEqual(replica);
    expect(stored).not.toHaveProperty('consecutiveObservations');
    expect(stored).not.toHaveProperty('observedSinceMono');
  });

  it('has the time since which the replica is missing', () => {
    const missing = { ...replica, missingSince: trackingStart + 1 };
    expect(parseReplica(rowOf(upsertReplica('prod', missing)))?.missingSince).toBe(trackingStart + 1);
  });

  it.each([{ observed: '' }, { hard: 7 }, { flapping: 2 }, { changes: '012' }, { observed_since: null }])(
    'is invalid with %j',
    (wrong) => {
      expect(parseReplica({ ...rowOf(upsertReplica('prod', replica)), ...wrong })).toBeUndefined();
    },
  );

  it('is deleted with its counts', () => {
    expect(deleteReplica({ ...id, more: 'ignored' } as typeof id)).toEqual([
      { table: 'tracker_replicas', drop: id },
      { table: 'tracker_counts', drop: id },
    ]);
  });
});

describe('the row of a count', () => {
  it('restores it', () => {
    expect(parseCount(rowOf(upsertCount(id, 'Down', 7)))).toEqual({ ...id, to: 'Down', transitions: 7 });
  });

  it.each([{ transitions: -1 }, { transitions: 1.5 }, { to_status: '' }])('is invalid with %j', (wrong) => {
    expect(parseCount({ ...rowOf(upsertCount(id, 'Down', 7)), ...wrong })).toBeUndefined();
  });
});

describe('the row of a cluster', () => {
  it('has the end of the observation', () => {
    expect(parseObservedUntil(rowOf(upsertObservedUntil('prod', trackingStart)))).toBe(trackingStart);
    expect(parseObservedUntil({ cluster: 'prod', observed_until: 'later' })).toBeUndefined();
  });
});
