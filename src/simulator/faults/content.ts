import { Buffer } from 'node:buffer';
import type { OutgoingReply } from '../../kernel/listener.ts';
import type { Reply } from '../replies.ts';
import type { FaultContext } from './fault.ts';

/** Returns a complete response whose JSON ends in the middle. */
export function truncatedJson({ reply }: FaultContext): OutgoingReply {
  return { ...reply, body: reply.body.slice(0, Math.floor(reply.body.length / 2)) };
}

/** Returns invalid JSON. */
export function invalidJson({ reply }: FaultContext): OutgoingReply {
  return { ...reply, body: `{"error":false,,"results":[}${reply.body.slice(0, 20)}` };
}

/** Returns an HTML page with status 200, as a login portal does. */
export function htmlWithSuccess(): OutgoingReply {
  const body = '<!DOCTYPE html><html><head><title>Please log in</title></head><body>Please log in.</body></html>\n';
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** Returns an error in the envelope of the server with status 200. */
export function errorWithSuccess({ reply }: FaultContext): OutgoingReply {
  const body = '{"version":{"edition":"enterprise","api":"v2","schema":0},"error":true,"message":"Simulated failure."}';
  return { ...reply, status: 200, headers: { 'content-type': 'application/json' }, body };
}

/** Returns an empty body with status 200. */
export function emptyBody({ reply }: FaultContext): OutgoingReply {
  return { ...reply, status: 200, body: '' };
}

/** Returns the healthy body with a wrong content type. */
export function wrongContentType({ reply }: FaultContext): OutgoingReply {
  return { ...reply, headers: { ...reply.headers, 'content-type': 'image/png' } };
}

/** Inserts bytes that are not valid UTF-8 into the first string. */
export function invalidUtf8({ reply }: FaultContext): OutgoingReply {
  const bytes = Buffer.from(reply.body);
  const at = Math.max(0, bytes.indexOf('"') + 1);
  return { ...reply, body: [bytes.subarray(0, at), Uint8Array.of(0xc3, 0x28, 0xff), bytes.subarray(at)] };
}

/** Extends a list to 100,000 entries. Responses without a list are unchanged. */
export function manyEntries({ reply }: FaultContext): OutgoingReply {
  const list = /:\[(?=[{\]])/.exec(reply.body);
  if (!isJson(reply) || list === null) return reply;
  const start = list.index + list[0].length;
  const entry =
    firstObject(reply.body.slice(start)) ?? '{"requestid":"1.RESTPP_1_1.1790000000000.N","url":"/query/g/q"}';
  const separator = reply.body[start] === ']' ? '' : ',';
  const head = Buffer.from(reply.body.slice(0, start));
  const tail = Buffer.from(`${entry}${separator}${reply.body.slice(start)}`);
  return { ...reply, body: repeated(head, entry, tail) };
}

/** Returns whether a response is JSON, and not a page of metrics. */
export function isJson({ headers }: Reply): boolean {
  return headers['content-type']?.includes('json') === true;
}

/** Yields a list with repeated entries; entries with a request id get unique ids. */
async function* repeated(head: Uint8Array, entry: string, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  yield head;
  const { before, after } = /^(?<before>.*?"requestid(?:Partial)?":")\d+(?<after>.*)$/s.exec(entry)?.groups ?? {};
  const numbered = (number: number) => (before === undefined ? `${entry},` : `${before}${number}${after},`);
  for (let sent = 0; sent < 100; sent += 1) {
    yield Buffer.from(Array.from({ length: 1_000 }, (_, index) => numbered(sent * 1_000 + index)).join(''));
  }
  yield tail;
}

/** Returns the object at the start of `text`; undefined if there is none. Braces in strings are ignored. */
function firstObject(text: string): string | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (depth === 0) return token === '}' ? text.slice(0, index + 1) : undefined;
  }
  return undefined;
}
