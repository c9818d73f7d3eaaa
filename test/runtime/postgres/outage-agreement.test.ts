import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { PeerRequest, Peers } from '../../../src/kernel/peers.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { LeaseKeeper } from '../../../src/runtime/postgres/lease-keeper.ts';
import { type LeaseHolder, OutageAgreement, replicaPath } from '../../../src/runtime/postgres/outage-agreement.ts';
import { promiseLength } from '../../../src/runtime/postgres/outage-agreement-rules.ts';
import { FakeClock } from '../../support/clock.ts';
import { LeaseModel, type ModelLink, registrationOf } from '../../support/lease-model.ts';
import { recordingLogger } from '../../support/logger.ts';

const clusters = ['', 'c1', 'c2', 'c3', 'c4'];

interface Member {
  readonly keeper: LeaseKeeper;
  readonly agreement: OutageAgreement;
  readonly introduced: Map<string, string>;
  /** Whether it reaches the database, and whether others reach it. */
  hasDatabase: boolean;
  isReachable: boolean;
}

/** Replicas with one database, each of which can be cut off from it and from the others. */
function world() {
  const clock = new FakeClock();
  const model = new LeaseModel(() => clock.now().wall);
  const log = recordingLogger();
  const members = new Map<string, Member>();
  const requested: string[] = [];

  const request = async (from: string, to: string, { method, path, body = '' }: PeerRequest) => {
    requested.push(`${from} ${method} ${to}`);
    const member = members.get(to);
    expect(path).toBe(replicaPath);
    if (member?.isReachable !== true) return err('no answer');
    const incoming = { method, replica: from, text: async () => body };
    const { status, body: answer } = await member.agreement.answer(incoming, member.keeper);
    return ok({ status, body: typeof answer === 'string' ? answer : '' });
  };
  const start = (id: string): Member => {
    const introduced = new Map<string, string>();
    let listed: readonly string[] = [];
    const peers: Peers = {
      live: () => [...new Set([...listed, ...introduced.keys()])].map((one) => ({ id: one, name: one, url: '' })),
      request: (to, sent) => request(id, to, sent),
    };
    const introduce = (other: string, { url }: { readonly url: string }) => void introduced.set(other, url);
    const agreement = new OutageAgreement({ clock, log, peers, introduce });
    const through: ModelLink = {
      arrives: async () => member.hasDatabase,
      returns: async () => member.hasDatabase,
    };
    const keeper = new LeaseKeeper({
      clock,
      log,
      id,
      database: model.connect(id, through),
      agreement,
      onSnapshot: ({ replicas }) => {
        introduced.clear();
        listed = replicas.filter((one) => one.isLive && one.id !== id).map((one) => one.id);
      },
    });
    const member: Member = { keeper, agreement, introduced, hasDatabase: true, isReachable: true };
    members.set(id, member);
    keeper.subscribe({
      onOwnershipChange: () => {
        void keeper.release(clusters.filter((cluster) => !keeper.owns(cluster)));
      },
      onSharedRowsChange: () => undefined,
    });
    keeper.start(registrationOf(id, clusters));
    return member;
  };
  const owned = ({ keeper }: Member) => clusters.filter((cluster) => keeper.owns(cluster));
  const notifying = ({ keeper }: Member) =>
    clusters.filter((cluster) => keeper.owns(cluster) && keeper.notifiable(cluster) > 1000);
  return { clock, model, log, requested, start, owned, notifying };
}

async function pair() {
  const all = world();
  const a = all.start('a');
  await all.clock.advance(1000);
  const b = all.start('b');
  await all.clock.advance(15_000);
  expect([all.owned(a).length, all.owned(b).length]).toEqual([3, 2]);
  return { ...all, a, b };
}

