import type { Millis } from '../kernel/time.ts';

/** One service instance of one cluster. Partition and replica are `''` if the service has none. */
export interface ReplicaId {
  readonly cluster: string;
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
}

/** Status of a replica while its server cannot be polled; the server itself never reports it. */
export const unobserved = 'unobserved';

/** Status of a replica that is missing from successful poll results. */
export const absent = 'absent';

/** Observed status change of a replica. */
export interface Transition extends ReplicaId {
  /** ms since the epoch. */
  readonly at: number;
  /** The server's word verbatim, {@link unobserved} or {@link absent}; `''` if the replica is new. */
  readonly from: string;
  /** The same; `''` if the replica is forgotten. */
  readonly to: string;
  /** State of the process in the server's word; `''` if it sent none. */
  readonly process: string;
  readonly eventId: string;
  /** The server's own time of the event, nanoseconds since the epoch as decimal text; `''` if absent. */
  readonly eventNs: string;
  /** How long the previous status lasted; undefined if unknown. */
  readonly duration?: Millis;
  /** Node that reported the status. */
  readonly source: string;
}

/** Current state of a replica in the tracker. Times are ms since the epoch. */
export interface ReplicaView extends ReplicaId {
  /** Status in the latest poll result. */
  readonly observed: string;
  readonly observedSince: number;
  /**
   * Confirmed status, which alerts use. It is kept while the server cannot be polled; {@link unobserved} before the
   * first confirmation.
   */
  readonly confirmed: string;
  /** When the confirmed status was first observed. */
  readonly confirmedSince: number;
  readonly flapping: boolean;
  readonly process: string;
  /** The metrics of the server have reported another status for longer than two refreshes. */
  readonly disputed: boolean;
}

/** Outages of a partition in the last ten minutes. */
export interface RecentAvailability {
  /** Share of the ten minutes in which no replica was online; unobserved time does not count. */
  readonly unavailableRatio: number;
  /** Number of outages, including one that began earlier. */
  readonly outages: number;
}

/** Partition; available while one of its replicas is online. */
export interface PartitionView {
  readonly cluster: string;
  readonly service: string;
  readonly partition: string;
  /** Known replicas, online or not. */
  readonly replicas: number;
  /** Replicas with the confirmed status online; undefined while no replica is observed. */
  readonly online: number | undefined;
  /** By every poll result, confirmed or not; undefined while no replica is observed. */
  readonly recent?: RecentAvailability;
}
