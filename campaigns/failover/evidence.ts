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

/** Time in which a service was down. */
export interface Outage {
  readonly cluster: string;
  readonly from: number;
  readonly until: number;
}

/** Change of a lease, as the database logged it. */
export interface LeaseChange {
  readonly at: number;
  readonly cluster: string;
  /** Replica whose connection made the change. */
  readonly replica: number;
  /** Whether the lease has an owner: the replica that made the change. */
  readonly isOwned: boolean;
  readonly expiresAt: number;
  readonly epoch: number;
}

/** Write to a row of a cluster, as the database logged it. */
export interface StateWrite {
  readonly at: number;
  readonly table: string;
  readonly cluster: string;
  readonly replica: number;
}

/** A fault and the time until each cluster of the replica was polled again. */
export interface PlayedFault {
  readonly name: FaultName;
  /** What the fault waited for. */
  readonly moment: string;
  readonly replica: number;
  readonly at: number;
  /** End of the fault. */
  readonly until: number;
  /** By cluster, in ms. */
  readonly recoveries: readonly { readonly cluster: string; readonly after: number }[];
}

/** Logs of one scenario. */
export interface Evidence {
  readonly requests: readonly LoggedRequest[];
  readonly notifications: readonly LoggedNotification[];
  readonly startedQueries: readonly StartedQuery[];
  readonly outages: readonly Outage[];
  readonly runs: readonly ReplicaRun[];
  readonly faults: readonly PlayedFault[];
  /** Empty without PostgreSQL. */
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
  'not polled again',
  'complaint',
] as const;

/** Violation that the oracle found. */
export interface Finding {
  readonly kind: (typeof findingKinds)[number];
  /** Sentence for the report. */
  readonly about: string;
}
