import { MockAgent } from 'undici';
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../src/kernel/http.ts';
import { ok } from '../../src/kernel/result.ts';
import { BodyBuffers } from '../../src/runtime/body-buffer.ts';
import { timeoutFailure } from '../../src/runtime/http-failure.ts';
import { type HttpTransport, raceWithAbort, sendRequest } from '../../src/runtime/http-transport.ts';
import { MemoryBudget } from '../../src/runtime/reply-memory.ts';
import { neverAborted } from '../support/client.ts';

const get: HttpRequest = { method: 'GET', path: '/a?b=c', headers: { x: 'y' }, maxBytes: 100 };
const origin = 'http://node.test';
const errorWithCode = (code: string): Error => Object.assign(new Error('no'), { code });

/** Returns a transport that fails with these errors in turn and then responds; `opened` returns its connection count. */
function transportOf(errors: readonly Error[], opened: () => number = () => 1) {
  const sent: unknown[] = [];
  const pool = new MockAgent().get(origin);
  for (const error of errors) pool.intercept({ path: get.path }).replyWithError(error);
  pool.intercept({ path: get.path }).reply(200, 'ok');
  const transport: HttpTransport = {
    origin,
    dispatcher: pool.compose((dispatch) => (options, handler) => {
      sent.push(options);
      return dispatch(options, handler);
    }),
    connector: { opened, lastAlert: () => undefined, tlsProblem: () => undefined },
    buffers: new BodyBuffers(new MemoryBudget(), { origin: '', isForGuard: false }),
  };
  return { transport, sent };
}

describe('a request of a transport', () => {
  it('sends method, path, headers and body', async () => {
    const { transport, sent } = transportOf([]);
    expect(await sendRequest(transport, get, neverAborted())).toMatchObject({ ok: true, value: { status: 200 } });
    expect(sent).toEqual([{ origin, method: 'GET', path: '/a?b=c', headers: { x: 'y' }, body: null }]);
  });

  it('is sent again each time its connection is stale', async () => {
    const { transport, sent } = transportOf([
      errorWithCode('ECONNRESET'),
      errorWithCode('EPIPE'),
      errorWithCode('UND_ERR_SOCKET'),
    ]);
    expect(await sendRequest(transport, get, neverAborted())).toMatchObject({ ok: true });
    expect(sent).toHaveLength(4);
  });

  it.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])(
    'is never sent again if it is bound to a connection: %s',
    async (code) => {
      const { transport, sent } = transportOf([errorWithCode(code)]);
      expect(
        await sendRequest(transport, { ...get, bound: { connection: 'c1', mayWrite: () => true } }, neverAborted()),
      ).toMatchObject({
        error: { reason: 'unreachable' },
      });
      expect(sent).toHaveLength(1);
    },
  );

  it('is not sent again after another error, or if the connection was new', async () => {
    let connections = 0;
    const fresh = transportOf([errorWithCode('ECONNRESET')], () => (connections += 1));
    const refused = transportOf([errorWithCode('ECONNREFUSED')]);
    for (const { transport, sent } of [fresh, refused]) {
      expect(await sendRequest(transport, get, neverAborted())).toMatchObject({ ok: false });
      expect(sent).toHaveLength(1);
    }
  });

  it('is a timeout if its signal aborts, whatever error follows', async () => {
    const { transport, sent } = transportOf([errorWithCode('ECONNRESET')]);
    expect(await sendRequest(transport, get, AbortSignal.abort())).toMatchObject({ error: { reason: 'timeout' } });
    expect(sent).toHaveLength(1);
  });
});

/** The failure of what has surely not left. */
const unsent = () => ({ ...timeoutFailure(), unsent: true }) as const;

describe('waiting for a reply', () => {
  const reply = ok({ status: 200, headers: {}, body: new Uint8Array() });

  it('returns the reply', async () => {
    expect(await raceWithAbort(Promise.resolve(reply), timeoutFailure, neverAborted())).toBe(reply);
  });

  it('ends when its signal aborts, also if it aborted before', async () => {
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
