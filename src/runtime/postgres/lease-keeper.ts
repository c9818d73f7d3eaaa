import type { Logger } from '../../kernel/logger.ts';
import type { Ownership, OwnershipListener, OwnershipView, ReplicaRegistration } from '../../kernel/ownership.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Clock, Instant, Millis } from '../../kernel/time.ts';
import type { DatabaseOffset } from './database-clock.ts';
import { type GrantedLease, HeldLeases, leaseLength } from './held-leases.ts';
import type { LeaseDatabase, LeaseSnapshot } from './lease-database.ts';
import { planLeases } from './lease-plan.ts';
import { LeaseReport } from './lease-report.ts';
import { leasesNotOwnedBy, ownershipViewOf } from './lease-view.ts';
import type { LeaseHolder, OutageAgreement } from './outage-agreement.ts';
import type { KnownLease } from './outage-agreement-rules.ts';

/** Time between two renewals. */
const renewInterval: Millis = leaseLength / 2;

/** Time between two reads of the leases. Within this time, a replica detects a lease that another one released. */
const readInterval: Millis = 500;

/** Time without an answer after which the database counts as unreachable. */
const unreachableAfter: Millis = 3000;

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
  readonly onSnapshot?: (snapshot: LeaseSnapshot) => void;
  /** Agreement between the replicas while the database does not answer; absent if they cannot reach each other. */
  readonly agreement?: OutageAgreement;
}

/** Takes, renews and releases the leases of this process, based on the answers of the database. */
export class LeaseKeeper implements Ownership, LeaseHolder {
  readonly isShared = true;
  readonly #ports: LeaseKeeperPorts;
  readonly #report: LeaseReport;
  readonly #held = new HeldLeases();
  readonly #listeners: OwnershipListener[] = [];
  /** Runs one statement at a time, so that an answer is never older than the one before it. */
  readonly #statements = new SerialQueue();
  readonly #stopped = new AbortController();
  /** Monotonic time since which a wanted cluster has no owner. */
  readonly #freeSince = new Map<string, Millis>();
  readonly #givenUp = new Set<string>();
  #registration: ReplicaRegistration | undefined;
  #running: Promise<void> | undefined;
  #agreementRun: Promise<void> | undefined;
  #isTaking = false;
  #isDraining = false;
  #renewDue = Number.NEGATIVE_INFINITY;
  #snapshot: LeaseSnapshot | undefined;
  /** Monotonic time of the latest complete answer. */
  #answeredAt: Millis | undefined;
  /** When the database last confirmed a renewal, which is a write; initially the start time. */
  #writtenAt: Millis | undefined;
  readonly #counts = { acquired: 0, takenOver: 0, released: 0, lost: 0 };

  constructor(ports: LeaseKeeperPorts) {
    this.#ports = ports;
    this.#report = new LeaseReport(ports.log);
  }

  owns(cluster: string): boolean {
    return this.#held.owns(cluster);
  }

  remaining(cluster: string): Millis {
    return this.#held.remaining(cluster, this.#ports.clock.now());
  }

  notifiable(cluster: string): Millis {
    const { agreement } = this.#ports;
    if (this.isConnected() || agreement === undefined) return this.remaining(cluster);
    return this.epochOf(cluster) === undefined ? 0 : agreement.remaining(cluster);
  }

