import { describe, expect, it } from 'vitest';
import type { Row, StoreChange } from '../../../src/kernel/store.ts';
import type { AlertQueue } from '../../../src/notify/outbox/alert-queue.ts';
import {
  alertQueueChange,
  outboxEntryFromRow,
  receiverDeletion,
  receiverStateChange,
  type StoredReceiverState,
  storedNames,
} from '../../../src/notify/outbox/outbox-store.ts';
import { initialRetryState, newQueuedIncident } from '../../../src/notify/outbox/queued-incident.ts';
import { firing } from '../delivery-testbed.ts';

const to = { receiver: 'one', group: { cluster_name: 'prod' }, groupWait: 500, fallback: 'two' };
const incident = newQueuedIncident(firing('a'), to, 700, { wall: 1000, mono: 10 });
const forever = initialRetryState(Number.NEGATIVE_INFINITY);

function rowOf(change: StoreChange): Row {
  if (!('put' in change)) throw new Error('nothing was put');
  return change.put;
}

describe('stored alert queue', () => {
  it.each<[string, AlertQueue]>([
    ['without an attempt', { key: 'a', incidents: [incident] }],
    [
      'with a resolved incident',
      {
        key: 'a',
        incidents: [
          { ...incident, deliveryState: 'yes', over: true, endDue: 900, alert: { ...firing('a'), endsAt: 5 } },
        ],
      },
    ],
    [
      'with an outage and a parked notification',
      {
        key: 'a',
        incidents: [
          {
            ...incident,
            deliveryState: 'maybe',
            outage: { since: 3, answeringSince: 4 },
            parked: { why: 'outage', at: 5 },
          },
          incident,
        ],
      },
    ],
  ])('%s is restored unchanged, for an immediate attempt', (_, queue) => {
    const stored = outboxEntryFromRow(rowOf(alertQueueChange('one', queue, 'prod')));
    const fresh = queue.incidents.map((one) => ({ ...one, retry: forever }));
    expect(stored).toEqual({ kind: 'queue', receiver: 'one', queue: { key: 'a', incidents: fresh } });
  });

  it('has no row if it is empty', () => {
    expect(alertQueueChange('one', { key: 'a', incidents: [] }, 'prod')).toEqual({
      table: 'lanes',
      drop: { receiver: 'one', key: 'a' },
      cluster: 'prod',
    });
  });
});

describe('stored receiver state', () => {
  it.each<[string, StoredReceiverState]>([
    ['the start of an outage', { folded: { count: 0, newest: [] }, outage: { since: 5 } }],
    [
      'missed incidents',
      {
        folded: {
          count: 7,
          newest: [{ key: 'a', episode: 1, summary: 's', severity: 'info', startsAt: 1, endsAt: 2 }],
        },
      },
    ],
  ])('restores %s', (_, state) => {
    expect(outboxEntryFromRow(rowOf(receiverStateChange('one', state)))).toEqual({
      kind: 'state',
      receiver: 'one',
      state,
    });
  });

  it('has no row without an outage and missed incidents', () => {
    const drop = { receiver: 'one', key: '' };
    expect(receiverStateChange('one', { folded: { count: 0, newest: [] } })).toEqual({
      table: 'lanes',
      drop,
      cluster: '',
    });
  });

  it('has a row for each cluster if replicas share the store', () => {
    const folded = { count: 1, newest: [] };
    const change = receiverStateChange('one', { folded }, 'prod');
    expect(change).toMatchObject({ put: { receiver: 'one', key: '#prod', cluster: 'prod' } });
    expect(outboxEntryFromRow(rowOf(change))).toEqual({ kind: 'state', receiver: 'one', state: { folded } });
  });

  it('is deleted with the receiver', () => {
    expect(receiverDeletion('one')).toEqual([{ table: 'lanes', drop: { receiver: 'one' } }]);
    expect(receiverDeletion('one', ['prod'])).toEqual([{ table: 'lanes', drop: { receiver: 'one', cluster: 'prod' } }]);
  });
});

describe('invalid row', () => {
  it.each<[string, Row]>([
    ['without columns', {}],
    ['without a receiver', { receiver: '', key: 'a', [storedNames.content]: '{"episodes":[]}' }],
    ['without JSON', { receiver: 'one', key: 'a', [storedNames.content]: '{' }],
    ['with JSON of another shape', { receiver: 'one', key: 'a', [storedNames.content]: '[]' }],
    ['with a number instead of a string', { receiver: 'one', key: 5, [storedNames.content]: '{"episodes":[]}' }],
    ['with an invalid incident', { receiver: 'one', key: 'a', [storedNames.content]: '{"episodes":[{}]}' }],
    [
      'with an invalid receiver state',
      { receiver: 'one', key: '', [storedNames.content]: '{"folded":{"count":-1,"newest":[]}}' },
    ],
  ])('%s is ignored', (_, row) => {
    expect(outboxEntryFromRow(row)).toBeUndefined();
  });
});
