import { describe, expect, it } from 'vitest';
import {
  type KnownLease,
  type PeerState,
  parseAnswer,
  parseJsonObject,
  promisedTime,
  promiseLength,
  takenClusters,
} from '../../../src/runtime/postgres/outage-agreement-rules.ts';

const at = (mono: number, wall = mono) => ({ mono, wall });
const promised = (since: number, contested: readonly string[] = []): PeerState => ({
  promisedSince: at(since),
  contested,
});

describe('the answer of a replica', () => {
  const answer = { isConnected: false, promises: true, leases: [{ cluster: 'prod', epoch: 3, lasts: true }] };

  it('is parsed', () => {
    expect(parseAnswer(JSON.stringify(answer))).toEqual(answer);
    expect(parseAnswer(JSON.stringify({ ...answer, other: 1 }))).toEqual(answer);
  });

  it.each([
    '',
    'null',
    '[]',
    '{}',
    JSON.stringify({ ...answer, isConnected: 'no' }),
    JSON.stringify({ ...answer, promises: undefined }),
    JSON.stringify({ ...answer, leases: 'prod' }),
    JSON.stringify({ ...answer, leases: [null] }),
    JSON.stringify({ ...answer, leases: [{ cluster: 'prod', epoch: '3', lasts: true }] }),
    JSON.stringify({ ...answer, leases: Array.from({ length: 20_001 }, () => answer.leases[0]) }),
  ])('is ignored in another format (case %$)', (text) => {
    expect(parseAnswer(text)).toBeUndefined();
  });

  it('is an object', () => {
    expect(parseJsonObject('{"url":"http://a"}')).toEqual({ url: 'http://a' });
    expect(parseJsonObject('5')).toEqual({});
    expect(parseJsonObject('{')).toEqual({});
  });
});

describe('held clusters that another replica took over', () => {
  const held = [
    { cluster: 'prod', epoch: 3 },
    { cluster: 'test', epoch: 1 },
  ];
  const taken = (isConnected: boolean, ...leases: readonly KnownLease[]) =>
    takenClusters(held, { isConnected, promises: !isConnected, leases });

  it('are lost if a replica with the database names a later owner whose lease lasts', () => {
    const lease = { cluster: 'prod', epoch: 4, lasts: true };
    expect(taken(true, lease)).toEqual({ contested: ['prod'], lost: ['prod'] });
    expect(taken(true, { ...lease, lasts: false })).toEqual({ contested: ['prod'], lost: [] });
    expect(taken(false, lease)).toEqual({ contested: ['prod'], lost: [] });
  });

  it('are empty for the own lease, an earlier lease, and a lease of a cluster that is not held', () => {
    expect(
      taken(
        true,
        { cluster: 'prod', epoch: 3, lasts: true },
        { cluster: 'test', epoch: 0, lasts: true },
        { cluster: 'other', epoch: 9, lasts: true },
      ),
    ).toEqual({ contested: [], lost: [] });
  });
});

const time = (states: Readonly<Record<string, PeerState>>, now = at(1000), peers = ['b', 'c']) =>
  promisedTime(peers, new Map(Object.entries(states)), 'prod', now);

describe('the time during which no replica takes over a cluster', () => {
  it('is that of the earliest promise, counted from the time of the request', () => {
    expect(time({ b: promised(1000), c: promised(400) })).toBe(promiseLength - 600);
    expect(time({ b: promised(1000), c: promised(1000) })).toBe(promiseLength);
    expect(time({ b: promised(1000), c: promised(1000) }, at(30_000))).toBe(0);
  });

  it('counts by both clocks: one of them stops while a machine is suspended', () => {
    expect(time({ b: promised(1000) }, at(1000, 5000), ['b'])).toBe(promiseLength - 4000);
    expect(time({ b: promised(1000) }, at(5000, 1000), ['b'])).toBe(promiseLength - 4000);
  });

  it('is 0 if a replica did not answer, reaches the database, or reports another owner', () => {
    expect(time({ b: promised(1000) })).toBe(0);
    expect(time({ b: promised(1000), c: { promisedSince: undefined, contested: [] } })).toBe(0);
    expect(time({ b: promised(1000), c: promised(1000, ['prod']) })).toBe(0);
    expect(time({ b: promised(1000), c: promised(1000, ['test']) })).toBe(promiseLength);
  });

  it('has no limit without other replicas', () => {
    expect(time({}, at(1000), [])).toBe(Number.POSITIVE_INFINITY);
  });
});
