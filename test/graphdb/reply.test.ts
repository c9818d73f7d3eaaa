import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/graphdb/calls.ts';
import { acceptReply, decodeText, openEnvelope, parseObject, reportedError } from '../../src/graphdb/reply.ts';
import { replyLimits } from '../../src/graphdb/reply-limits.ts';
import { runSliced } from '../../src/graphdb/sliced-work.ts';
import { failureReasons } from '../../src/kernel/failure.ts';
import { shortJson } from '../support/case-titles.ts';
import { factsOf, failureOf, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';

const clock = new FakeClock(Date.UTC(2026, 0, 1));
const parsing = { clock, limits: replyLimits.table };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function accept({ status = 200, headers = {}, body = '{}' }: Given): ReturnType<typeof acceptReply> {
  return acceptReply({ status, headers, body: bytes(body) }, clock);
}

function open(body: string, envelope: Envelope = 'restpp'): ReturnType<typeof openEnvelope> {
  return openEnvelope(bytes(body), envelope, parsing, neverAborted());
}

describe('the status', () => {
  it.each([
    [401, '', 'auth'],
    [403, '', 'auth'],
    [403, '<html>forbidden</html>', 'auth'],
    [400, '{"code":"REST-10016"}', 'auth'],
    [500, '{"code":"REST-10019"}', 'auth'],
    [404, '', 'unsupported'],
    [404, '{"code":"REST-1000","error":true}', 'unsupported'],
    [199, '', 'status'],
    [300, '', 'status'],
    [304, '', 'status'],
    [400, '', 'status'],
    [408, '{"code":"REST-3002"}', 'status'],
    [413, '<html>', 'status'],
    [422, '{"code":"REST-14000"}', 'status'],
    [429, '', 'status'],
    [500, 'not json', 'status'],
    [502, '<html>bad gateway</html>', 'status'],
    [503, '', 'status'],
    [504, '', 'status'],
  ])('%i with the body %j has the reason %s', (status, body, reason) => {
    expect(failureOf(accept({ status, body }))).toMatchObject({ reason, status });
  });

  it('contains the code of the server, but not its message', () => {
    const body = '{"code":"REST-3002","message":"canary"}';
    const error = failureOf(accept({ status: 408, body }));
    expect(error).toMatchObject({ code: 'REST-3002', message: 'the server responded with status 408 (REST-3002)' });
  });

  it.each(['{"code":7}', '{"code":"canary canary"}', '[]', 'null'])('has no code in %s', (body) => {
    expect(failureOf(accept({ status: 500, body })).code).toBeUndefined();
  });
});

describe('Retry-After', () => {
  it.each([
    ['30', 30_000],
    [' 0 ', 0],
    ['999999999', 3_600_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Fri, 01 Jan 2027 00:00:00 GMT', 3_600_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
  ])('%j is %s ms', (header, expected) => {
    const error = failureOf(accept({ status: 429, headers: { 'retry-after': header } }));
    expect(error.retryAfter).toBe(expected);
  });
});

describe('the content type', () => {
  it.each([
    '',
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/octet-stream',
    'TEXT/PLAIN',
  ])('%j is accepted', (type) => {
    expect(accept({ headers: { 'content-type': type } }).ok).toBe(true);
  });

  it.each(['text/html', 'text/html; charset=utf-8', 'application/xhtml+xml', 'image/png', 'multipart/form-data'])(
    '%j is rejected',
    (type) => {
      expect(failureOf(accept({ headers: { 'content-type': type } })).reason).toBe('body');
    },
  );

  it.each(
    [
      '<!DOCTYPE html>',
      '  \n<html lang="en">',
      `${'\n'.repeat(60)}<body>`,
      '\ufeff<!doctype html>',
      '<?xml version="1.0"?>',
      '<!-- x --><html>',
    ].map((body) => [shortJson(body), body]),
  )('a body that begins with %s is HTML with any content type', (_, body) => {
    expect(failureOf(accept({ body, headers: { 'content-type': 'text/plain' } })).reason).toBe('body');
  });

  it('an empty body is a failure', () => {
    expect(failureOf(accept({ body: '' })).reason).toBe('body');
  });
});

describe('an envelope', () => {
  it.each([
    ['{"error":false,"message":"","results":[]}', 'restpp'],
    ['{"error":"false","message":"pong"}', 'restpp'],
    ['{"results":[1]}', 'restpp'],
    ['{"error":false,"graphs":[]}', 'gsql'],
    ['{}', 'informant'],
    ['{"ServiceStatusEvents":[]}', 'informant'],
    ['{}', 'bare'],
    ['{"GET /x":{}}', 'bare'],
    ['\ufeff{"error":false}', 'restpp'],
  ] as const)('%s is valid for %s', async (body, envelope) => {
    expect((await open(body, envelope)).ok).toBe(true);
  });

  it.each([
    ['{"error":true}', 'restpp'],
    ['{"error":"true","message":"x"}', 'gsql'],
    ['{"error":true,"code":"REST-30400"}', 'bare'],
    ['{"Error":{"Message":"x"}}', 'informant'],
    ['{}', 'restpp'],
    ['{"status":"ok"}', 'gsql'],
    ['[]', 'bare'],
    ['null', 'informant'],
    ['"text"', 'restpp'],
    ['{"error":fal', 'restpp'],
    ['', 'restpp'],
  ] as const)('%s has the reason body for %s', async (body, envelope) => {
    expect(failureOf(await open(body, envelope)).reason).toBe('body');
  });

  it.each(['REST-10016', 'REST-10019'])('an error with %s has the reason auth', async (code) => {
    expect(failureOf(await open(JSON.stringify({ error: true, code })))).toMatchObject({ reason: 'auth', code });
  });

  it('bytes that are not UTF-8 have the reason body', async () => {
    const broken = new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    expect(failureOf(await openEnvelope(broken, 'bare', parsing, neverAborted())).reason).toBe('body');
    const decoded = factsOf(await runSliced(decodeText(broken), clock, neverAborted()));
    expect(failureOf(decoded).reason).toBe('body');
  });

  it('bytes are decoded in parts, with any split', async () => {
    const text = `\u{1F600}é${'\u{1F600}'.repeat(300_000)}`;
    const decoded = factsOf(await runSliced(decodeText(Buffer.from(`\ufeffx${text}`)), clock, neverAborted()));
    expect(factsOf(decoded)).toBe(`x${text}`);
    const cut = factsOf(await runSliced(decodeText(Buffer.from(text).subarray(0, -1)), clock, neverAborted()));
    expect(failureOf(cut).reason).toBe('body');
  });

  it('any bytes return an object or a known reason', async () => {
    const anything = fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(bytes), fc.string().map(bytes));
    const envelopes = fc.constantFrom<Envelope>('restpp', 'gsql', 'informant', 'bare');
    await fc.assert(
      fc.asyncProperty(anything, envelopes, async (body, envelope) => {
        const result = await openEnvelope(body, envelope, parsing, neverAborted());
        if (result.ok) expect(result.value).toBeTypeOf('object');
        else expect(failureReasons).toContain(result.error.reason);
      }),
    );
  });
});

describe('an object without an envelope', () => {
  it('is parsed with any content', async () => {
    expect(factsOf(await parseObject(bytes('{"error":true,"x":1}'), parsing, neverAborted()))).toEqual({
      error: true,
      x: 1,
    });
  });

  it.each(['', '[]', 'null', '7', '{', '{}}'])('is not %j', async (body) => {
    expect(failureOf(await parseObject(bytes(body), parsing, neverAborted())).reason).toBe('body');
  });

  it.each([
    [{ error: true, code: 'REST-1004' }, 'the server reports an error (REST-1004)'],
    [{ error: 'true' }, 'the server reports an error'],
    [{ Error: {} }, 'the server reports an error'],
    [{ error: false }, undefined],
    [{ error: 1, Error: 'x' }, undefined],
    [{}, undefined],
  ])('%j reports %s', (json, message) => {
    expect(reportedError(json)?.message).toBe(message);
  });
});
