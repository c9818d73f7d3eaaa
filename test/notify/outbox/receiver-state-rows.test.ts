import { describe, expect, it } from 'vitest';
import { ReceiverStateRows } from '../../../src/notify/outbox/receiver-state-rows.ts';

function missed(key: string, cluster?: string) {
  const times = { startsAt: 1, endsAt: 2 };
  return {
    key,
    episode: 1,
    ...(cluster !== undefined && { cluster }),
    summary: 's',
    severity: 'info' as const,
    ...times,
  };
}

const keysOf = (rows: ReceiverStateRows, ...newest: readonly ReturnType<typeof missed>[]) =>
  rows
    .changes({ folded: { newest, count: newest.length } })
    .map((change) => ('put' in change ? `put ${change.put.key}` : `drop ${change.drop.key}`));

describe('the state rows of a receiver', () => {
  it('are one row if no other replica shares the store', () => {
    const rows = new ReceiverStateRows('one', false);
    expect(keysOf(rows, missed('a', 'prod'))).toEqual(['put ']);
    expect(keysOf(rows)).toEqual(['drop ']);
  });

  it('are one row for each cluster with missed incidents otherwise', () => {
    const rows = new ReceiverStateRows('one', true);
    expect(keysOf(rows, missed('a', 'prod'), missed('b'))).toEqual(['put #prod', 'put #']);
    expect(keysOf(rows, missed('a', 'prod'))).toEqual(['put #prod', 'drop #']);
    expect(keysOf(rows)).toEqual(['drop #prod']);
    expect(keysOf(rows)).toEqual([]);
  });

  it('include rows that were read, and not those of clusters of other replicas', () => {
    const rows = new ReceiverStateRows('one', true);
    rows.adopt({ folded: { newest: [missed('a', 'prod'), missed('b', 'test')], count: 3 } });
    rows.forget(new Set(['test']));
    expect(keysOf(rows)).toEqual(['drop #prod', 'drop #']);
  });
});
