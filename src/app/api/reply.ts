import type { Problem } from '../../api/fields.ts';
import type { OutgoingReply } from '../../kernel/listener.ts';

/** Returns an answer in JSON. */
export function jsonReply(value: unknown, status = 200): OutgoingReply {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: `${JSON.stringify(value)}\n` };
}

/** Returns an answer in plain text. */
export function textReply(text: string): OutgoingReply {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}

/** Returns a page of HTML. */
export function htmlReply(body: string): OutgoingReply {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

const problemTitles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  421: 'Misdirected request',
  422: 'Configuration rejected',
  429: 'Too many requests',
  503: 'Not available',
  504: 'Timeout',
};

/** Returns an error in the format of RFC 9457. */
export function problemReply(status: number, detail: string, more: Pick<Problem, 'problems'> = {}): OutgoingReply {
  const value: Problem = { type: 'about:blank', title: problemTitles[status] ?? 'Error', status, detail, ...more };
  return { ...jsonReply(value, status), headers: { 'content-type': 'application/problem+json; charset=utf-8' } };
}
