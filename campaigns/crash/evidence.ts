import type { ReceivedRequest } from '../../src/simulator/receivers/received-request.ts';

/** One run of the daemon: from its start until it was killed. Times are ms since the epoch. */
export interface DaemonRun {
  readonly from: number;
  /** Undefined for the last run, which ends with a signal to stop. */
  readonly killedAt?: number;
}

/** Change of the environment, which the daemon has applied at `until`. */
export type Disturbance = DiskAbsence | ReceiverReload;

/** Absence of the state directory. */
export interface DiskAbsence {
  readonly kind: 'disk';
  /** True if the daemon started without the folder: it did not know its incidents until then. */
  readonly isLate: boolean;
  readonly from: number;
  /** When the daemon had merged its state with that of the folder. */
  readonly until: number;
}

/** Reload that changes a receiver. */
export interface ReceiverReload {
  readonly kind: 'reload';
  readonly change: 'remove' | 'add' | 'rename';
  /** Name of the simulated receiver. */
  readonly receiver: string;
  readonly from: number;
  readonly until: number;
}

/** Complete response of the simulated cluster. */
export interface StatusReply {
  /** Index of the daemon run that sent the request. */
  readonly run: number;
  /** Port of the node. */
  readonly node: number;
  readonly requestedAt: number;
  readonly sentAt: number;
  /** Status by the name of the service instance. */
  readonly statuses: ReadonlyMap<string, string>;
}

/** Notification as a receiver logged it, with the time when the response was sent or its connection was lost. */
export interface LoggedNotification extends ReceivedRequest {
  readonly endedAt?: number;
}

/** One entry of the timeline that the daemon serves. */
export interface TimelineEntry {
  readonly at: number;
  readonly instance: string;
  readonly to: string;
}

/** Logs of one state directory and of the daemon runs that used it. */
export interface Evidence {
  readonly runs: readonly DaemonRun[];
  readonly statusReplies: readonly StatusReply[];
  /** In the order of arrival. */
  readonly notifications: readonly LoggedNotification[];
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[];
  /** Oldest first. */
  readonly disturbances: readonly Disturbance[];
}

/** Violation that an oracle found. */
export interface Finding {
  readonly kind: FindingKind;
  /** Sentence for the report. */
  readonly about: string;
}

/** Kinds of findings. */
export const findingKinds = [
  'lost',
  'repeated',
  'disordered',
  'left open',
  'not in the digest',
  'not in the timeline',
  'unsettled',
  'complaint',
] as const;

/** One of {@link findingKinds}. */
export type FindingKind = (typeof findingKinds)[number];

/** `GPE_1#2`, as texts of alerts have it. */
export function instanceOf(service: string, partition: string, replica: string): string {
  return `${service}${partition === '' ? '' : `_${partition}`}${replica === '' ? '' : `#${replica}`}`;
}

/** Returns the index of the daemon run at `at`: the run that began last. */
export function runAt(runs: readonly DaemonRun[], at: number): number {
  return Math.max(
    0,
    runs.findLastIndex(({ from }) => from <= at),
  );
}
