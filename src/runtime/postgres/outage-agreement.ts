import type { IncomingRequest, OutgoingReply } from '../../kernel/listener.ts';
import type { Logger } from '../../kernel/logger.ts';
import { effectMargin, type ReplicaAddress } from '../../kernel/ownership.ts';
import type { Peers } from '../../kernel/peers.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { GrantedLease } from './held-leases.ts';
import {
  type KnownLease,
  type PeerAnswer,
  type PeerState,
  parseAnswer,
  parseJsonObject,
  promisedTime,
  promiseLength,
  takenClusters,
} from './outage-agreement-rules.ts';

/** Path of the requests of replicas about the database, which only the listener of signed requests answers. */
export const replicaPath = '/-/replica';

/** Time between two rounds of requests to the other replicas while this one cannot reach the database. */
const requestInterval: Millis = 2000;

/** Interval at which a replica checks whether the database answers. */
const checkInterval: Millis = 500;

/** Time in which another replica must answer. */
const answerTimeout: Millis = 1500;

/** Time for which a takeover waits for the former owner to know about it. */
const announceTimeout: Millis = 1000;

/** State of the leases of this process, for the agreement with other replicas. */
export interface LeaseHolder {
  /** Whether the database answers. */
  isConnected(): boolean;
  /** Whether the database may be granting a lease at this moment. */
  isTaking(): boolean;
  granted(): readonly GrantedLease[];
  /** Leases that another replica does not own, as of the last answer of the database. */
  leasesNotOwnedBy(replica: string): readonly KnownLease[];
  /** Drops leases that another replica took over. */
  drop(clusters: readonly string[]): void;
}

/** Dependencies of {@link OutageAgreement}. */
export interface OutageAgreementPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly peers: Peers;
  /** Adds a replica that the last answer of the database does not contain. */
  readonly introduce: (id: string, address: { readonly url: string; readonly fingerprint: string | undefined }) => void;
}

/** Content of a request of another replica. */
export type PeerMessage = Pick<IncomingRequest, 'method' | 'replica' | 'text'>;

/**
 * Agreement between replicas while some of them cannot reach the database. If another replica reaches it, this one sends no
 * notifications and drops the clusters that have another owner. If none does, and each promised to take no lease, this replica
 * continues with its clusters.
 */
export class OutageAgreement {
  readonly #ports: OutageAgreementPorts;
  readonly #states = new Map<string, PeerState>();
  /** When this replica last announced a takeover to another one, on the monotonic clock. */
  readonly #announced = new Map<string, Millis>();
  /** Time on the monotonic clock before which this replica takes no lease that has ended. */
  #waitUntil: Millis;
  #isSendingWithoutDatabase = false;

  constructor(ports: OutageAgreementPorts) {
    this.#ports = ports;
    this.#waitUntil = ports.clock.now().mono + promiseLength;
  }

  /** Whether this replica may take leases that ended without being released. */
  mayTakeEnded(): boolean {
    return this.#ports.clock.now().mono >= this.#waitUntil;
  }

  /** Returns the time for which no other replica takes a cluster, although the database does not answer. */
  remaining(cluster: string): Millis {
    const { clock } = this.#ports;
    return promisedTime(this.#live(), this.#states, cluster, clock.now());
  }

  /** Sends requests to the other replicas while the database does not answer, until the signal aborts. */
  async run(holder: LeaseHolder, signal: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    while (!signal.aborted) {
      if (holder.isConnected()) this.#states.clear();
      else await this.#requestAll(holder);
      this.#report(holder);
      await clock.sleep(holder.isConnected() ? checkInterval : requestInterval, signal);
    }
  }

  /** Announces a takeover to the former owners of clusters, which may still send notifications if they cannot reach the database. */
  async announce(owners: Iterable<string>, { url, fingerprint }: ReplicaAddress): Promise<void> {
    const { clock, peers } = this.#ports;
    const now = clock.now().mono;
    const isDue = (owner: string): boolean =>
      now - (this.#announced.get(owner) ?? Number.NEGATIVE_INFINITY) > promiseLength;
    const left = [...new Set(owners)].filter(isDue);
    if (left.length === 0) return;
    for (const owner of left) this.#announced.set(owner, now);
    const body = JSON.stringify({ url, fingerprint: await fingerprint?.() });
    const request = { method: 'POST', path: replicaPath, body, timeout: announceTimeout } as const;
    // An owner that does not answer has stopped or cannot be reached.
    await Promise.all(left.map((owner) => peers.request(owner, request)));
  }

  /** Answers a request of another replica for {@link replicaPath}. */
  async answer(request: PeerMessage, holder: LeaseHolder): Promise<OutgoingReply> {
    const { method, replica = '' } = request;
    if (method === 'POST') return this.#introduce(replica, parseJsonObject(await request.text(4096)));
    const isConnected = holder.isConnected();
    // A lease that is being taken may be granted although the answer gets lost.
    const promises = !isConnected && !holder.isTaking();
    if (promises) this.#waitUntil = Math.max(this.#waitUntil, this.#ports.clock.now().mono + promiseLength);
    const answer: PeerAnswer = { isConnected, promises, leases: holder.leasesNotOwnedBy(replica) };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) };
  }

  #introduce(id: string, { url, fingerprint }: Readonly<Record<string, unknown>>): OutgoingReply {
    if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url)) return { status: 400 };
    this.#states.delete(id);
    this.#ports.introduce(id, { url, fingerprint: typeof fingerprint === 'string' ? fingerprint : undefined });
    return { status: 204 };
  }

  async #requestAll(holder: LeaseHolder): Promise<void> {
    await Promise.all(this.#live().map((peer) => this.#requestAnswer(peer, holder)));
  }

  /** Requests the answer of another replica. If it does not answer, its earlier promise stays valid until its end. */
  async #requestAnswer(peer: string, holder: LeaseHolder): Promise<void> {
    const { clock, peers } = this.#ports;
    const sent = clock.now();
    const reply = await peers.request(peer, { method: 'GET', path: replicaPath, timeout: answerTimeout });
    const answer = reply.ok && reply.value.status === 200 ? parseAnswer(reply.value.body) : undefined;
    // Meanwhile, the database may have answered.
    if (answer === undefined || holder.isConnected()) return;
    const { contested, lost } = takenClusters(holder.granted(), answer);
    this.#states.set(peer, { promisedSince: answer.promises ? sent : undefined, contested });
    if (lost.length > 0) holder.drop(lost);
  }

  #live(): readonly string[] {
    return this.#ports.peers.live().map(({ id }) => id);
  }

  /** Logs when notifications begin and end to continue without the database. */
  #report(holder: LeaseHolder): void {
    const held = holder.granted();
    const isSending = !holder.isConnected() && held.some(({ cluster }) => this.remaining(cluster) > effectMargin);
    if (isSending === this.#isSendingWithoutDatabase) return;
    this.#isSendingWithoutDatabase = isSending;
    const { log } = this.#ports;
    if (isSending)
      log.warn('database unavailable for all replicas, sending notifications from memory', { clusters: held.length });
    else log.info('stopped sending notifications from memory');
  }
}
