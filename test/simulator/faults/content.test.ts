import { describe, expect, it } from 'vitest';
import type { OutgoingReply } from '../../../src/kernel/listener.ts';
import {
  emptyBody,
  errorWithSuccess,
  htmlWithSuccess,
  invalidJson,
  invalidUtf8,
  isJson,
  manyEntries,
  truncatedJson,
  wrongContentType,
} from '../../../src/simulator/faults/content.ts';
import { json, text } from '../../../src/simulator/replies.ts';
import { readBody } from '../test-world.ts';
import { faultContextOf, healthyReply } from './fault-context.ts';

async function bytesOf({ body }: OutgoingReply): Promise<Uint8Array> {
  if (!Array.isArray(body)) throw new Error('not a list of pieces');
  return Buffer.concat(body);
}

describe('replies that are not JSON', () => {
  it.each([
    ['truncatedJson', truncatedJson],
    ['invalidJson', invalidJson],
    ['emptyBody', emptyBody],
  ])('%s cannot be parsed', async (_, spoil) => {
    const { status, body } = spoil(faultContextOf());
    expect(status).toBe(200);
    const read = await readBody(body ?? '');
    expect(() => JSON.parse(read) as unknown).toThrow(SyntaxError);
  });

  it('truncatedJson ends in the middle', () => {
    expect(truncatedJson(faultContextOf()).body).toBe(
      healthyReply.body.slice(0, Math.floor(healthyReply.body.length / 2)),
    );
  });

  it('htmlWithSuccess is an HTML page', () => {
    expect(htmlWithSuccess()).toMatchObject({
      status: 200,
      headers: { 'content-type': expect.stringContaining('html') },
    });
  });

  it('invalidUtf8 is JSON with invalid bytes', async () => {
    const bytes = await bytesOf(invalidUtf8(faultContextOf()));
    expect(bytes.length).toBe(Buffer.byteLength(healthyReply.body) + 3);
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow(TypeError);
    expect(() => JSON.parse(Buffer.from(bytes).toString()) as unknown).not.toThrow();
  });
});

describe('invalid replies that are JSON', () => {
  it('errorWithSuccess has the error flag', () => {
    const { status, body } = errorWithSuccess(faultContextOf({ reply: { ...healthyReply, status: 500 } }));
    expect([status, body]).toEqual([200, expect.stringContaining('"error":true')]);
  });

  it('wrongContentType has the content type of an image', () => {
    expect(wrongContentType(faultContextOf())).toEqual({ ...healthyReply, headers: { 'content-type': 'image/png' } });
  });
});

async function count(reply = healthyReply): Promise<number> {
  const read: unknown = JSON.parse(await readBody(manyEntries(faultContextOf({ reply })).body ?? ''));
  return (Object(read) as { results: unknown[] }).results.length;
}

describe('manyEntries', () => {
  it('repeats the first entry a hundred thousand times', async () => {
    expect(await count()).toBe(100_003);
  });

  it('gives each query a unique id', async () => {
    const reply = json({ results: [{ requestid: '65699.RESTPP_1_1.1.N', url: '/query/g/q' }] });
    const read: unknown = JSON.parse(await readBody(manyEntries(faultContextOf({ reply })).body ?? ''));
    const ids = (Object(read) as { results: { requestid: string }[] }).results.map(({ requestid }) => requestid);
    expect(ids[99_999]).toBe('99999.RESTPP_1_1.1.N');
    expect(new Set(ids).size).toBe(100_000);
  });

  it('creates an entry if the list is empty', async () => {
    expect(await count(json({ results: [] }))).toBe(100_001);
  });

  it('ignores braces in strings', async () => {
    expect(await count(json({ results: [{ url: '}"{', inner: { a: [] } }] }))).toBe(100_002);
  });

  it.each([text('# HELP a b\n'), json({ error: false }), json({ results: [1, 2] })])('does not change %j', (reply) => {
    expect(manyEntries(faultContextOf({ reply }))).toBe(reply);
  });
});

describe('isJson', () => {
  it('depends on the content type', () => {
    expect(isJson(healthyReply)).toBe(true);
    expect(isJson(text('{}'))).toBe(false);
  });
});
