import type { Millis } from './time.ts';

/** Reasons why a request to a server can fail. A closed set, because the reason is a label value. */
export const failureReasons = [
  'timeout',
  'unreachable',
  'tls',
  'auth',
  'status',
  'body',
  'too_large',
  'unsupported',
] as const;

/** One of {@link failureReasons}. */
export type FailureReason = (typeof failureReasons)[number];

/**
 * Limits of a reply; a reply that exceeds one fails with the reason `too_large`. Closed, because it is a label value.
 */
export const replyLimitNames = ['bytes', 'depth', 'values', 'entries', 'text', 'families', 'memory', 'parser'] as const;

/** One of {@link replyLimitNames}. */
export type ReplyLimitName = (typeof replyLimitNames)[number];

/** Expected failure of a request to a server: what was requested from which node, without secrets. */
export interface Failure {
  readonly reason: FailureReason;
  /** One sentence for a log line or the `doctor` table; without secrets and query parameters. */
  readonly message: string;
  /** HTTP status, if there was a response. */
  readonly status?: number;
  /** Error code of the server (`REST-10016`), if it sent one. */
  readonly code?: string;
  /** The limit that the response exceeds, for the reason `too_large`. */
  readonly limit?: ReplyLimitName;
  /** Time to wait that the server asked for (`Retry-After`). */
  readonly retryAfter?: Millis;
}

/** Creates a {@link Failure}. */
export function failure(reason: FailureReason, message: string, more: Partial<Failure> = {}): Failure {
  return { ...more, reason, message };
}

/** Returns whether the server sent a response, although the request failed: it is reachable. */
export function hasResponse({ reason, status, code }: Failure): boolean {
  return status !== undefined || code !== undefined || responseReasons.includes(reason);
}

/** Reasons that only a response can have. Not `auth`: a missing secret fails before the request is sent. */
const responseReasons: readonly FailureReason[] = ['status', 'body', 'too_large', 'unsupported'];

/** Abort reason of work whose result is no longer needed, as opposed to work whose deadline has passed. */
export const cancelled = 'cancelled';

/** Returns whether this process cancelled the work of `signal`, so that it did not fail. */
export function isCancelled(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason === cancelled;
}

/** Name of a thrown error, for a message: its text may repeat what a server sent. */
export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown error';
}
