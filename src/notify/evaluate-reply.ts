import type { Failure } from '../kernel/failure.ts';
import type { HttpReply } from '../kernel/http.ts';
import { parseRetryAfter } from '../kernel/retry-after.ts';
import type { Millis } from '../kernel/time.ts';
import { singleLine, truncate } from './notification-text.ts';
import type { NotificationRequest, ReceiverResponse } from './notifier.ts';

/** Context in which a reply is evaluated. */
export interface ReplyContext {
  /** The request that the receiver replies to. */
  readonly request: NotificationRequest;
  /** Wall time, ms since the epoch. */
  readonly now: number;
  /** Texts that a message must not contain: secrets and the parts of addresses that may be secret. */
  readonly hidden: readonly string[];
  /** Text of the reply for the message; default: the beginning of its body. */
  readonly excerpt?: string;
}

const brokenStatuses: ReadonlySet<number> = new Set([401, 403, 404, 410]);
const retryableStatuses: ReadonlySet<number> = new Set([408, 425]);

/** Limits of `Retry-After`: a past date or a wrong clock must not cause a tight loop, and an alert is urgent. */
const retryAfterLimits = { min: 1000, max: 15 * 60_000 } as const;

/** Maps an HTTP reply to a result by its status, the same for all receivers. */
export function evaluateReply(reply: HttpReply, context: ReplyContext): ReceiverResponse {
  const { status } = reply;
  if (isSuccess(reply)) {
    return isHtml(reply) ? { kind: 'broken', message: 'the reply is an HTML page' } : { kind: 'accepted' };
  }
  const message = statusMessage(status, context.excerpt ?? responseExcerpt(reply, context.hidden));
  if ((status >= 300 && status < 400) || brokenStatuses.has(status)) return { kind: 'broken', message };
  const wait = retryAfter(reply, context.now);
  if (status === 429 || (status === 503 && wait !== undefined)) {
    return { kind: 'limited', message, ...(wait === undefined ? {} : { wait }) };
  }
  if (status < 400 || status >= 500 || retryableStatuses.has(status)) {
    return { kind: 'unavailable', answered: true, timedOut: false, message };
  }
  return { kind: 'refused', message };
}

function retryAfter({ headers }: HttpReply, now: number): Millis | undefined {
  const wait = parseRetryAfter(headers, now);
  return wait === undefined ? undefined : Math.min(Math.max(wait, retryAfterLimits.min), retryAfterLimits.max);
}

/** Whether the status is 2xx. */
export function isSuccess({ status }: HttpReply): boolean {
  return status >= 200 && status < 300;
}

/**
 * Maps a request without a readable reply to a result. A failure with a status is a redirect; the client does not follow
 * redirects, so that a notification and its secret go nowhere else.
 */
export function evaluateFailure(failure: Failure): ReceiverResponse {
  const { status } = failure;
  return status === undefined ? evaluateReason(failure) : { ...evaluateReason(failure), status };
}

function evaluateReason({ reason, status, message }: Failure): ReceiverResponse {
  if (reason === 'auth' || reason === 'tls') return { kind: 'broken', message };
  if (reason === 'unreachable' && status !== undefined)
    return { kind: 'broken', message: statusMessage(status, message) };
  const answered = reason === 'body' || reason === 'too_large' || status !== undefined;
  return { kind: 'unavailable', answered, timedOut: reason === 'timeout', message };
}

function statusMessage(status: number, explanation: string): string {
  return `the receiver replied with status ${status}${explanation === '' ? '' : `: ${explanation}`}`;
}

function responseExcerpt(reply: HttpReply, hidden: readonly string[]): string {
  return isHtml(reply) ? '' : bodyExcerpt(reply, hidden);
}

/** Returns the beginning of the body in one line, without the texts in `hidden`. */
export function bodyExcerpt(reply: HttpReply, hidden: readonly string[]): string {
  return truncate(singleLine(redact(bodyText(reply), hidden)), 200);
}

/** Returns whether a reply is an HTML page: the login page of a proxy or a portal replied instead of the receiver. */
function isHtml({ headers }: HttpReply): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '');
}

/** Returns the parts of an address that may be secret: path and query, and each longer part of them. */
export function secretUrlParts(url: string): readonly string[] {
  const { pathname, search, searchParams } = new URL(url);
  const parts = [pathname, search, ...pathname.split('/'), ...search.split(/[?&=]/), ...searchParams.values()];
  return [...new Set(parts)].filter((part) => part.length >= 8);
}

/** Returns at most the first 64 KiB of the body as text. */
export function bodyText({ body }: HttpReply): string {
  return new TextDecoder().decode(body.subarray(0, 65_536));
}

function redact(text: string, hidden: readonly string[]): string {
  return hidden.filter((secret) => secret !== '').reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text);
}