  isConnected(): boolean {
    if (this.#report.problem !== undefined || this.#answeredAt === undefined) return false;
    return this.#ports.clock.now().mono - this.#answeredAt < unreachableAfter;
  }

  /**
   * Why nothing can be stored: for the length of a lease, the database confirmed no renewal. Each replica writes one every few
   * seconds, whether or not it owns clusters.
   */
  writeProblem(): string | undefined {
    const { mono } = this.#ports.clock.now();
    if (this.#writtenAt === undefined || mono - this.#writtenAt < leaseLength) return undefined;
    return this.#report.problem ?? `PostgreSQL has confirmed no write for ${leaseLength / 1000} s`;
  }

  isTaking(): boolean {
    return this.#isTaking;
  }

  granted(): readonly GrantedLease[] {
    return this.#held.granted();
  }

  leasesNotOwnedBy(replica: string): readonly KnownLease[] {
    const elapsed = this.#ports.clock.now().mono - (this.#answeredAt ?? 0);
    return leasesNotOwnedBy(replica, this.granted(), this.#snapshot?.leases ?? [], elapsed);
  }

  drop(clusters: readonly string[]): void {
    this.#held.lose(clusters);
    this.#lost(clusters);
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
    this.#writtenAt ??= this.#ports.clock.now().mono;
    this.#running ??= this.#run();
    this.#agreementRun ??= this.#ports.agreement?.run(this, this.#stopped.signal);
  }

  unreleased(): Iterable<string> {
    return this.#held.unreleased();
  }

  release(clusters: readonly string[] | ReadonlySet<string>): Promise<void> {
    return this.#release([...clusters]);
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
    // Runs after the statement in flight: if that takes leases, they are released as well.
    const left = await this.#statements.run(() => database.leave());
    if (left.ok) this.#report.released(held.length);
    await Promise.all([this.#running, this.#agreementRun]);
    await database.close();
  }

  view(): OwnershipView {
    const input = { self: this.#ports.id, snapshot: this.#snapshot, held: this.#held, wanted: this.#wanted() };
    return { ...ownershipViewOf(input), counts: { ...this.#counts }, answeredAt: this.#answeredAt };
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
    // A database that accepts no writes counts as unreachable, although it can be read.
    if (clock.now().mono >= this.#renewDue && !(await this.#renew(registration))) return;
    const sent = clock.now().wall;
    const snapshot = await database.read();
    if (!snapshot.ok) return this.#report.answered(snapshot.error);
    this.#ports.offset?.apply(snapshot.value.now, sent, clock.now().wall);
    this.#ports.onSnapshot?.(snapshot.value);
    this.#report.answered(undefined);
    this.#record(snapshot.value, clock.now());
    if (!this.#isDraining) await this.#applyPlan(registration, snapshot.value);
  }

  /** Renews the leases; returns false if the database did not confirm it. */
  async #renew(registration: ReplicaRegistration): Promise<boolean> {
    const { clock, database } = this.#ports;
    const leases = this.#held.granted();
    const sent = clock.now();
    const renewed = await database.renew(registration, leases);
    if (!renewed.ok) {
      this.#report.answered(renewed.error);
      return false;
    }
    this.#renewDue = sent.mono + renewInterval;
    this.#writtenAt = clock.now().mono;
    const { lost } = this.#held.renew(leases, renewed.value, sent);
    if (lost.length > 0) this.#lost(lost);
    return true;
  }

  #lost(lost: readonly string[]): void {
    this.#report.lost(lost);
    this.#counts.lost += lost.length;
    this.#changed();
  }

  #record(snapshot: LeaseSnapshot, now: Instant): void {
    const before = this.#snapshot;
    this.#snapshot = snapshot;
    this.#answeredAt = now.mono;
    const owned = new Set(snapshot.leases.filter(isOwned).map(({ cluster }) => cluster));
    for (const cluster of this.#wanted()) {
      if (owned.has(cluster)) {
        this.#freeSince.delete(cluster);
        this.#givenUp.delete(cluster);
      } else if (!this.#freeSince.has(cluster)) this.#freeSince.set(cluster, now.mono);
    }
    this.#report.readReplicas(snapshot, this.#registration);
    if (before !== undefined && before.sharedRows !== snapshot.sharedRows) {
      for (const listener of this.#listeners) listener.onSharedRowsChange();
    }
  }

  async #applyPlan(registration: ReplicaRegistration, snapshot: LeaseSnapshot): Promise<void> {
    const { id, clock, agreement } = this.#ports;
    const now = clock.now().mono;
    const peers = snapshot.replicas.filter(
      ({ isLive, configHash }) => isLive && configHash === registration.configHash,
    );
    // A lost cluster must first be removed from memory: otherwise its old data would be used as its state.
    const [held, unreleased] = [this.#held.clusters(), this.#held.unreleased()];
    const plan = planLeases({
      self: id,
      peers: [...new Set([id, ...peers.map((peer) => peer.id)])],
      wanted: registration.clusters.filter((cluster) => !unreleased.has(cluster) || held.has(cluster)),
      leases: snapshot.leases,
      held,
      leaving: this.#held.leaving(),
      givenUp: this.#givenUp,
      mayTakeEnded: agreement?.mayTakeEnded() ?? true,
      freeFor: (cluster) => now - (this.#freeSince.get(cluster) ?? now),
    });
    // A lease without an owner was released: no replica acts on it.
    const former = snapshot.leases.flatMap(({ cluster, owner }) =>
      owner !== undefined && owner !== id && plan.take.includes(cluster) ? [owner] : [],
    );
    await agreement?.announce(former, registration);
    // This replica may have promised another one in between that it takes none.
    const mayTake = former.length === 0 || (agreement?.mayTakeEnded() ?? true);
    if (plan.take.length > 0 && mayTake) await this.#take(plan.take);
    if (this.#held.leave(plan.giveUp).length > 0) this.#changed();
  }

  async #take(clusters: readonly string[]): Promise<void> {
    const { clock, database } = this.#ports;
    const sent = clock.now();
    this.#isTaking = true;
    const taken = await database.take(clusters);
    this.#isTaking = false;
    if (!taken.ok) return this.#report.answered(taken.error);
    if (taken.value.length === 0) return;
    this.#held.take(taken.value, sent);
    const takenOver = taken.value.filter(({ isTakenOver }) => isTakenOver).length;
    this.#counts.acquired += taken.value.length;
    this.#counts.takenOver += takenOver;
    this.#report.taken(taken.value.map(({ cluster }) => cluster));
    this.#changed();
  }

  async #release(clusters: readonly string[]): Promise<void> {
    // From here on these leases are not valid, even if the release fails.
    const leases = clusters.flatMap((cluster): GrantedLease | readonly [] => this.#held.remove(cluster) ?? []);
    if (leases.length === 0) return;
    const released = await this.#statements.run(() => this.#ports.database.release(leases));
    if (!released.ok) {
      this.#report.answered(released.error);
      // No other replica can take them while the database is unreachable, so this replica continues to poll the clusters.
      this.#held.keep(leases);
      return this.#changed();
    }
    this.#counts.released += leases.length;
    for (const { cluster } of leases) this.#givenUp.add(cluster);
    this.#report.released(leases.length);
  }

  #wanted(): readonly string[] {
    return this.#registration?.clusters ?? [];
  }

  #changed(): void {
    for (const listener of this.#listeners) listener.onOwnershipChange();
  }
}

function isOwned({ owner, expiresIn }: LeaseSnapshot['leases'][number]): boolean {
  return owner !== undefined && expiresIn > 0;
}
