import { connect } from 'node:net';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { IncomingRequest, OutgoingReply } from '../../src/kernel/listener.ts';
import { fixedReply, serve } from '../support/served-listener.ts';

/** Timers that would keep the process alive. */
function timersSet(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}

describe('closing', () => {
  it('lets a running answer finish, says that it is the last, and refuses newcomers', async () => {
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

  it('does not wait for idle connections, asked or silent', async () => {
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

  it('cuts what outlasts the grace, and may be asked twice', async () => {
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
