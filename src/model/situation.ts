import type { FailureReason } from '../kernel/failure.ts';
import type { Millis } from '../kernel/time.ts';
import type { GuardView } from './guard.ts';
import type { DroppedFamilies } from './series-drop.ts';
import type { PartitionView, ReplicaView } from './transition.ts';

/** State of one collector on one node; `''` for the whole cluster. */
export interface CollectorView {
  readonly collector: string;
  readonly node: string;
  /** The latest poll succeeded and is not overdue. */
  readonly fresh: boolean;
  /** Why the latest poll failed; `''` if it succeeded, and before the first poll. */
  readonly reason: FailureReason | '';
  readonly message: string;
  /** Configured poll interval; undefined for collectors with a schedule. */
  readonly interval?: Millis;
  /** ms since the epoch; undefined if no poll succeeded since the start. */
  readonly lastSuccess?: number;
  /** When the first poll was due; the start for a collector that never succeeded. */
  readonly dueSince: number;
}

/** One value of a family, as on the page. */
export interface SampleFact {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Facts of one cluster at one time, for alert rules: the series of the page, while they are fresh. */
export interface Situation {
  readonly cluster: string;
  /** Labels of the cluster, as they are added to alerts. */
  readonly labels: Readonly<Record<string, string>>;
  readonly nodes: readonly string[];
  readonly collectors: readonly CollectorView[];
  readonly replicas: readonly ReplicaView[];
  readonly partitions: readonly PartitionView[];
  /** When the token of a node expires, ms since the epoch; nodes without a token are skipped. */
  readonly tokens: readonly { readonly node: string; readonly expiresAt: number }[];
  /** State of the guard; undefined if no policy applies to the cluster. */
  readonly guard: GuardView | undefined;
  /** Series that are not on the page. */
  readonly dropped: readonly DroppedFamilies[];
  /** Returns the fresh samples of a family by its full name; node facts have the label `node`. */
  samples(family: string): readonly SampleFact[];
  /** Returns the recent change of a series, in its unit per second; undefined while there is too little data. */
  slope(family: string, labels: Readonly<Record<string, string>>): number | undefined;
  /** Returns the highest value of a series within the last hour, sampled every five minutes; undefined without data. */
  recentMaximum(family: string, labels: Readonly<Record<string, string>>): number | undefined;
  /** Returns the lowest value of a series within the last hour, in the same way. */
  recentMinimum(family: string, labels: Readonly<Record<string, string>>): number | undefined;
  /** Returns whether the latest poll succeeded and is not overdue. `node` is `''` for facts of the whole cluster. */
  isFresh(collector: string, node: string): boolean;
}

/** State of one receiver. Times are ms since the epoch. */
export interface ReceiverView {
  readonly receiver: string;
  /** Its last reply was a permanent error, or it has not replied for long, or it rejects a recipient. */
  readonly failing: boolean;
  /** Which recipients it rejects although others accept; absent if it rejects none. */
  readonly rejectedRecipient?: string;
  /** Number of notifications that it rejected although it accepts others; absent if it accepts none. */
  readonly rejected?: number;
  /** Why it did not accept a notification: a sentence without secrets, absent if unknown. */
  readonly reason?: string;
  /** Result of the last attempt, one of a closed set. */
  readonly result: string;
  readonly failingSince?: number;
  readonly oldestDue?: number;
  readonly depth: number;
  readonly parked: number;
}

/** State of this process, for alert rules. */
export interface SelfSituation {
  readonly receivers: readonly ReceiverView[];
  readonly stateDurable: boolean;
  /** Why state is not stored on disk. */
  readonly stateProblem: string;
  /** State of the leases of clusters; absent if no other replica shares the store. */
  readonly ownership?: {
    /** Clusters that no replica owns. */
    readonly unowned: readonly string[];
    /** Names of the live replicas with other clusters, and of those with other settings. */
    readonly different: { readonly clusters: readonly string[]; readonly settings: readonly string[] };
    /** The latest lease that a replica did not renew in time: when another one took it over, and from which replica. */
    readonly takeover?: { readonly at: number; readonly from: string };
  };
  /** Since when the configuration file or the web config file is rejected, ms since the epoch, and the first problem; absent if both are in force. */
  readonly configRejected?: { readonly since: number; readonly problem: string };
}