describe('a replica without the database', () => {
  it('drops its clusters when another replica takes them over, and sends no notification before', async () => {
    const { clock, a, b, owned, notifying } = await pair();
    a.hasDatabase = false;
    for (let second = 0; second < 20; second += 1) {
      await clock.advance(1000);
      if (second >= 4) expect(notifying(a)).toEqual([]);
      expect(notifying(a).filter((cluster) => notifying(b).includes(cluster))).toEqual([]);
    }
    expect(owned(b)).toEqual(clusters);
    expect(owned(a)).toEqual([]);
    a.hasDatabase = true;
    await clock.advance(15_000);
    expect(owned(a).length + owned(b).length).toBe(clusters.length);
    expect(owned(a).length).toBeGreaterThan(0);
  });

  it('continues to notify, without aborts, while no replica reaches the database, and keeps its leases', async () => {
    const { clock, model, log, a, b, owned, notifying } = await pair();
    const before = [owned(a), owned(b)];
    model.problem = 'the database is away';
    await clock.advance(600_000);
    expect([notifying(a), notifying(b)]).toEqual(before);
    expect(a.keeper.remaining('c1')).toBe(0);
    const message = 'database unavailable for all replicas, sending notifications from memory';
    expect(log.lines.filter((line) => line.message === message)).toHaveLength(2);
    model.problem = undefined;
    await clock.advance(1500);
    expect([notifying(a), notifying(b)]).toEqual(before);
    await clock.advance(30_000);
    expect([owned(a), owned(b)]).toEqual(before);
    expect(a.keeper.view().counts.lost + b.keeper.view().counts.lost).toBe(0);
    expect(log.lines.filter((line) => line.message === 'stopped sending notifications from memory')).toHaveLength(2);
  });

  it('sends no notification while another replica does not answer, and continues to poll', async () => {
    const { clock, model, a, b, owned, notifying } = await pair();
    const before = owned(a);
    model.problem = 'the database is away';
    b.isReachable = false;
    await clock.advance(30_000);
    expect(notifying(a)).toEqual([]);
    expect(owned(a)).toEqual(before);
    b.isReachable = true;
    await clock.advance(3000);
    expect(notifying(a)).toEqual(before);
  });

  it('notifies alone if no other one is live', async () => {
    const { clock, model, start, notifying } = world();
    const a = start('a');
    await clock.advance(11_000);
    model.problem = 'the database is away';
    await clock.advance(60_000);
    expect(notifying(a)).toEqual(clusters);
  });
});

describe('a promise to a replica without the database', () => {
  it('keeps the other one from taking its clusters until it ends, also with the database back', async () => {
    const { clock, model, a, b, owned, notifying } = await pair();
    model.problem = 'the database is away';
    await clock.advance(30_000);
    expect(b.agreement.mayTakeEnded()).toBe(false);
    a.hasDatabase = false;
    a.isReachable = false;
    const own = owned(b);
    model.problem = undefined;
    for (let taken = false; !taken; ) {
      await clock.advance(200);
      taken = owned(b).length > own.length;
      expect(notifying(a).filter((cluster) => notifying(b).includes(cluster))).toEqual([]);
    }
    await clock.advance(5000);
    expect(owned(b)).toEqual(clusters);
    expect(notifying(a)).toEqual([]);
  });

  it('is not made by a replica that reaches the database, or that may just be getting a lease', async () => {
    const clock = new FakeClock();
    const peers: Peers = { live: () => [], request: async () => err('unused') };
    const agreement = new OutageAgreement({ clock, log: recordingLogger(), peers, introduce: () => undefined });
    await clock.advance(promiseLength);
    const state = { isConnected: true, isTaking: false };
    const holder: LeaseHolder = {
      isConnected: () => state.isConnected,
      isTaking: () => state.isTaking,
      granted: () => [],
      leasesNotOwnedBy: () => [],
      drop: () => undefined,
    };
    const requestReport = async (): Promise<unknown> => {
      const { body } = await agreement.answer({ method: 'GET', replica: 'b', text: async () => '' }, holder);
      return JSON.parse(z.string().parse(body));
    };
    expect(await requestReport()).toEqual({ isConnected: true, promises: false, leases: [] });
    Object.assign(state, { isConnected: false, isTaking: true });
    expect(await requestReport()).toEqual({ isConnected: false, promises: false, leases: [] });
    expect(agreement.mayTakeEnded()).toBe(true);
    state.isTaking = false;
    expect(await requestReport()).toEqual({ isConnected: false, promises: true, leases: [] });
    expect(agreement.mayTakeEnded()).toBe(false);
    await clock.advance(promiseLength);
    expect(agreement.mayTakeEnded()).toBe(true);
  });
});

