import { createServer } from 'node:http';
import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { IncomingRequest, OutgoingReply } from '../../src/kernel/listener.ts';
import { bind, type ListenerLimits, listen, listenerLimits } from '../../src/runtime/listener.ts';
import { recordingLogger } from '../support/logger.ts';
import { fixedReply, type Served, sendRaw, serve, served } from '../support/served-listener.ts';

describe('a failed reply', () => {
  it('is a 500 without details when the handler rejects, which is logged', async () => {
    const log = recordingLogger();
    const { url } = await serve(() => Promise.reject(new Error('inside')), log);
    const reply = await request(url);
    expect(reply.statusCode).toBe(500);
    expect(await reply.body.text()).not.toContain('inside');
    expect(log.lines).toMatchObject([{ level: 'error', message: 'request failed' }]);
  });

  it('is a reset when the reply itself cannot be sent, which is logged', async () => {
    const log = recordingLogger();
    const { port } = await serve(fixedReply({ headers: { 'bad name': 'x' } }), log);
    const end = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(end.text).toBe('');
    expect(log.lines).toMatchObject([{ level: 'error', message: 'response failed' }]);
  });

  it('is a 431 for headers above 16 KiB', async () => {
    const { port } = await serve(fixedReply({}));
    const end = await sendRaw(port, `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`);
    expect(end.text).toMatch(/^HTTP\/1.1 431 /);
  });
});

describe('the end of an answer', () => {
  it.each([
    ['is sent', 'GET / HTTP/1.1\r\nHost: h\r\n\r\n', {}],
    ['has no body because the method is HEAD', 'HEAD / HTTP/1.1\r\nHost: h\r\n\r\n', {}],
    ['cannot be sent', 'GET / HTTP/1.1\r\nHost: h\r\n\r\n', { headers: { 'bad name': 'x' } }],
  ])('is reported once when it %s', async (_, head, more) => {
    let reported = 0;
    const end = new Promise<void>((resolve) => {
      const onSent = (): void => {
        reported += 1;
        resolve();
      };
      void serve(fixedReply({ body: 'x', ...more, onSent }), recordingLogger()).then(({ port }) => sendRaw(port, head));
    });
    await end;
    expect(reported).toBe(1);
  });

  it('is reported when the client has disconnected before', async () => {
    let gone = false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const { port } = await serve(async (incoming) => {
      await new Promise<void>((left) => {
        incoming.disconnected.addEventListener('abort', () => left(), { once: true });
      });
      gone = incoming.disconnected.aborted;
      return { status: 200, body: 'x', onSent: resolve };
    });
    const client = connect(port, '127.0.0.1', () => {
      client.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n', () => client.destroy());
    });
    await promise;
    expect(gone).toBe(true);
  });
});

describe('the address', () => {
  it('is free after close', async () => {
    const first = await serve(fixedReply({}));
    await first.close(0);
    const second = served(await listen({ host: '127.0.0.1', port: first.port, handler: fixedReply({}) }));
    expect(second.port).toBe(first.port);
  });

  it('rejects an address that is in use', async () => {
    const { port } = await serve(fixedReply({}));
    await expect(listen({ host: '127.0.0.1', port, handler: fixedReply({}) })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

async function echo(incoming: IncomingRequest): Promise<OutgoingReply> {
  return { status: 200, body: await incoming.text(100) };
}

async function timeout(limits: ListenerLimits): Promise<Served> {
  return served(await bind(createServer(limits), { host: '127.0.0.1', port: 0, handler: echo, limits }));
}

describe('slow clients are cut off', () => {
  const impatient: ListenerLimits = {
    ...listenerLimits,
    headersTimeout: 50,
    requestTimeout: 100,
    connectionsCheckingInterval: 20,
  };

  it('while they send the head', async () => {
    const { port } = await timeout(impatient);
    const end = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: h\r\n');
    expect(end.text).toMatch(/^HTTP\/1.1 408 /);
  });

  it('while they send the body', async () => {
    const { port } = await timeout(impatient);
    const end = await sendRaw(port, 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 50\r\n\r\nsome');
    expect(end.text).toMatch(/^(?:HTTP\/1.1 408 |$)/);
  });

  it('when they send no bytes', async () => {
    const { port } = await timeout(impatient);
    const silent = connect(port, '127.0.0.1');
    silent.resume();
    await new Promise((resolve) => silent.once('close', resolve));
  });
});
