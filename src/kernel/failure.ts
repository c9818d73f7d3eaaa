import type { Millis } from './time.ts';

/**
 * Every reason why a read can fail. Closed, because it is a label value: the contract's table says
 * which trouble on the wire becomes which reason.
 */
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

/** An expected trouble with the watched server: what was tried on what, never a secret. */
export interface Failure {
  readonly reason: FailureReason;
  /** One sentence for a log line or the `doctor` table; free of secrets and of query parameters. */
  readonly message: string;
  /** HTTP status, where an answer came at all. */
  readonly status?: number;
  /** The server's own error code (`REST-10016`), where it gave one. */
  readonly code?: string;
  /** How long the server asked us to stay away (`Retry-After`). */
  readonly retryAfter?: Millis;
}

/** Builds a {@link Failure}. */
export function failure(reason: FailureReason, message: string, more: Partial<Failure> = {}): Failure {
  return { ...more, reason, message };
}
