import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ownership } from '../../../src/kernel/ownership.ts';
import type { Clock, Millis } from '../../../src/kernel/time.ts';
import { LeaseKeeper } from '../../../src/runtime/postgres/lease-keeper.ts';
import { FakeClock } from '../../support/clock.ts';
import { LeaseModel, type ModelLink, registrationOf } from '../../support/lease-model.ts';
import { recordingLogger } from '../../support/logger.ts';

const clusters = ['', 'c1', 'c2', 'c3', 'c4'];

function world() {
  const clock = new FakeClock();
  const model = new LeaseModel(() => clock.now().wall);
  const log = recordingLogger();
  const replica = (id: string, names: readonly string[] = clusters, hash?: string): LeaseKeeper => {
    const keeper = new LeaseKeeper({ clock, log, database: model.connect(id), id });
    keeper.start(registrationOf(id, names, hash));
    return keeper;
  };
  return { clock, model, log, replica };
}

const ownedBy = (keeper: Ownership) => clusters.filter((cluster) => keeper.owns(cluster));

/** Releases at once what the keeper gives up; a release without a lease has no effect. */
function releaseWhatIsGivenUp(keeper: Ownership): void {
  keeper.subscribe({
    onOwnershipChange: () => {
      for (const cluster of clusters) if (!keeper.owns(cluster)) void keeper.release([cluster]);
    },
    onSharedRowsChange: () => undefined,
  });
}

describe('a replica', () => {
  it('takes all clusters when it is alone, and renews them with few statements', async () => {
    const { clock, model, replica } = world();
    const keeper = replica('a');
    await clock.advance(1);
    expect(ownedBy(keeper)).toEqual(clusters);
    const before = model.statements;
    await clock.advance(60_000);
    expect(keeper.remaining('c1')).toBeGreaterThan(4000);
    expect(model.statements - before).toBeLessThan(140);
    expect(model.leases.get('c1')?.epoch).toBe(1);
  });

  it('releases clusters one by one when another replica starts, until both have their share', async () => {
    const { clock, replica } = world();
    const first = replica('a');
    await clock.advance(1);
    releaseWhatIsGivenUp(first);
    const second = replica('b');
    await clock.advance(10_000);
    expect([ownedBy(first).length, ownedBy(second).length]).toEqual([3, 2]);
    expect(first.view().counts).toMatchObject({ released: 2, lost: 0 });
    expect(first.view().replicas.map(({ name, clusters: count, isSelf }) => [name, count, isSelf])).toEqual([
      ['a', 2, true],
      ['b', 2, false],
    ]);
  });

  it('takes over the clusters of a killed replica when its leases expire', async () => {
    const { clock, model, replica } = world();
    const link = { isDead: false };
    const dead: ModelLink = { arrives: async () => !link.isDead, returns: async () => !link.isDead };
    const first = new LeaseKeeper({ clock, log: recordingLogger(), database: model.connect('a', dead), id: 'a' });
    first.start(registrationOf('a', clusters));
    await clock.advance(1);
    const second = replica('b');
    await clock.advance(200);
    link.isDead = true;
    await clock.advance(11_000);
    expect(ownedBy(second)).toEqual(clusters);
    expect(clusters.map((cluster) => first.remaining(cluster))).toEqual([0, 0, 0, 0, 0]);
    expect(second.view().counts).toMatchObject({ takenOver: 5 });
    expect(second.view().lastTakeover).toMatchObject({ from: 'a' });
    link.isDead = false;
    await clock.advance(1000);
    expect(ownedBy(first)).toEqual([]);
    expect(first.view().counts).toMatchObject({ lost: 5 });
  });

  it('releases all leases when it stops, and another one has them within a second', async () => {
    const { clock, model, replica } = world();
    const first = replica('a');
    await clock.advance(1);
    const second = replica('b');
    await clock.advance(1);
    void first.stop();
    await clock.advance(1000);
    expect(ownedBy(second)).toEqual(clusters);
    expect(second.view().counts.takenOver).toBe(0);
    expect([...model.replicas.keys()]).toEqual(['b']);
  });

  it('reports replicas with other clusters, and never shares a cluster with them', async () => {
    const { clock, log, replica } = world();
    const first = replica('a');
    await clock.advance(1);
    const second = replica('b', ['', 'c1', 'elsewhere'], 'other');
    await clock.advance(20_000);
    expect(ownedBy(first)).toEqual(clusters);
    expect(second.owns('c1')).toBe(false);
    expect(second.owns('elsewhere')).toBe(true);
    expect(log.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'replicas have different clusters configured' }),
    );
  });

  it('counts a lease from the time of its request, even if the answer is late', async () => {
    const { clock, model } = world();
    const slow = async (): Promise<boolean> => {
      await clock.sleep(2000);
      return true;
    };
    const database = model.connect('a', { arrives: slow, returns: slow });
    const keeper = new LeaseKeeper({ clock, log: recordingLogger(), database, id: 'a' });
    keeper.start(registrationOf('a', clusters));
    await clock.advance(12_001);
    expect(keeper.remaining('c1')).toBe(5999);
    await clock.advance(4500);
    const { expiresAt = 0 } = model.leases.get('c1') ?? {};
    expect(keeper.remaining('c1')).toBeLessThanOrEqual(expiresAt - clock.now().wall);
  });

  it('notifies its listeners when another replica changed a silence or a pause', async () => {
    const { clock, model, replica } = world();
    const keeper = replica('a');
    await clock.advance(1);
    let changes = 0;
    keeper.subscribe({ onOwnershipChange: () => undefined, onSharedRowsChange: () => (changes += 1) });
    model.sharedRows = 'changed';
    await clock.advance(2000);
    expect(changes).toBe(1);
  });
});

