import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../src/kernel/http.ts';
import { ok } from '../../src/kernel/result.ts';
import { BodyBuffers } from '../../src/runtime/body-buffer.ts';
import { timeoutFailure } from '../../src/runtime/http-failure.ts';
import { type HttpTransport, raceWithAbort, sendRequest } from '../../src/runtime/http-transport.ts';
import { MemoryBudget } from '../../src/runtime/reply-memory.ts';
import { neverAborted } from '../support/client.ts';

const get: HttpRequest = { method: 'GET', path: '/a?b=c', headers: { x: 'y' }, maxBytes: 100 };
const trouble = (code: string): Error => Object.assign(new Error('no'), { code });
const fine = { statusCode: 200, headers: {}, body: Readable.from([]) };

/** Returns a transport that fails with these errors in turn and then responds; `opened` returns its connection count. */
function wireOf(troubles: readonly Error[], opened: () => number = () => 1) {
  const sent: unknown[] = [];
  const left = [...troubles];
  const request = async (options: unknown): Promise<unknown> => {
    sent.push(options);
    const met = left.shift();
    if (met !== undefined) throw met;
    return { ...fine, body: Readable.from([Buffer.from('ok')]) };
  };
  const connector = { opened, lastAlert: () => undefined, tlsProblem: () => undefined };
  const wire: HttpTransport = {
    origin: 'http://node.test',
    dispatcher: { request } as unknown as Dispatcher,
    connector,
    buffers: new BodyBuffers(new MemoryBudget(), { origin: '', isForGuard: false }),
  };
  return { wire, sent };
}

describe('a request on a wire', () => {
  it('sends method, path, headers, body and signal', async () => {
    const { wire, sent } = wireOf([]);
    const signal = neverAborted();
    expect(await sendRequest(wire, get, signal)).toMatchObject({ ok: true, value: { status: 200 } });
    expect(sent).toEqual([
      { origin: 'http://node.test', method: 'GET', path: '/a?b=c', headers: { x: 'y' }, body: null, signal },
    ]);
  });

  it('is sent again as often as it meets a stale connection', async () => {
    const { wire, sent } = wireOf([trouble('ECONNRESET'), trouble('EPIPE'), trouble('UND_ERR_SOCKET')]);
    expect(await sendRequest(wire, get, neverAborted())).toMatchObject({ ok: true });
    expect(sent).toHaveLength(4);
  });

  it.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])(
    'is never sent again if it is bound to a connection: %s',
    async (code) => {
      const { wire, sent } = wireOf([trouble(code)]);
      expect(
        await sendRequest(wire, { ...get, bound: { connection: 'c1', mayWrite: () => true } }, neverAborted()),
      ).toMatchObject({
        error: { reason: 'unreachable' },
      });
      expect(sent).toHaveLength(1);
    },
  );

  it('is not sent again where the connection was a new one, or the trouble another', async () => {
    let connections = 0;
    const fresh = wireOf([trouble('ECONNRESET')], () => (connections += 1));
    const refused = wireOf([trouble('ECONNREFUSED')]);
    for (const { wire, sent } of [fresh, refused]) {
      expect(await sendRequest(wire, get, neverAborted())).toMatchObject({ ok: false });
      expect(sent).toHaveLength(1);
    }
  });

  it('is a timeout where its signal aborts, whatever breaks then', async () => {
    const { wire, sent } = wireOf([trouble('ECONNRESET')]);
    expect(await sendRequest(wire, get, AbortSignal.abort())).toMatchObject({ error: { reason: 'timeout' } });
    expect(sent).toHaveLength(1);
  });
});

/** The failure of what has surely not left. */
const unsent = () => ({ ...timeoutFailure(), unsent: true }) as const;

describe('waiting for a reply', () => {
  const reply = ok({ status: 200, headers: {}, body: new Uint8Array() });

  it('gives the reply', async () => {
    expect(await raceWithAbort(Promise.resolve(reply), timeoutFailure, neverAborted())).toBe(reply);
  });

  it('ends with the signal, also where that aborted before', async () => {
    const never = new Promise<typeof reply>(() => undefined);
    const given = new AbortController();
    const waiting = raceWithAbort(never, timeoutFailure, given.signal);
    given.abort();
    expect(await waiting).toMatchObject({ error: { reason: 'timeout' } });
    expect(await raceWithAbort(never, unsent, AbortSignal.abort())).toMatchObject({ error: { unsent: true } });
  });

  it('releases the memory of a reply that arrives after the abort, and of no other', async () => {
    const released: string[] = [];
    const replyOf = (name: string) => ok({ ...reply.value, release: () => void released.push(name) });
    await raceWithAbort(Promise.resolve(replyOf('late')), timeoutFailure, AbortSignal.abort());
    await raceWithAbort(Promise.resolve(replyOf('in time')), timeoutFailure, neverAborted());
    expect(released).toEqual(['late']);
  });
});
