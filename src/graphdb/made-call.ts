import type { FailureReason } from '../kernel/failure.ts';
import type { Instant } from '../kernel/time.ts';
import type { SpanPlace } from '../model/span.ts';
import type { CallName } from './calls.ts';

/** One request to a node that is over, as whoever measures or traces calls is told of it. It holds no user's data. */
export interface MadeCall {
  readonly node: string;
  readonly name: CallName | 'abort';
  readonly method: 'GET' | 'POST';
  /** The path in the form that was spoken, with `{graph}` for what was filled in. */
  readonly template: string;
  /** Absolute, without credentials and without what the query string said. */
  readonly url: string;
  /** `ip:port` of who answered, where that is known. */
  readonly peer?: string;
  /** Before it waited for a connection. */
  readonly started: Instant;
  /** When the whole body was there, or it was clear that there is none. */
  readonly ended: Instant;
  /** Where an answer came at all. */
  readonly status?: number;
  /** Of the body, decompressed. */
  readonly bytes?: number;
  /** Absent where the answer was what it should be. */
  readonly failure?: FailureReason;
  /** We wanted the answer no more: it is no failure of anybody. */
  readonly isCancelled: boolean;
  /** How often the same was asked before, by another path or with other credentials. */
  readonly resends: number;
}

/** Hears of each call when it is over; never throws, and nobody waits for it. */
export type CallListener = (call: MadeCall) => void;

/** Who follows the calls of one read. */
export interface CallWatch {
  /** The span of the cycle that reads: what follows from an answer can be linked to it. */
  readonly cycle: SpanPlace;
  readonly called: CallListener;
}

/** The absolute url of a path with every value of its query string taken out. */
export function redactedUrl(origin: string, path: string): string {
  const [plain = '', query] = path.split('?', 2);
  const names = query === undefined ? [] : query.split('&').map((pair) => pair.split('=', 1)[0] ?? '');
  return `${origin}${plain}${names.length === 0 ? '' : `?${names.map((name) => `${name}=REDACTED`).join('&')}`}`;
}
