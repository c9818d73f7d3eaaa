import { describe, expect, it } from 'vitest';
import { failure } from '../../../src/kernel/failure.ts';
import type { HttpPool, HttpReply, HttpRequest, OpenHttpPool } from '../../../src/kernel/http.ts';
import type { IncomingRequest, OutgoingReply, RequestHandler } from '../../../src/kernel/listener.ts';
import { maxPeerBody } from '../../../src/kernel/peers.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { requestTarget } from '../../../src/runtime/http-messages.ts';
import { type ListedReplica, PeerChannel } from '../../../src/runtime/peers/peer-channel.ts';
import { FakeClock } from '../../support/clock.ts';

const listed = (id: string, more: Partial<ListedReplica> = {}): ListedReplica => ({
  id,
  name: `host-${id}`,
  url: `http://${id}:9916`,
  isLive: true,
  fingerprint: undefined,
  ...more,
});

const get = { method: 'GET', path: '/api/v1/queries?cluster=pr%C3%B6d', timeout: 1000 } as const;

/** Two replicas whose connections are calls; `through` changes replies on their way. */
function world(handler: RequestHandler, through: (reply: HttpReply) => HttpReply = (reply) => reply) {
  const clock = new FakeClock();
  const opened: Parameters<OpenHttpPool>[0][] = [];
  let closed = 0;
  const b = new PeerChannel({ clock, id: 'b', openPool: () => Promise.reject(new Error('unused')) as never });
  const answer = b.gate.protect(handler, async () => ({ status: 401, body: 'who are you?' }));
  const pool: HttpPool = {
    request: async (request, signal) => {
      if (request.path === '/slow') {
        await clock.sleep(5000, signal);
        return err(failure('timeout', 'no complete response within the deadline'));
      }
      return ok(through(toHttpReply(await answer(toIncoming(request)))));
    },
    sockets: () => 0,
    close: async () => {
      closed += 1;
    },
  };
  const openPool: OpenHttpPool = (options) => {
    opened.push(options);
    return pool;
  };
  const a = new PeerChannel({ clock, id: 'a', openPool });
  const all = [listed('a'), listed('b')];
  a.update(all, 'key');
  b.update(all, 'key');
  return { clock, a, b, opened, closed: () => closed };
}

function toIncoming({ method, path, headers, body = '' }: HttpRequest): IncomingRequest {
  const disconnected = new AbortController().signal;
  return { method, ...requestTarget(path), headers, remoteAddress: '', disconnected, text: async () => body };
}

function toHttpReply({ status, headers = {}, body = '' }: OutgoingReply): HttpReply {
  return { status, headers, body: Buffer.from(typeof body === 'string' ? body : '') };
}

describe('a request to another replica', () => {
  it('is answered with status and body, in the name of the user', async () => {
    const { a } = world(async (request) => ({
      status: 203,
      body: JSON.stringify([
        request.path,
        request.query.get('cluster'),
        request.user,
        request.replica,
        await request.text(9),
      ]),
    }));
    const reply = await a.request('b', { ...get, user: 'alice' });
    expect(reply).toEqual(ok({ status: 203, body: '["/api/v1/queries","pröd","alice","a",""]' }));
    const post = await a.request('b', { ...get, method: 'POST', body: '{"x":1}', operator: 'local' });
    expect(post).toMatchObject({ ok: true, value: { body: expect.stringContaining('{\\"x\\":1}') } });
  });

  it('returns the Retry-After of the answer, unless that was changed in transit', async () => {
    const limit: OutgoingReply = { status: 429, headers: { 'retry-after': '7' }, body: 'later' };
    const { a } = world(async () => limit);
    expect(await a.request('b', get)).toEqual(ok({ status: 429, retryAfter: '7', body: 'later' }));
    const changed = world(
      async () => limit,
      (reply) => ({ ...reply, headers: { ...reply.headers, 'retry-after': '9' } }),
    );
    expect(await changed.a.request('b', get)).toMatchObject({ ok: false });
  });

  it('is an error if the reply, its status or its signature was changed in transit', async () => {
    for (const change of [
      (reply: HttpReply): HttpReply => ({ ...reply, body: Buffer.from('no') }),
      (reply: HttpReply): HttpReply => ({ ...reply, status: 500 }),
      (reply: HttpReply): HttpReply => ({ ...reply, headers: {} }),
    ]) {
      const reply = await world(async () => ({ status: 200, body: 'yes' }), change).a.request('b', get);
      expect(reply).toMatchObject({ ok: false, error: expect.stringContaining('is not signed') });
    }
  });

  it('is an error if the replicas have different keys', async () => {
    const { a, b } = world(async () => ({ status: 200 }));
    b.update([listed('a')], 'other');
    expect(await a.request('b', get)).toMatchObject({
      ok: false,
      error: expect.stringContaining('rejects the signature'),
    });
  });

  it('ends at its timeout', async () => {
    const { a, clock } = world(async () => ({ status: 200 }));
    const reply = a.request('b', { ...get, path: '/slow' });
    await clock.advance(1000);
    expect(await reply).toEqual(
      err('the replica host-b at http://b:9916 did not answer: no complete response within the deadline'),
    );
  });

  it('is refused for an unknown replica, a large body, and before the first answer of the database', async () => {
    const { a } = world(async () => ({ status: 200 }));
    expect(await a.request('c', get)).toEqual(err('replica c is unknown'));
    const body = 'x'.repeat(maxPeerBody + 1);
    expect(await a.request('b', { ...get, method: 'POST', body })).toMatchObject({ ok: false });
    const early = new PeerChannel({ clock: new FakeClock(), id: 'a', openPool: () => Promise.reject() as never });
    early.update([listed('b')], undefined);
    expect(await early.request('b', get)).toEqual(err('the key of the replicas is not loaded from the database yet'));
  });
});

describe('the other replicas', () => {
  it('are those that were live at the last answer of the database', () => {
    const { a } = world(async () => ({ status: 200 }));
    a.update([listed('a'), listed('b'), listed('c', { isLive: false })], undefined);
    expect(a.live()).toEqual([{ id: 'b', name: 'host-b', url: 'http://b:9916' }]);
  });

  it('keep their connections until their address, their certificate or they themselves change', async () => {
    const { a, b, opened, closed } = world(async () => ({ status: 200 }));
    await a.request('b', get);
    await a.request('b', get);
    expect(opened).toEqual([{ origin: 'http://b:9916', sockets: 8 }]);
    a.update([listed('b', { url: 'https://b:9916', fingerprint: 'AB:CD' })], 'key');
    expect(closed()).toBe(1);
    expect(await a.request('b', get)).toMatchObject({ ok: true });
    expect(opened[1]).toEqual({ origin: 'https://b:9916', sockets: 8, tls: { fingerprint: 'AB:CD' } });
    a.update([], 'key');
    expect(closed()).toBe(2);
    a.update([listed('b')], 'key');
    await a.request('b', get);
    await a.close();
    expect(closed()).toBe(3);
    await b.close();
  });
});
