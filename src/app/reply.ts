import type { OutgoingReply } from '../kernel/listener.ts';

/** An answer in JSON. */
export function json(value: unknown, status = 200): OutgoingReply {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8' }, body: `${JSON.stringify(value)}\n` };
}

/** An answer in plain words. */
export function plain(text: string): OutgoingReply {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  422: 'Configuration refused',
  503: 'Not available',
};

/** An error as RFC 9457 has it; `more` are members that say more. */
export function problem(status: number, detail: string, more: Readonly<Record<string, unknown>> = {}): OutgoingReply {
  const value = { type: 'about:blank', title: titles[status] ?? 'Error', status, detail, ...more };
  return { ...json(value, status), headers: { 'content-type': 'application/problem+json; charset=utf-8' } };
}
