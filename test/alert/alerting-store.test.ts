import { describe, expect, it } from 'vitest';
import {
  incidentDeletion,
  incidentFromRow,
  incidentUpsert,
  silenceDeletion,
  silenceFromRow,
  silenceUpsert,
} from '../../src/alert/alerting-store.ts';
import type { Row, StoreChange } from '../../src/kernel/store.ts';
import { matchersOf } from '../support/matchers-of.ts';
import { firingIncident } from './incident-fixture.ts';

const now = { wall: 5, mono: 6 };

function rowOf(change: StoreChange): Row {
  return 'put' in change ? change.put : expect.fail('nothing is put');
}

describe('an incident row', () => {
  it('restores the incident, last active at the time of the restore', () => {
    const incident = firingIncident('quick', { node: 'm"1' }, { notified: { chat: 9 }, facts: { value: '1' } });
    expect(incidentFromRow(rowOf(incidentUpsert(incident)), now)).toEqual({
      ...incident,
      activeAt: now,
      lastActiveAt: now,
    });
  });

  it.each([
    ['labels', '{"a":1}'],
    ['labels', 'no JSON'],
    ['told', '{"chat":"late"}'],
    ['severity', 'grave'],
    ['number', 0],
    ['place', ''],
    ['starts_at', null],
  ])('whose %s is %j is invalid', (column, value) => {
    expect(
      incidentFromRow({ ...rowOf(incidentUpsert(firingIncident('quick', {}))), [column]: value }, now),
    ).toBeUndefined();
  });

  it('is deleted by the key of the alert', () => {
    const { identityKey, cluster } = firingIncident('quick', {});
    expect(incidentDeletion({ identityKey, cluster })).toEqual({
      table: 'episodes',
      drop: { place: identityKey },
      cluster,
    });
  });
});

describe('a silence', () => {
  const silence = {
    id: 's',
    matchers: matchersOf('node=~"m1|m2"'),
    startsAt: 1,
    endsAt: 2,
    author: 'me',
    reason: 'because',
  };

  it('is restored as it was stored', () => {
    expect(silenceFromRow(rowOf(silenceUpsert(silence)))).toEqual(silence);
    expect(silenceDeletion('s')).toEqual({ table: 'silences', drop: { id: 's' } });
  });

  it.each([
    ['matchers', '["node"]'],
    ['matchers', '{"node":"m1"}'],
    ['ends_at', 'soon'],
    ['id', ''],
  ])('whose %s is %j is invalid', (column, value) => {
    expect(silenceFromRow({ ...rowOf(silenceUpsert(silence)), [column]: value })).toBeUndefined();
  });
});
