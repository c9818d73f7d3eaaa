import type { FailureReason } from '../kernel/failure.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { SpanReference } from '../model/span.ts';
import type { CallName } from './calls.ts';

/** Finished request to a node, for metrics and traces. Contains no user data. */
export interface CompletedCall {
  readonly node: string;
  readonly name: CallName | 'abort';
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path in the form that was used, with `{graph}` as placeholder. */
  readonly template: string;
  /** Absolute URL without credentials and without query values. */
  readonly url: string;
  /** `ip:port` of the peer, if known. */
  readonly peer?: string;
  /** Start of the request, before it waited for a connection. */
  readonly started: Instant;
  /** When the body was complete, or the request failed. */
  readonly ended: Instant;
  /** Time for which it waited for a connection; absent if it did not wait. */
  readonly queued?: Millis;
  /** Absent without a response. */
  readonly status?: number;
  /** Bytes of the body, decompressed. */
  readonly bytes?: number;
  /** Absent if the request succeeded. */
  readonly failure?: FailureReason;
  /** Error code of the server (`REST-14000`), if it sent one. */
  readonly code?: string;
  /** The request was cancelled, which is not a failure. */
  readonly isCancelled: boolean;
  /** Number of earlier attempts, with another path or other credentials. */
  readonly retries: number;
}

/** Observer of finished requests; never throws and never delays them. */
export type CallListener = (call: CompletedCall) => void;

/** Observer of the requests of one poll. */
export interface CallObserver {
  /** Span of the poll cycle, for links from later spans; absent if it is not traced. */
  readonly cycle?: SpanReference | undefined;
  readonly onCall: CallListener;
}

/** Returns the absolute URL of a path with every query value removed. */
export function redactedUrl(origin: string, path: string): string {
  const [plain = '', query] = path.split('?', 2);
  const names = query === undefined ? [] : query.split('&').map((pair) => pair.split('=', 1)[0] ?? '');
  return `${origin}${plain}${names.length === 0 ? '' : `?${names.map((name) => `${name}=REDACTED`).join('&')}`}`;
}
