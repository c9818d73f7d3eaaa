import type { Millis } from '../kernel/time.ts';

/** One service instance of one cluster. Partition and replica are `''` where the service has none. */
export interface ReplicaId {
  readonly cluster: string;
  readonly service: string;
  readonly partition: string;
  readonly replica: string;
}

/** It could not be asked: never a status of the service itself. */
export const unobserved = 'unobserved';

/** Missing from good answers. */
export const absent = 'absent';

/** An observed change of a replica's status. */
export interface Transition extends ReplicaId {
  /** ms since the epoch. */
  readonly at: number;
  /** The server's word verbatim, {@link unobserved} or {@link absent}; `''` where the replica was new. */
  readonly from: string;
  /** The same; `''` where the replica was forgotten. */
  readonly to: string;
  /** The server's word for the state of the process; `''` where it sent none. */
  readonly process: string;
  readonly eventId: string;
  /** The server's own time of the event, nanoseconds since the epoch as decimal text; `''` where there is none. */
  readonly eventNs: string;
  /** How long the former state lasted; undefined where that is not known. */
  readonly lasted?: Millis;
  /** The node that told. */
  readonly source: string;
}

/** What the tracker knows of a replica now. Times are ms since the epoch. */
export interface ReplicaView extends ReplicaId {
  /** What the last answer said. */
  readonly observed: string;
  readonly observedSince: number;
  /** What was confirmed: alerts go by this. It outlives not being able to ask; {@link unobserved} before the first time. */
  readonly hard: string;
  /** When what is hard was first observed. */
  readonly hardSince: number;
  readonly flapping: boolean;
  readonly process: string;
  /** The other source of the same fact has told another status for longer than its refresh explains. */
  readonly disputed: boolean;
}

/** A partition: available while one of its replicas is online. */
export interface PartitionView {
  readonly cluster: string;
  readonly service: string;
  readonly partition: string;
  /** Replicas that are known, online or not. */
  readonly replicas: number;
  /** By the hard state. Undefined while not one of them is observed. */
  readonly online: number | undefined;
}
