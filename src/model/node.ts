import type { Millis } from '../kernel/time.ts';

/** One component of a node as the version endpoints list it. */
export interface ComponentVersion {
  /** `product`, `gpe`, `gsql` … in lower case. */
  readonly component: string;
  /** `4.2.1` where the tag has that form, else the tag verbatim. */
  readonly version: string;
  readonly commit: string;
}

/** The categories of the informant's by-category endpoint. */
export const informantCategories = ['cpu-memory', 'diskspace', 'network', 'qps'] as const;

/** One of {@link informantCategories}. */
export type InformantCategory = (typeof informantCategories)[number];

/** One row of a by-category answer. Numbers that the server left out are 0; what does not belong to the category is absent. */
export interface CategoryRow {
  readonly hostId: string;
  /** When the informant collected it, nanoseconds since the epoch as decimal text; `''` where absent. */
  readonly collectedNs: string;
  /** `''` for the whole host. */
  readonly service: string;
  readonly cpuPercent?: number;
  readonly memoryMb?: number;
  readonly disk?: {
    readonly pathName: string;
    readonly path: string;
    readonly mountPoint: string;
    readonly usedMb: number;
    readonly freeMb: number;
  };
  readonly network?: {
    readonly connections: number;
    /** Bytes as decimal text (int64). */
    readonly incoming: string;
    readonly outgoing: string;
  };
}

/** The licence as `showlicenseinfo` tells it. */
export interface License {
  /** Seconds since the epoch; absent where neither a date nor days remaining could be read. */
  readonly expiresAtSeconds?: number;
  readonly daysRemaining?: number;
}

/** One verdict of a consistency check. */
export interface CheckVerdict {
  readonly check: 'data_consistency' | 'deleted_vertex';
  /** `''` where the check speaks of all graphs. */
  readonly graph: string;
  readonly partition: string;
  /** `GPE_1_1`; `''` for a verdict on a partition. */
  readonly engine: string;
  readonly passed: boolean;
  readonly unsynced: number;
  /** How long the call that gave this verdict took, as its caller measured it. */
  readonly tookMillis?: Millis;
  /** When that call ended, ms since the epoch. */
  readonly endedAt?: number;
}
