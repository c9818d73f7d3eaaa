import type { Logger } from '../../kernel/logger.ts';
import type {
  ClusterOwner,
  LeaseCounts,
  Ownership,
  OwnershipListener,
  OwnershipView,
  ReplicaRegistration,
  ReplicaView,
} from '../../kernel/ownership.ts';
import { selfCluster } from '../../kernel/ownership.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Clock, Instant, Millis } from '../../kernel/time.ts';
import type { DatabaseOffset } from './database-clock.ts';
import { type GrantedLease, HeldLeases, leaseLength } from './held-leases.ts';
import type { LeaseDatabase, LeaseReading, TakenLease } from './lease-database.ts';
import { planLeases } from './lease-plan.ts';

/** Time between two renewals. */
const renewInterval: Millis = leaseLength / 2;

/** Time between two reads of the leases: the others notice a released lease within this time. */
const readInterval: Millis = 500;

/** How long a takeover is reported. */
const takeoverShown: Millis = 600_000;

/** Dependencies of a {@link LeaseKeeper}. */
export interface LeaseKeeperPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly database: LeaseDatabase;
  /** Id of this replica, unique for each start. */
  readonly id: string;
  /** Follows the clock of the database. */
  readonly offset?: DatabaseOffset;
  /** Follows the list of the replicas. */
  readonly onReading?: (reading: LeaseReading) => void;
}

/** Takes, renews and gives up the leases of this process, by the answers of the database. */
export class LeaseKeeper implements Ownership {
  readonly isShared = true;
  readonly #ports: LeaseKeeperPorts;
  readonly #held = new HeldLeases();
  readonly #listeners: OwnershipListener[] = [];
  /** One statement at a time: an answer is never older than the one before it. */
  readonly #statements = new SerialQueue();
  readonly #stopped = new AbortController();
  readonly #freeSince = new Map<string, Millis>();
  readonly #givenUp = new Set<string>();
  #registration: ReplicaRegistration | undefined;
  #running: Promise<void> | undefined;
  #isDraining = false;
  #renewDue = Number.NEGATIVE_INFINITY;
  #reading: LeaseReading | undefined;
  #answeredAt: Millis | undefined;
  #counts: LeaseCounts = { taken: 0, takenOver: 0, released: 0, lost: 0 };
  #problem: string | undefined;
  #foreign = '';

  constructor(ports: LeaseKeeperPorts) {
    this.#ports = ports;
  }

  owns(cluster: string): boolean {
    return this.#held.owns(cluster);
  }

  remaining(cluster: string): Millis {
    return this.#held.remaining(cluster, this.#ports.clock.now());
  }

  /** Epoch of a lease that may still last; undefined without one. The commit of a row checks it in the database. */
  epochOf(cluster: string): number | undefined {
    return this.#held.epochOf(cluster);
  }

  subscribe(listener: OwnershipListener): void {
    this.#listeners.push(listener);
  }

  start(registration: ReplicaRegistration): void {
    this.#registration = registration;
    this.#renewDue = Number.NEGATIVE_INFINITY;
    this.#running ??= this.#run();
  }

  release(cluster: string): Promise<void> {
    return this.#release([cluster]);
  }

  drain(): void {
    this.#isDraining = true;
  }