/** Clock of a host that shows another time and that can stop: then no timer fires, although time passes. */
class HostClock implements Clock {
  readonly #time: FakeClock;
  readonly #offset: { readonly wall: Millis; readonly mono: Millis };
  #resumed: Promise<void> = Promise.resolve();

  constructor(time: FakeClock, offset: { readonly wall: Millis; readonly mono: Millis }) {
    this.#time = time;
    this.#offset = offset;
  }

  now() {
    const { wall, mono } = this.#time.now();
    return { wall: wall + this.#offset.wall, mono: mono + this.#offset.mono };
  }

  async sleep(length: Millis, signal?: AbortSignal): Promise<void> {
    await this.#time.sleep(length, signal);
    await this.#resumed;
  }

  async yieldToEventLoop(): Promise<void> {
    await this.#resumed;
  }

  resumed(): Promise<void> {
    return this.#resumed;
  }

  stall(length: Millis): void {
    this.#resumed = Promise.all([this.#resumed, this.#time.sleep(length)]).then(() => undefined);
  }
}

const fault = fc.record({
  replica: fc.integer({ min: 0, max: 2 }),
  after: fc.integer({ min: 0, max: 8000 }),
  kind: fc.constantFrom('stall', 'slow', 'lose answers', 'lose statements', 'release', 'away', 'read-only'),
  length: fc.integer({ min: 100, max: 16_000 }),
});

type Fault = typeof fault extends fc.Arbitrary<infer T> ? T : never;

interface Host {
  readonly clock: HostClock;
  readonly keeper: LeaseKeeper;
  readonly outages: Map<string, number>;
}

function openHost(time: FakeClock, model: LeaseModel, index: number): Host {
  const hour = 3_600_000;
  const clock = new HostClock(time, { wall: (index - 1) * hour, mono: index * 12_345 });
  const outages = new Map<string, number>();
  const isFailing = (kind: string): boolean => (outages.get(kind) ?? 0) > time.now().mono;
  const travel = async (kind: string): Promise<boolean> => {
    await time.sleep(isFailing('slow') ? 2500 : 5);
    await clock.resumed();
    return !isFailing(kind);
  };
  const link: ModelLink = {
    arrives: () => travel('lose statements'),
    returns: () => travel('lose answers'),
  };
  const id = `r${index}`;
  const database = model.connect(id, link);
  const keeper = new LeaseKeeper({ clock, log: recordingLogger(), database, id });
  releaseWhatIsGivenUp(keeper);
  keeper.start(registrationOf(id, clusters));
  return { clock, keeper, outages };
}

function begin({ kind, length, replica }: Fault, hosts: readonly Host[], time: FakeClock, model: LeaseModel): void {
  const host = hosts[replica];
  if (host === undefined) return;
  if (kind === 'stall') host.clock.stall(length);
  else if (kind === 'release') void host.keeper.release(ownedBy(host.keeper).slice(0, 2));
  else if (kind === 'away') {
    model.problem = 'away';
    void time.sleep(length).finally(() => {
      model.problem = undefined;
    });
  } else if (kind === 'read-only') {
    model.writeProblem = 'read-only';
    void time.sleep(length).finally(() => {
      model.writeProblem = undefined;
    });
  } else host.outages.set(kind, time.now().mono + length);
}

describe('several replicas with stalls, skewed clocks and lost messages', () => {
  it('never hold the lease of a cluster at the same time, and each cluster gets an owner', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 8 }), async (faults) => {
        const time = new FakeClock();
        const model = new LeaseModel(() => time.now().wall);
        const hosts = [0, 1, 2].map((index) => openHost(time, model, index));
        const check = (): void => {
          for (const cluster of clusters) {
            const owners = hosts.filter(({ keeper }) => keeper.remaining(cluster) > 0);
            expect(owners.length, `owners of '${cluster}'`).toBeLessThanOrEqual(1);
          }
        };
        const pass = async (length: Millis): Promise<void> => {
          for (let passed = 0; passed < length; passed += 250) {
            await time.advance(Math.min(250, length - passed));
            check();
          }
        };
        await pass(1000);
        for (const one of faults) {
          begin(one, hosts, time, model);
          await pass(one.after);
        }
        await pass(45_000);
        for (const cluster of clusters) {
          expect(
            hosts.filter(({ keeper }) => keeper.owns(cluster)),
            `owner of '${cluster}'`,
          ).toHaveLength(1);
        }
      }),
      { numRuns: 40 },
    );
  });
});
