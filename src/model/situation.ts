import type { FailureReason } from '../kernel/failure.ts';
import type { Millis } from '../kernel/time.ts';
import type { GuardView } from './guard.ts';
import type { PartitionView, ReplicaView } from './transition.ts';

/** How one collector on one node (or `''`, the whole cluster) is doing. */
export interface CollectorView {
  readonly collector: string;
  readonly node: string;
  /** The latest reading is good and not overdue. */
  readonly fresh: boolean;
  /** Why the latest reading failed; `''` where it did not, and before the first. */
  readonly reason: FailureReason | '';
  readonly message: string;
  /** Time between two readings as configured, at least; undefined for what runs by calendar. */
  readonly interval?: Millis;
  /** ms since the epoch; undefined where there was none since the start. */
  readonly lastSuccess?: number;
  /** When it was first due: what never worked is measured from here. */
  readonly dueSince: number;
}

/** One value of a family, as it is on the page. */
export interface Fact {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** All that rules may know of one cluster at one instant: the same series that are on the page, while they are fresh. */
export interface Situation {
  readonly cluster: string;
  /** The cluster's own labels, as they are put on alerts. */
  readonly labels: Readonly<Record<string, string>>;
  readonly nodes: readonly string[];
  readonly collectors: readonly CollectorView[];
  readonly replicas: readonly ReplicaView[];
  readonly partitions: readonly PartitionView[];
  /** When the token in use for a node expires, ms since the epoch; nodes without one are left out. */
  readonly tokens: readonly { readonly node: string; readonly expiresAt: number }[];
  /** What the guard does and knows; undefined where no policy concerns the cluster. */
  readonly guard: GuardView | undefined;
  /** Fresh samples of a family by its full name; `node` is among the labels where the fact belongs to one. */
  samples(family: string): readonly Fact[];
  /** How a series has changed of late, in its unit per second; undefined until that can be told. */
  slope(family: string, labels: Readonly<Record<string, string>>): number | undefined;
  /** Whether the latest reading is good and not overdue. `node` is `''` for facts of the whole cluster. */
  isFresh(collector: string, node: string): boolean;
}

/** How one receiver is doing. Times are ms since the epoch. */
export interface ReceiverView {
  readonly receiver: string;
  /** Its last answer made it count as broken, or it has not answered for long. */
  readonly failing: boolean;
  /** The closed word for what the last attempt came to. */
  readonly result: string;
  readonly failingSince?: number;
  readonly oldestDue?: number;
  readonly depth: number;
  readonly parked: number;
}

/** What rules may know of this process itself. */
export interface SelfSituation {
  readonly receivers: readonly ReceiverView[];
  readonly stateDurable: boolean;
  /** Why it is not, in words. */
  readonly stateTrouble: string;
  /** Since when the guard holds still, ms since the epoch, and why; absent where it does not, and where nothing is to be enforced. */
  readonly guardPaused?: { readonly since: number; readonly reasons: readonly string[] };
}
