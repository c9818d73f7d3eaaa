import type { FaultName } from './plan.ts';
import type { ReplicaRun } from './replica.ts';

/** Request as a simulated cluster received it. Times are ms since the epoch, by the true clock. */
export interface LoggedRequest {
  readonly cluster: string;
  readonly replica: number;
  readonly at: number;
  readonly path: string;
  readonly query: string;
}

/** One alert of a request to the receiver. */
export interface LoggedNotification {
  readonly replica: number;
  readonly at: number;
  /** `''` for alerts about graphwarden itself. */
  readonly cluster: string;
  readonly alertname: string;
  /** Service that the alert is about; `''` for other alerts. */
  readonly service: string;
  readonly status: 'firing' | 'resolved';
  readonly startsAt: string;
  readonly isAccepted: boolean;
}

/** Query that a client started. */
export interface StartedQuery {
  readonly cluster: string;
  readonly id: string;
  readonly name: string;
  readonly startedAt: number;
}

/** Time in which a service was down for so long that it must be notified. */
export interface Outage {
  readonly cluster: string;
  readonly service: string;
  readonly from: number;
  readonly until: number;
}

/** Change of a lease, as the database logged it. */
export interface LeaseChange {
  readonly at: number;
  readonly cluster: string;
  /** Replica whose connection made the change. */
  readonly replica: number;
  /** Id of the process that owns the lease from then on; undefined if it is free. An owner makes the change itself. */
  readonly owner: string | undefined;
  readonly expiresAt: number;
}

/** Write to a row of a cluster, as the database logged it, at the time of its commit. */
export interface StateWrite {
  readonly at: number;
  readonly table: string;
  readonly cluster: string;
  readonly replica: number;
}

/** A fault and the longest time without a poll of each cluster since then. */
export interface InjectedFault {
  readonly name: FaultName;
  /** Moment that the fault waited for. */
  readonly moment: string;
  readonly replica: number;
  readonly at: number;
  /** End of the fault. */
  readonly until: number;
  /** Whether another fault began before this one was over. */
  readonly isOverlapped: boolean;
  /** Longest time without a poll, by cluster, in ms. */
  readonly gaps: Readonly<Record<string, number>>;
}

/** Answer of a replica while the database was unavailable. */
export interface OutageAnswer {
  readonly replica: number;
  readonly at: number;
  /** Time of the answer of `/metrics` in ms; undefined without an answer. */
  readonly after: number | undefined;
  /** Values of the metrics that state the outage: whether the state is durable, and the age of the leases in seconds. */
  readonly durable: number | undefined;
  readonly leaseAge: number | undefined;
}

/** Logs of one scenario. */
export interface Evidence {
  /** Length of a lease in ms. */
  readonly lease: number;
  readonly requests: readonly LoggedRequest[];
  readonly notifications: readonly LoggedNotification[];
  readonly startedQueries: readonly StartedQuery[];
  readonly outages: readonly Outage[];
  readonly runs: readonly ReplicaRun[];
  readonly faults: readonly InjectedFault[];
  /** Answers during faults that make the database unavailable for long. */
  readonly answers: readonly OutageAnswer[];
  /** Changes of leases; empty without PostgreSQL. */
  readonly leases: readonly LeaseChange[];
  readonly writes: readonly StateWrite[];
}

/** Kinds of findings. */
export const findingKinds = [
  'double abort',
  'abort without lease',
  'notification without lease',
  'write without lease',
  'two owners',
  'over budget',
  'over breaker',
  'lost notification',
  'left open',
  'no end',
  'not polled again',
  'polled too late',
  'outage not stated',
  'complaint',
] as const;

/** One of {@link findingKinds}. */
export type FindingKind = (typeof findingKinds)[number];

/** Violation that the oracle found. */
export interface Finding {
  readonly kind: FindingKind;
  /** Sentence for the report. */
  readonly about: string;
}