  async stop(): Promise<void> {
    const { database } = this.#ports;
    this.#isDraining = true;
    this.#stopped.abort();
    const held = [...this.#held.clusters()];
    for (const cluster of held) this.#held.remove(cluster);
    // After a take that is in flight.
    const left = await this.#statements.run(() => database.leave());
    if (left.ok) this.#ports.log.info('leases released', { clusters: held.length });
    await this.#running;
    await database.close();
  }

  view(): OwnershipView {
    const reading = this.#reading;
    const at = { counts: this.#counts, answeredAt: this.#answeredAt };
    if (reading === undefined) return { replicas: [], owners: [], lastTakeover: undefined, ...at };
    const owners = this.#owners(reading);
    const replicas = reading.replicas.map(({ fingerprint: _, ...replica }): ReplicaView => {
      const clusters = owners.filter(({ cluster, owner }) => owner === replica.id && cluster !== selfCluster).length;
      return { ...replica, clusters, isSelf: replica.id === this.#ports.id };
    });
    return { replicas, owners, lastTakeover: lastTakeover(reading), ...at };
  }

  /** Returns the owners by the latest answer of the database, with what this process took or lost since. */
  #owners({ leases }: LeaseReading): readonly ClusterOwner[] {
    const { id } = this.#ports;
    const known = new Map(leases.map((lease) => [lease.cluster, lease]));
    const clusters = new Set([...(this.#registration?.clusters ?? []), ...known.keys()]);
    return [...clusters].map((cluster) => {
      const { owner, epoch = 0, since = 0, expiresIn = 0 } = known.get(cluster) ?? {};
      const isHeld = this.#held.epochOf(cluster) !== undefined;
      const other = owner === id || expiresIn <= 0 ? undefined : owner;
      return { cluster, owner: isHeld ? id : other, epoch, since };
    });
  }

  async #run(): Promise<void> {
    const { clock } = this.#ports;
    while (!this.#stopped.signal.aborted) {
      await this.#statements.run(() => this.#refresh());
      await clock.sleep(readInterval, this.#stopped.signal);
    }
  }

  async #refresh(): Promise<void> {
    const registration = this.#registration;
    if (registration === undefined || this.#stopped.signal.aborted) return;
    const { clock, database } = this.#ports;
    if (clock.now().mono >= this.#renewDue) await this.#renew(registration);
    const sent = clock.now().wall;
    const reading = await database.read();
    if (!reading.ok) return this.#report(reading.error);
    this.#ports.offset?.apply(reading.value.now, sent, clock.now().wall);
    this.#ports.onReading?.(reading.value);
    this.#report(undefined);
    this.#record(reading.value, clock.now());
    if (!this.#isDraining) await this.#applyPlan(registration, reading.value);
  }

  async #renew(registration: ReplicaRegistration): Promise<void> {
    const { clock, database, log } = this.#ports;
    const asked = this.#held.granted();
    const sent = clock.now();
    const renewed = await database.renew(registration, asked);
    if (!renewed.ok) return this.#report(renewed.error);
    this.#renewDue = sent.mono + renewInterval;
    const { lost } = this.#held.renew(asked, renewed.value, sent);
    if (lost.length === 0) return;
    log.error('leases lost, the clusters have another owner', { clusters: lost.length, names: lost.slice(0, 10) });
    this.#counts = { ...this.#counts, lost: this.#counts.lost + lost.length };
    this.#changed();
  }

  #record(reading: LeaseReading, now: Instant): void {
    const before = this.#reading;
    this.#reading = reading;
    this.#answeredAt = now.mono;
    const owned = new Set(reading.leases.filter(isOwned).map(({ cluster }) => cluster));
    for (const cluster of this.#registration?.clusters ?? []) {
      if (owned.has(cluster)) {
        this.#freeSince.delete(cluster);
        this.#givenUp.delete(cluster);
      } else if (!this.#freeSince.has(cluster)) this.#freeSince.set(cluster, now.mono);
    }
    this.#reportForeignConfigs(reading);
    if (before !== undefined && before.sharedRows !== reading.sharedRows) {
      for (const listener of this.#listeners) listener.onSharedRowsChange();
    }
  }

  async #applyPlan(registration: ReplicaRegistration, reading: LeaseReading): Promise<void> {
    const { id, clock } = this.#ports;
    const now = clock.now().mono;
    const peers = reading.replicas.filter(({ isLive, configHash }) => isLive && configHash === registration.configHash);
    const plan = planLeases({
      self: id,
      peers: [...new Set([id, ...peers.map((peer) => peer.id)])],
      wanted: registration.clusters,
      leases: reading.leases,
      held: this.#held.clusters(),
      leaving: this.#held.leaving(),
      givenUp: this.#givenUp,
      freeFor: (cluster) => now - (this.#freeSince.get(cluster) ?? now),
    });
    if (plan.take.length > 0) await this.#take(plan.take);
    if (this.#held.leave(plan.giveUp).length > 0) this.#changed();
  }

  async #take(clusters: readonly string[]): Promise<void> {
    const { clock, database, log } = this.#ports;
    const sent = clock.now();
    const taken = await database.take(clusters);
    if (!taken.ok) return this.#report(taken.error);
    if (taken.value.length === 0) return;
    this.#held.take(taken.value, sent);
    this.#count(taken.value);
    log.info('leases taken', { clusters: taken.value.length, names: taken.value.slice(0, 10).map(nameOf) });
    this.#changed();
  }

  #count(leases: readonly TakenLease[]): void {
    const { taken, takenOver } = this.#counts;
    const over = leases.filter(({ isTakenOver }) => isTakenOver).length;
    this.#counts = { ...this.#counts, taken: taken + leases.length, takenOver: takenOver + over };
  }

  async #release(clusters: readonly string[]): Promise<void> {
    // From here on none of them is used, whatever the database answers: an unreleased lease ends by itself.
    const leases = clusters.flatMap((cluster): GrantedLease | readonly [] => this.#held.remove(cluster) ?? []);
    if (leases.length === 0) return;
    this.#counts = { ...this.#counts, released: this.#counts.released + leases.length };
    const released = await this.#statements.run(() => this.#ports.database.release(leases));
    for (const { cluster } of leases) this.#givenUp.add(cluster);
    if (released.ok) this.#ports.log.info('leases released', { clusters: leases.length });
    else this.#report(released.error);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener.onOwnershipChange();
  }

  /** Logs each change between answers and failures of the database. */
  #report(problem: string | undefined): void {
    if (problem === this.#problem) return;
    const { log } = this.#ports;
    if (problem !== undefined) log.warn('leases cannot be renewed', { error: problem });
    else log.info('leases are renewed again');
    this.#problem = problem;
  }

  /** Reports live replicas with other clusters: they share the leases, but not the configuration. */
  #reportForeignConfigs({ replicas }: LeaseReading): void {
    const hash = this.#registration?.configHash;
    const others = replicas.filter(({ isLive, configHash }) => isLive && configHash !== hash);
    const names = others.map(({ name, id }) => `${name} (${id})`).join(', ');
    if (names === this.#foreign) return;
    this.#foreign = names;
    const advice = 'give all replicas of one database the same clusters, or each installation its own database';
    if (names !== '') this.#ports.log.warn('replicas monitor other clusters', { replicas: names, advice });
  }
}

function isOwned({ owner, expiresIn }: LeaseReading['leases'][number]): boolean {
  return owner !== undefined && expiresIn > 0;
}

function nameOf({ cluster }: GrantedLease): string {
  return cluster === selfCluster ? 'graphwarden' : cluster;
}

function lastTakeover({ leases, now }: LeaseReading): OwnershipView['lastTakeover'] {
  const found = leases.flatMap(({ since, lostBy }) => (lostBy === undefined ? [] : [{ at: since, from: lostBy }]));
  const recent = found.filter(({ at }) => now - at < takeoverShown);
  return recent.toSorted((one, other) => other.at - one.at)[0];
}
