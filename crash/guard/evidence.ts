import type { ReceivedCall, RecordedAbort } from '../../src/simulator/call-log.ts';
import type { Life } from '../evidence.ts';
import type { Row } from './books.ts';
import type { Kind, Limits } from './plan.ts';

/** A query that a client started. Times are ms since the epoch. */
export interface Ran {
  readonly node: string;
  readonly id: string;
  readonly kind: Kind;
  readonly startedAt: number;
  /** When it ends if nobody aborts it. */
  readonly endsAt: number;
}

/** A request for an abort, as a node received it. */
export interface AbortRequest {
  readonly node: string;
  /** As many as it names. */
  readonly ids: readonly string[];
  readonly at: number;
}

/** All that is known of one state folder and the lives that were led on it. */
export interface Evidence {
  readonly limits: Limits;
  readonly lives: readonly Life[];
  readonly ran: readonly Ran[];
  /** What the simulated cluster received, in that order. */
  readonly calls: readonly ReceivedCall[];
  readonly aborts: readonly RecordedAbort[];
  /** What the audit says in the end. */
  readonly rows: readonly Row[];
  /** When the last daemon was asked to end. */
  readonly endedAt: number;
}

/** What must not be. */
export interface Finding {
  readonly kind: FindingKind;
  /** A sentence. */
  readonly about: string;
}

/** The closed list of what an oracle may find. */
export const findingKinds = [
  'asked twice',
  'not one id',
  'not meant',
  'not asked for',
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

/** Whether a request is for an abort. */
export function isAbort({ path }: Pick<ReceivedCall, 'path'>): boolean {
  return path.includes('/abortquery/');
}

/** Whether a request is for what runs. */
export function isList({ path }: Pick<ReceivedCall, 'path'>): boolean {
  return path.includes('/showprocesslist');
}

/** The requests for aborts, in the order in which they came. */
export function abortRequests({ calls }: Pick<Evidence, 'calls'>): readonly AbortRequest[] {
  return calls
    .filter(isAbort)
    .map(({ node, query, at }) => ({ node, at, ids: new URLSearchParams(query).getAll('requestid') }));
}
