import type { ReceivedCall, RecordedAbort } from '../../../src/simulator/call.ts';
import type { DaemonRun } from '../evidence.ts';
import type { AuditRow } from './audit.ts';
import type { GuardLimits, QueryKind } from './plan.ts';

/** A query that a client started. Times are ms since the epoch. */
export interface StartedQuery {
  readonly node: string;
  readonly id: string;
  readonly kind: QueryKind;
  readonly startedAt: number;
  /** When the query ends by itself, unless it is aborted. */
  readonly endsAt: number;
}

/** Abort request as a node received it. */
export interface AbortRequest {
  readonly node: string;
  /** All ids in the request. */
  readonly ids: readonly string[];
  readonly at: number;
}

/** Logs of one state directory and of the daemon runs that used it. */
export interface Evidence {
  readonly limits: GuardLimits;
  readonly runs: readonly DaemonRun[];
  readonly startedQueries: readonly StartedQuery[];
  /** Requests to the simulated cluster, in the order of arrival. */
  readonly calls: readonly ReceivedCall[];
  readonly aborts: readonly RecordedAbort[];
  /** Audit rows at the end of the scenario. */
  readonly rows: readonly AuditRow[];
  /** When the last daemon got the signal to stop. */
  readonly endedAt: number;
}

/** Violation that an oracle found. */
export interface Finding {
  readonly kind: FindingKind;
  /** Sentence for the report. */
  readonly about: string;
}

/** Kinds of findings. */
export const findingKinds = [
  'repeated request',
  'several ids',
  'no policy match',
  'abort without request',
  'over budget',
  'without intent',
  'without outcome',
  'unknown',
  'wrong outcome',
  'unsettled',
  'complaint',
] as const;

/** One of {@link findingKinds}. */
export type FindingKind = (typeof findingKinds)[number];

/** Returns true if a request is an abort request. */
export function isAbort({ path }: Pick<ReceivedCall, 'path'>): boolean {
  return path.includes('/abortquery/');
}

/** Returns true if a request is a list request. */
export function isList({ path }: Pick<ReceivedCall, 'path'>): boolean {
  return path.includes('/showprocesslist');
}

/** Returns the abort requests in the order of arrival. */
export function abortRequests({ calls }: Pick<Evidence, 'calls'>): readonly AbortRequest[] {
  return calls
    .filter(isAbort)
    .map(({ node, query, at }) => ({ node, at, ids: new URLSearchParams(query).getAll('requestid') }));
}
