import { createServer } from 'node:http';
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { ClosedReason, IncomingRequest, OutgoingReply } from '../../src/kernel/listener.ts';
import { bind, listenerLimits } from '../../src/runtime/listener.ts';
import { eventually } from '../support/child.ts';
import { recordingLogger } from '../support/logger.ts';
import { fixedReply, sendRaw, serve, served } from '../support/served-listener.ts';

/** Timers that would keep the process alive. */
function timersSet(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

describe('closing', () => {
  it('finishes a reply in progress with Connection: close, and rejects new connections', async () => {
    const arrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<OutgoingReply>();
    const server = await serve(() => {
      arrived.resolve();
      return release.promise;
    });
    const running = request(server.url);
    await arrived.promise;
    const timers = timersSet();
    const closed = server.close(10_000);
    await expect(request(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    release.resolve({ status: 200, body: 'done' });
    const reply = await running;
    expect(reply.headers.connection).toBe('close');
    expect(await reply.body.text()).toBe('done');
    await closed;
    expect(timersSet()).toBeLessThanOrEqual(timers);
  });

  it('does not wait for idle connections, with or without an earlier request', async () => {
    const server = await serve(fixedReply({ body: 'x' }));
    const reply = await request(server.url);
    await reply.body.dump();
    const silent = connect(server.port, '127.0.0.1');
    const cut = new Promise((resolve) => silent.once('close', resolve));
    await new Promise((resolve) => silent.once('connect', resolve));
    silent.resume();
    await server.close(60_000);
    await cut;
  });

  it('resets connections after the grace period, and can be called twice', async () => {
    const arrived = Promise.withResolvers<IncomingRequest>();
    const server = await serve((incoming) => {
      arrived.resolve(incoming);
      return new Promise(() => {});
    });
    const running = expect(request(server.url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    const { disconnected } = await arrived.promise;
    const noticed = new Promise((resolve) => disconnected.addEventListener('abort', resolve));
    await Promise.all([server.close(20), server.close(60_000)]);
    await running;
    await noticed;
  });
});

async function answerLong(incoming: IncomingRequest): Promise<OutgoingReply> {
  if (incoming.path === '/long') return { status: 200, body: Buffer.alloc(64 * 2 ** 20) };
  return { status: 200, body: await incoming.text(4) };
}

/** A listener that cuts slow readers soon, and the connections that it closed. */
async function limited({ headersTimeout } = listenerLimits) {
  const log = recordingLogger();
  const closed: ClosedReason[] = [];
  const limits = { ...listenerLimits, headersTimeout, connectionsCheckingInterval: 10, stall: 50 };
  const connections = { max: () => 10, onClosed: (reason: ClosedReason) => void closed.push(reason), log };
  const binding = { host: '127.0.0.1', port: 0, handler: answerLong, limits, connections, log };
  const { port } = served(await bind(createServer(limits), binding));
  return { port, closed, log };
}

describe('a client that reaches a limit', () => {
  it.each([
    ['timeout', 'GET / HTTP/1.1\r\nHost: h\r\n', /^HTTP\/1\.1 408 /, { headersTimeout: 50 }],
    ['headers', `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431 /],
    ['body', 'POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 5\r\n\r\n12345', /^HTTP\/1\.1 413 /],
  ])(
    'is counted and logged with the reason %s',
    async (reason, sent, answer, own: Partial<typeof listenerLimits> = {}) => {
      const { port, closed, log } = await limited({ ...listenerLimits, ...own });
      expect((await sendRaw(port, sent)).text).toMatch(answer);
      await sendRaw(port, sent);
      await eventually('both are counted', async () => closed.length === 2);
      expect(closed).toEqual([reason, reason]);
      expect(log.lines).toMatchObject([{ level: 'warn', message: 'connection limit reached', fields: { reason } }]);
    },
  );

  it('is counted and logged with the reason slow if it does not read its answer', async () => {
    const { port, closed, log } = await limited();
    const socket = connect(port, '127.0.0.1', () => socket.write('GET /long HTTP/1.1\r\nHost: h\r\n\r\n'));
    const ended = new Promise((resolve) => socket.once('error', resolve));
    socket.pause();
    await eventually('it is counted', async () => closed.length === 1);
    socket.resume();
    await ended;
    expect(closed).toEqual(['slow']);
    expect(log.lines).toMatchObject([{ message: 'connection limit reached', fields: { reason: 'slow' } }]);
  });
});
