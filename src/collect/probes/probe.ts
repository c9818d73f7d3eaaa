import { failureReasons } from '../../kernel/failure.ts';
import type { Millis } from '../../kernel/time.ts';
import type { ParameterScalar, ProbePhase, ProbeRequest, RowVisibility } from '../../model/probe.ts';
import type { CollectorSettings } from '../../model/settings.ts';
import type { ValuePath } from '../custom/value-path.ts';

/** Reasons why a probe fails: those of requests, of the write heartbeat, and of assertions. Closed: it is a label value. */
export const probeFailureReasons = [
  ...failureReasons,
  'rejected',
  'not_visible',
  'not_deleted',
  'count',
  'value',
  'age',
  'latency',
] as const;

/** One of {@link probeFailureReasons}. */
export type ProbeFailureReason = (typeof probeFailureReasons)[number];

/** Assertion on the number of entries at a path. */
export interface CountAssertion {
  /** Absent for all that the server returned. */
  readonly path?: ValuePath;
  readonly min?: number;
  readonly max?: number;
}

/** Assertion on the value at a path. */
export interface ValueAssertion {
  readonly path: ValuePath;
  readonly equals?: ParameterScalar;
  readonly min?: number;
  readonly max?: number;
}

/** Assertion on the age of a time that the server returned. */
export interface AgeAssertion {
  readonly path: ValuePath;
  /** Absent if the age is exposed only. */
  readonly max?: Millis;
}

/** Conditions on a reply. */
export interface Assertions {
  readonly maxLatency?: Millis;
  readonly count?: CountAssertion;
  readonly values: readonly ValueAssertion[];
  readonly age?: AgeAssertion;
}

/** Share of successful runs that is expected. */
export interface ProbeObjective {
  /** Between 0 and 1. */
  readonly objective: number;
  readonly window: Millis;
}

/** One entry of `probes`. */
export interface Probe {
  readonly name: string;
  readonly kind: ProbeRequest['task']['kind'];
  readonly request: ProbeRequest;
  readonly assertions: Assertions;
  readonly slo: ProbeObjective;
  /** As in a custom query. */
  readonly nodes: 'one' | 'all' | readonly string[];
  /** Absent for all clusters. */
  readonly clusters?: readonly string[];
  readonly polling: CollectorSettings;
}

/** Result of one run of a probe. */
export interface ProbeRun {
  /** Undefined if the run succeeded. */
  readonly failure: { readonly reason: ProbeFailureReason; readonly message: string } | undefined;
  /** Time until the reply was complete, or the row was visible on all nodes. */
  readonly duration: Millis;
  readonly phases: Readonly<Partial<Record<ProbePhase, Millis>>>;
  readonly visibility: readonly RowVisibility[];
  /** Age of the time that an assertion names; undefined without one. */
  readonly resultAge: Millis | undefined;
}
