import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RequestHandler } from '../../src/kernel/listener.ts';
import type { PeerRequest } from '../../src/kernel/peers.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { PeerChannel } from '../../src/runtime/peers/peer-channel.ts';
import type { WebConfig } from '../../src/runtime/web-config.ts';
import { listenSecured } from '../../src/runtime/web-server.ts';
import { FakeClock } from '../support/clock.ts';
import { recordingLogger } from '../support/logger.ts';
import { noCounters, noProxies } from '../support/open-access.ts';
import { served } from '../support/served-listener.ts';
import { startStaticServer } from '../support/static-server.ts';
import { keyPair } from '../support/tls.ts';

const tls = {
  ...keyPair('other'),
  requestCert: false,
  rejectUnauthorized: false,
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.3',
  honorCipherOrder: true,
} as const;

/** A listener with TLS and passwords, none of which is right. */
const web: WebConfig = {
  tlsOptions: async () => tls,
  isClientAllowed: () => true,
  authenticate: async () => 'denied',
  headers: {},
};

const get: PeerRequest = { method: 'GET', path: '/api/v1/queries?x=%C3%B6', timeout: 10_000 };

/** Two replicas over the real network; the clock of both is that of the database. */
async function world(handler: RequestHandler) {
  const clock = new FakeClock();
  const [a, b] = ['a', 'b'].map((id) => new PeerChannel({ clock, id, openPool: openHttpPool })) as [
    PeerChannel,
    PeerChannel,
  ];
  const failures: unknown[] = [];
  const listener = await listenSecured(web, {
    host: '127.0.0.1',
    port: 0,
    handler: async () => ({ status: 200, body: 'a client' }),
    peers: { gate: b.gate, handler },
    isPublic: () => false,
    trustedProxies: () => noProxies,
    maxConnections: () => 32,
    counters: { ...noCounters, authenticationFailed: (reason) => void failures.push(reason) },
    onAuthenticationFailed: ({ requests }) => void failures.push(requests),
    log: recordingLogger(),
  });
  const { url } = served(listener, 'https');
  const { fingerprint256: fingerprint } = new X509Certificate(tls.cert);
  const replica = { id: 'b', name: 'b', url, isLive: true, fingerprint };
  for (const channel of [a, b]) channel.update([replica], 'key');
  return { a, b, replica, failures };
}

describe('a listener with TLS and passwords', () => {
  it('answers signed requests of other replicas, and counts wrong signatures', async () => {
    const { a, b, replica, failures } = await world(async (request) => ({
      status: 200,
      body: [request.method, request.user, request.query.get('x'), await request.text(100)].join(' '),
    }));
    expect(await a.request('b', { ...get, user: 'alice' })).toMatchObject({ value: { body: 'GET alice ö ' } });
    expect(await a.request('b', { ...get, method: 'POST', body: '{}' })).toMatchObject({
      value: { body: 'POST  ö {}' },
    });
    a.update([replica], 'another key');
    expect(await a.request('b', get)).toMatchObject({ error: expect.stringContaining('rejects the signature') });
    expect(failures).toEqual(['signature', 1]);
    a.update([{ ...replica, fingerprint: 'AB:CD' }], 'key');
    expect(await a.request('b', get)).toMatchObject({ error: expect.stringContaining('not the expected one') });
    await Promise.all([a.close(), b.close()]);
  });
});

describe('a request to an address of another program', () => {
  it('follows no redirect and accepts no unsigned answer', async () => {
    const { url } = await startStaticServer({
      'GET /moved': { status: 307, headers: { location: '/answer' }, body: '' },
      'GET /answer': { body: 'trust me' },
    });
    const channel = new PeerChannel({ clock: new FakeClock(), id: 'a', openPool: openHttpPool });
    channel.update([{ id: 'b', name: 'b', url, isLive: true, fingerprint: undefined }], 'key');
    const requestPath = (path: string) => channel.request('b', { ...get, path });
    expect(await requestPath('/moved')).toMatchObject({
      error: expect.stringContaining('redirect, which is not followed'),
    });
    expect(await requestPath('/answer')).toMatchObject({ error: expect.stringContaining('is not signed') });
    await channel.close();
  });
});
