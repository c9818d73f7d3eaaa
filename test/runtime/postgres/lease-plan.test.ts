import { describe, expect, it } from 'vitest';
import {
  type LeaseSituation,
  planLeases,
  type StoredLease,
  unclaimedAfter,
} from '../../../src/runtime/postgres/lease-plan.ts';

function lease(cluster: string, owner: string | undefined, expiresIn = 8000): StoredLease {
  return { cluster, owner, epoch: 1, expiresIn };
}

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `c${String(index).padStart(3, '0')}`);
}

function plan(given: Partial<LeaseSituation>) {
  return planLeases({
    self: 'a',
    peers: ['a'],
    wanted: ['prod'],
    leases: [],
    held: new Set(),
    leaving: new Set(),
    givenUp: new Set(),
    mayTakeEnded: true,
    freeFor: () => 0,
    ...given,
  });
}

describe('the leases that a replica takes', () => {
  it('are those without a row, the free ones and those that ended', () => {
    const wanted = ['new', 'free', 'ended', 'owned'];
    const leases = [lease('free', undefined), lease('ended', 'b', -1), lease('owned', 'b')];
    expect(plan({ wanted, leases }).take).toEqual(['new', 'free', 'ended']);
  });

  it('are only released ones while it promised another replica to take no others', () => {
    const wanted = ['new', 'free', 'ended', 'own'];
    const leases = [lease('free', undefined), lease('ended', 'b', -1), lease('own', 'a')];
    expect(plan({ wanted, leases, mayTakeEnded: false }).take).toEqual(['new', 'free']);
  });

  it('include leases under its own id that it does not hold, because the answer was lost', () => {
    expect(plan({ leases: [lease('prod', 'a')] }).take).toEqual(['prod']);
  });

  it('exclude leases that it holds, even if the database shows otherwise', () => {
    expect(plan({ leases: [lease('prod', undefined)], held: new Set(['prod']) }).take).toEqual([]);
  });

  it('are at most the fair share of the clusters, and other ones for each replica', () => {
    const wanted = names(6);
    const first = plan({ wanted, peers: ['a', 'b'] }).take;
    const second = plan({ wanted, peers: ['a', 'b'], self: 'b' }).take;
    expect(first).toEqual(['c000', 'c001', 'c002']);
    expect(second).toEqual(['c003', 'c004', 'c005']);
  });

  it('are twenty at a time', () => {
    expect(plan({ wanted: ['', ...names(120)] }).take).toEqual(['', ...names(19)]);
  });

  it('include leases that no replica below its share takes for a while', () => {
    const given = { wanted: names(4), peers: ['a', 'b'] };
    expect(plan({ ...given, freeFor: () => unclaimedAfter }).take).toHaveLength(2);
    expect(plan({ ...given, freeFor: () => unclaimedAfter + 1 }).take).toHaveLength(4);
  });

  it('exclude leases that it gave up, unless no replica takes them for a while', () => {
    const given = { wanted: names(2), peers: ['a', 'b'], givenUp: new Set(['c000', 'c001']) };
    expect(plan(given).take).toEqual([]);
    expect(plan({ ...given, freeFor: () => unclaimedAfter + 1 }).take).toEqual(['c000', 'c001']);
  });

  it('include the lease of graphwarden itself, which is not part of the share', () => {
    const held = new Set(['c000']);
    expect(plan({ wanted: ['', 'c000', 'c001'], peers: ['a', 'b'], held }).take).toEqual(['']);
  });
});

describe('the leases that a replica gives up', () => {
  const owned = (owner: string, clusters: readonly string[]) => clusters.map((cluster) => lease(cluster, owner));

  it('are those of clusters that left the configuration', () => {
    expect(plan({ held: new Set(['prod', 'old']) }).giveUp).toEqual(['old']);
    expect(plan({ held: new Set(['prod', 'old']), leaving: new Set(['old']) }).giveUp).toEqual([]);
  });

  it('are a quarter of the surplus when another replica has fewer', () => {
    const wanted = names(8);
    const given = { wanted, peers: ['a', 'b'], held: new Set(wanted), leases: owned('a', wanted) };
    expect(plan(given).giveUp).toHaveLength(1);
    expect(plan({ ...given, peers: ['a', 'b', 'c'] }).giveUp).toHaveLength(2);
    expect(plan({ ...given, leaving: new Set(['c001']) }).giveUp).toEqual([]);
    expect(plan({ ...given, peers: ['a'] }).giveUp).toEqual([]);
  });

  it('give each replica with too few about two at a time', () => {
    const wanted = names(300);
    const held = new Set(wanted.slice(0, 100));
    const others = [...owned('b', wanted.slice(100, 200)), ...owned('c', wanted.slice(200))];
    const given = { wanted, held, leases: [...owned('a', [...held]), ...others] };
    expect(plan({ ...given, peers: ['a', 'b', 'c', 'd'] }).giveUp).toHaveLength(1);
    expect(plan({ ...given, peers: ['a', 'b', 'c', 'd', 'e', 'f'] }).giveUp).toHaveLength(2);
  });

  it('are empty with a difference of one, and while a lease is free', () => {
    const wanted = names(3);
    const held = new Set(wanted.slice(0, 2));
    const leases = [...owned('a', [...held]), ...owned('b', ['c002'])];
    expect(plan({ wanted, peers: ['a', 'b'], held, leases }).giveUp).toEqual([]);
    const free = { wanted: [...wanted, 'c009'], peers: ['a', 'b', 'c'], held, leases };
    expect(plan(free).giveUp).toEqual([]);
  });

  it('are part of the surplus, also while another replica takes free leases', () => {
    const wanted = names(90);
    const held = new Set(wanted.slice(0, 40));
    const free = wanted.slice(80).map((cluster) => lease(cluster, undefined));
    const leases = [...owned('a', [...held]), ...owned('b', wanted.slice(40, 80)), ...free];
    expect(plan({ wanted, peers: ['a', 'b', 'c'], held, leases })).toEqual({ take: [], giveUp: wanted.slice(39, 40) });
  });

  it('are empty for a replica at its share while another replica has more', () => {
    const wanted = names(8);
    const leases = [...owned('a', wanted.slice(0, 2)), ...owned('b', wanted.slice(2))];
    const given = { wanted, peers: ['a', 'b', 'c', 'd'], leases };
    expect(plan({ ...given, held: new Set(wanted.slice(0, 2)) }).giveUp).toEqual([]);
    expect(plan({ ...given, held: new Set(wanted.slice(2)), self: 'b' }).giveUp).toEqual(['c007']);
  });

  it('come from one replica only when several have their share', () => {
    const wanted = names(4);
    const leases = [...owned('a', wanted.slice(0, 2)), ...owned('b', wanted.slice(2))];
    const peers = ['a', 'b', 'c'];
    expect(plan({ wanted, peers, leases, held: new Set(wanted.slice(0, 2)) }).giveUp).toEqual(['c001']);
    expect(plan({ wanted, peers, leases, held: new Set(wanted.slice(2)), self: 'b' }).giveUp).toEqual([]);
  });

  it('never include the lease of graphwarden itself', () => {
    const wanted = ['', ...names(4)];
    const given = { wanted, peers: ['a', 'b'], held: new Set(wanted), leases: owned('a', wanted) };
    expect(plan(given).giveUp).toEqual(['c003']);
  });
});
