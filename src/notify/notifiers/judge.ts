import type { Failure } from '../../kernel/failure.ts';
import type { HttpReply } from '../../kernel/http.ts';
import type { Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Answer } from '../notifier.ts';
import { readRetryAfter } from './retry-after.ts';

/** What differs between receivers. */
export interface Reading {
  /** Looks at the body of a 2xx. */
  accept(reply: HttpReply): Answer;
  /** What of the body of any other answer may be shown: it may echo what we sent. */
  explain(reply: HttpReply): string;
}

const away: ReadonlySet<number> = new Set([401, 403, 404, 410]);
const passing: ReadonlySet<number> = new Set([408, 425]);

/** What an answer over HTTP means, the same for all receivers. `now` is ms since the epoch. */
export function judge(reply: Result<HttpReply, Failure>, now: number, reading: Reading): Answer {
  return reply.ok ? judgeReply(reply.value, now, reading) : judgeFailure(reply.error);
}

function judgeReply(reply: HttpReply, now: number, reading: Reading): Answer {
  const { status } = reply;
  if (status >= 200 && status < 300) return reading.accept(reply);
  const message = sentence(status, reading.explain(reply));
  if ((status >= 300 && status < 400) || away.has(status)) return { kind: 'broken', message };
  const wait = readRetryAfter(reply.headers, now);
  if (status === 429 || (status === 503 && wait !== undefined)) return limited(wait, message);
  if (status < 400 || status >= 500 || passing.has(status)) return unavailable(message);
  return { kind: 'refused', message };
}

function limited(wait: Millis | undefined, message: string): Answer {
  return { kind: 'limited', message, ...(wait === undefined ? {} : { wait }) };
}

function unavailable(message: string): Answer {
  return { kind: 'unavailable', answered: true, timedOut: false, message };
}

function sentence(status: number, explanation: string): string {
  return `answered with status ${status}${explanation === '' ? '' : `: ${explanation}`}`;
}

/**
 * No answer, or none that can be read. With a status there was one: a redirect, which is never followed, so that
 * what we send and the secret in it go nowhere else.
 */
function judgeFailure({ reason, status, message }: Failure): Answer {
  if (reason === 'auth') return { kind: 'broken', message };
  if (reason === 'unreachable' && status !== undefined) return { kind: 'broken', message: sentence(status, message) };
  const answered = reason === 'body' || reason === 'too_large' || status !== undefined;
  return { kind: 'unavailable', answered, timedOut: reason === 'timeout', message };
}
