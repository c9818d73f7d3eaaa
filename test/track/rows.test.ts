import { describe, expect, it } from 'vitest';
import type { Change, Row } from '../../src/kernel/store.ts';
import type { Transition } from '../../src/model/transition.ts';
import { unknownReplica } from '../../src/track/replica.ts';
import {
  countKept,
  countOf,
  observedUntilKept,
  observedUntilOf,
  replicaForgotten,
  replicaKept,
  storedReplica,
  transitionAdded,
  transitionOf,
} from '../../src/track/rows.ts';
import { start } from './tracking.ts';

const id = { cluster: 'prod', service: 'GPE', partition: '1', replica: '' };
const transition: Transition = {
  ...id,
  at: start,
  from: 'Online',
  to: 'Down',
  process: 'Stopped',
  eventId: 'e1',
  eventNs: '1790000000000000009',
  lasted: 5000,
  source: 'm1',
};
const replica = {
  ...unknownReplica(id, { wall: start, mono: 0 }),
  observed: 'Down',
  hard: 'Online',
  status: 'Down',
  source: 'm1',
  changes: '0101',
  flapping: true,
};

function rowOf(change: Change): Row {
  return 'put' in change ? change.put : expect.fail('nothing is put');
}

describe('the row of a transition', () => {
  it('gives it back', () => {
    expect(transitionOf(rowOf(transitionAdded(transition)))).toEqual(transition);
  });

  it('gives back one whose former state has no known length', () => {
    const { lasted: _, ...first } = transition;
    expect(transitionOf(rowOf(transitionAdded(first)))).toEqual(first);
  });

  it.each([
    { at: 'now' },
    { at: Number.POSITIVE_INFINITY },
    { at: 9e15 },
    { service: '' },
    { from_status: null },
    { lasted: -1 },
    { source: 7 },
  ])('is none with %j', (wrong) => {
    expect(transitionOf({ ...rowOf(transitionAdded(transition)), ...wrong })).toBeUndefined();
  });
});

describe('the row of a replica', () => {
  it('gives back what is durable', () => {
    const stored = storedReplica(rowOf(replicaKept('prod', replica)));
    expect(stored).toBeDefined();
    expect({ ...replica, ...stored }).toEqual(replica);
    expect(stored).not.toHaveProperty('seen');
    expect(stored).not.toHaveProperty('began');
  });

  it('knows since when it is missing', () => {
    const missing = { ...replica, missingSince: start + 1 };
    expect(storedReplica(rowOf(replicaKept('prod', missing)))?.missingSince).toBe(start + 1);
  });

  it.each([{ observed: '' }, { hard: 7 }, { flapping: 2 }, { changes: '012' }, { observed_since: null }])(
    'is none with %j',
    (wrong) => {
      expect(storedReplica({ ...rowOf(replicaKept('prod', replica)), ...wrong })).toBeUndefined();
    },
  );

  it('goes with its counts', () => {
    expect(replicaForgotten({ ...id, more: 'ignored' } as typeof id)).toEqual([
      { table: 'tracker_replicas', drop: id },
      { table: 'tracker_counts', drop: id },
    ]);
  });
});

describe('the row of a count', () => {
  it('gives it back', () => {
    expect(countOf(rowOf(countKept(id, 'Down', 7)))).toEqual({ ...id, to: 'Down', transitions: 7 });
  });

  it.each([{ transitions: -1 }, { transitions: 1.5 }, { to_status: '' }])('is none with %j', (wrong) => {
    expect(countOf({ ...rowOf(countKept(id, 'Down', 7)), ...wrong })).toBeUndefined();
  });
});

describe('the row of a cluster', () => {
  it('says until when it was observed', () => {
    expect(observedUntilOf(rowOf(observedUntilKept('prod', start)))).toBe(start);
    expect(observedUntilOf({ cluster: 'prod', observed_until: 'later' })).toBeUndefined();
  });
});