describe('a replica that starts', () => {
  it('takes released clusters without waiting for the length of a promise', async () => {
    const { clock, start, owned } = world();
    const a = start('a');
    await clock.advance(1000);
    const b = start('b');
    await clock.advance(promiseLength / 2);
    expect([owned(a).length, owned(b).length]).toEqual([3, 2]);
    await a.keeper.stop();
    await clock.advance(1000);
    expect(owned(b)).toEqual(clusters);
  });
});

describe('a replica that starts while others do not reach the database', () => {
  it('waits for the length of a promise, and announces to the former owner that it takes its clusters', async () => {
    const { clock, a, b, start, owned, notifying, requested } = await pair();
    a.hasDatabase = false;
    b.hasDatabase = false;
    await clock.advance(20_000);
    expect(notifying(a).length + notifying(b).length).toBe(clusters.length);
    const c = start('c');
    await clock.advance(promiseLength - 1000);
    expect(owned(c)).toEqual([]);
    for (let step = 0; step < 100; step += 1) {
      await clock.advance(100);
      const acting = [a, b, c].flatMap((one) => notifying(one));
      expect(new Set(acting).size).toBe(acting.length);
    }
    expect(owned(c)).toEqual(clusters);
    expect([owned(a), owned(b)]).toEqual([[], []]);
    expect(requested).toEqual(expect.arrayContaining(['c POST a', 'c POST b']));
    expect(a.introduced.get('c')).toBe('http://c:9916');
  });

  it('is registered only if its announcement has a valid address', async () => {
    const introduced: unknown[] = [];
    const peers: Peers = { live: () => [], request: async () => err('unused') };
    const introduce = (...given: unknown[]) => void introduced.push(given);
    const agreement = new OutageAgreement({ clock: new FakeClock(), log: recordingLogger(), peers, introduce });
    const post = async (body: string): Promise<number> => {
      const request = { method: 'POST', replica: 'c', text: async () => body } as const;
      return (await agreement.answer(request, {} as LeaseHolder)).status;
    };
    expect(await post('{"url":"https://c:9916","fingerprint":"AB:CD"}')).toBe(204);
    for (const body of ['', '{}', '{"url":5}', '{"url":"ftp://c"}', '{"url":"http://"}'])
      expect(await post(body)).toBe(400);
    expect(introduced).toEqual([['c', { url: 'https://c:9916', fingerprint: 'AB:CD' }]]);
  });
});

const fault = fc.record({
  kind: fc.constantFrom('cut', 'away', 'restart'),
  replica: fc.integer({ min: 0, max: 2 }),
  after: fc.integer({ min: 0, max: 12_000 }),
  length: fc.integer({ min: 100, max: 40_000 }),
});

describe('several replicas that lose and reach the database at random', () => {
  it('never notify of one cluster at the same time, and finally own all clusters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 6 }), async (faults) => {
        const { clock, model, start, owned, notifying } = world();
        const replicas = ['a', 'b', 'c'].map((id) => start(id));
        let restarts = 0;
        const pass = async (length: number): Promise<void> => {
          for (const end = clock.now().mono + length; clock.now().mono < end; ) {
            await clock.advance(250);
            const acting = replicas.flatMap((one) => notifying(one));
            expect(new Set(acting).size).toBe(acting.length);
          }
        };
        await pass(20_000);
        for (const { kind, replica: index, after, length } of faults) {
          const replica = replicas[index];
          if (replica === undefined) continue;
          await pass(after);
          if (kind === 'cut') replica.hasDatabase = false;
          else if (kind === 'away') model.problem = 'the database is away';
          else {
            replica.hasDatabase = false;
            replica.isReachable = false;
            restarts += 1;
            replicas[index] = start(`restarted-${restarts}`);
          }
          await pass(length);
          if (kind === 'away') model.problem = undefined;
          if (kind === 'cut') replica.hasDatabase = true;
        }
        await pass(40_000);
        expect(replicas.flatMap((one) => owned(one)).toSorted()).toEqual(clusters);
      }),
      { numRuns: 25 },
    );
  });
});
