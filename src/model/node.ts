import type { Millis } from '../kernel/time.ts';

/** One component of a node as the version endpoints list it. */
export interface ComponentVersion {
  /** `product`, `gpe`, `gsql` … in lower case. */
  readonly component: string;
  /** `4.2.1` if the tag has that form, otherwise the tag verbatim. */
  readonly version: string;
  readonly commit: string;
}

/** Categories of the informant's per-category endpoint. */
export const informantCategories = ['cpu-memory', 'diskspace', 'network', 'qps'] as const;

/** One of {@link informantCategories}. */
export type InformantCategory = (typeof informantCategories)[number];

/** One row of a per-category reply. Missing numbers are 0; what was not measured, and fields of other categories, are absent. */
export interface CategoryRow {
  readonly hostId: string;
  /** When the informant measured it, nanoseconds since the epoch as decimal text; `''` if absent. */
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

/** License as `showlicenseinfo` reports it. */
export interface License {
  /** Seconds since the epoch; absent if neither a date nor the days remaining are valid. */
  readonly expiresAtSeconds?: number;
  readonly daysRemaining?: number;
}

/** One result of a consistency check. */
export interface CheckResult {
  readonly check: 'data_consistency' | 'deleted_vertex';
  /** `''` if the check covers all graphs. */
  readonly graph: string;
  readonly partition: string;
  /** `GPE_1_1`; `''` for the result of a partition. */
  readonly engine: string;
  readonly passed: boolean;
  readonly unsynced: number;
  /** Duration of the call that returned this result, measured by its caller. */
  readonly durationMillis?: Millis;
  /** When that call ended, ms since the epoch. */
  readonly endedAt?: number;
}
