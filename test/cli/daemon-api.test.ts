import { describe, expect, it } from 'vitest';
import type { CommandInput } from '../../src/cli/command.ts';
import { UsageError } from '../../src/cli/command.ts';
import { openDaemonApi } from '../../src/cli/daemon-api.ts';
import type { CliPorts } from '../../src/cli/ports.ts';
import type { IncomingRequest, OutgoingReply } from '../../src/kernel/listener.ts';
import { testPorts } from '../support/cli-ports.ts';
import { freePort } from '../support/free-port.ts';
import { livePorts, realWorld } from '../support/live-ports.ts';
import { serve } from '../support/served-listener.ts';

function given(flags: CommandInput['flags']): CommandInput {
  return { flags, arguments: [] };
}

/** Sends a request to a daemon with the given reply; returns the outcome and the requests. */
async function callDaemon(reply: OutgoingReply, flags: CommandInput['flags'] = {}, ports: CliPorts = livePorts()) {
  const requests: (IncomingRequest & { body: string })[] = [];
  const { url } = await serve(async (request) => {
    requests.push({ ...request, body: await request.text(1000) });
    return reply;
  });
  const api = await openDaemonApi(given({ url, ...flags }), ports);
  if (!api.ok) throw new Error(api.error);
  const result = await api.value.call({ method: 'POST', path: '/api/v1/things?a=b', body: { c: 1 } });
  await api.value.close();
  return { result, request: requests[0] };
}

describe('a call to a daemon', () => {
  it('sends and returns JSON', async () => {
    const { result, request } = await callDaemon({ status: 200, body: '{"d":2}' });
    expect(result).toEqual({ ok: true, value: { d: 2 } });
    expect(request).toMatchObject({ method: 'POST', path: '/api/v1/things', body: '{"c":1}' });
    expect(request?.query.get('a')).toBe('b');
    expect(request?.headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/json' });
    expect(request?.headers.authorization).toBeUndefined();
  });

  it('uses the route prefix', async () => {
    const { url } = await serve(async ({ path }) => ({ status: 200, body: JSON.stringify(path) }));
    const api = await openDaemonApi(given({ url: `${url}/warden/` }), livePorts());
    expect(api.ok && (await api.value.call({ method: 'GET', path: '/x' }))).toEqual({ ok: true, value: '/warden/x' });
    if (api.ok) await api.value.close();
  });

  it('reports the reason of a rejection', async () => {
    const { result } = await callDaemon({ status: 403, body: '{"detail":"You may not."}' });
    expect(result).toEqual({ ok: false, error: 'You may not.' });
  });

  it.each([
    [500, '<html>', 'unexpected response: status 500; check that --url'],
    [200, '<html>', 'unexpected response: not JSON; check that --url or GRAPHWARDEN_URL is the address of the daemon'],
    [404, '', 'status 404'],
    [404, '{"detail":"No route matches /x."}', 'No route matches /x. Check the path of --url or GRAPHWARDEN_URL: '],
  ])('answered with %i and %j is an error', async (status, body, error) => {
    const { result } = await callDaemon({ status, body });
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(error) });
  });

  it.each([
    [{}, undefined, 'the daemon requires a user (--user with --password-file)'],
    [{ user: 'alice' }, 'pw', 'wrong user name or password'],
  ])('of an unknown user returns an error: %j', async (flags, password, sentence) => {
    const environment = password === undefined ? {} : { GRAPHWARDEN_PASSWORD: password };
    const ports = testPorts({ loadRuntime: async () => realWorld, environment });
    const { result } = await callDaemon({ status: 401 }, flags, ports);
    expect(result).toEqual({ ok: false, error: sentence });
  });

  it('returns null for a reply without a body', async () => {
    expect((await callDaemon({ status: 204 })).result).toEqual({ ok: true, value: null });
  });

  it('to a closed port is an error', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const api = await openDaemonApi(given({ url }), livePorts());
    expect(api.ok && (await api.value.call({ method: 'GET', path: '/x' }))).toEqual({
      ok: false,
      error: `${url}: the connection was refused (check that the daemon runs; --url or GRAPHWARDEN_URL sets its address)`,
    });
    if (api.ok) await api.value.close();
  });

  it('that hangs fails after ten seconds', async () => {
    const { url } = await serve(() => new Promise(() => {}));
    const ports = testPorts({ loadRuntime: async () => realWorld });
    const api = await openDaemonApi(given({ url }), ports);
    const call = api.ok ? api.value.call({ method: 'GET', path: '/x' }) : expect.fail();
    while (ports.clock.sleeping === 0) await ports.clock.yieldToEventLoop();
    await ports.clock.advance(10_000);
    expect(await call).toMatchObject({ ok: false });
    if (api.ok) await api.value.close();
  });

  it('can have a longer timeout', async () => {
    const { promise, resolve } = Promise.withResolvers<OutgoingReply>();
    const { url } = await serve(() => promise);
    const ports = testPorts({ loadRuntime: async () => realWorld });
    const api = await openDaemonApi(given({ url }), ports);
    const call = api.ok ? api.value.call({ method: 'GET', path: '/x', timeout: 60_000 }) : expect.fail();
    while (ports.clock.sleeping === 0) await ports.clock.yieldToEventLoop();
    await ports.clock.advance(59_999);
    resolve({ status: 200, body: '7' });
    expect(await call).toEqual({ ok: true, value: 7 });
    if (api.ok) await api.value.close();
  });
});

describe('a user', () => {
  const expected = `Basic ${Buffer.from('alice:pässword').toString('base64')}`;

  it('is named with a file that holds the password', async () => {
    const ports = testPorts({ loadRuntime: async () => realWorld });
    ports.disk.set('pw', 'pässword\n');
    const { request } = await callDaemon({ status: 200, body: '1' }, { user: 'alice', 'password-file': 'pw' }, ports);
    expect(request?.headers.authorization).toBe(expected);
  });

  it('is named by the environment', async () => {
    const environment = { GRAPHWARDEN_USER: 'alice', GRAPHWARDEN_PASSWORD: 'pässword' };
    const ports = testPorts({ loadRuntime: async () => realWorld, environment });
    const { request } = await callDaemon({ status: 200, body: '1' }, {}, ports);
    expect(request?.headers.authorization).toBe(expected);
  });

  it('whose file is missing is an error', async () => {
    const api = await openDaemonApi(given({ user: 'alice', 'password-file': 'gone' }), testPorts());
    expect(api).toMatchObject({ ok: false, error: expect.stringContaining("'gone'") });
  });
});

describe('invalid usage of the options of a daemon API', () => {
  it.each([
    [{ url: 'ftp://h/' }, '--url must be http://HOST:PORT or https://HOST:PORT'],
    [{ url: 'localhost:9916' }, '--url must be http://HOST:PORT or https://HOST:PORT'],
    [{ url: 'http://alice:hunter2@h/' }, '--url must not contain credentials'],
    [{ user: 'alice' }, '--user requires --password-file or GRAPHWARDEN_PASSWORD'],
    [{ 'password-file': 'pw' }, '--password-file requires --user'],
  ])('is %j', async (flags, message) => {
    const opened = openDaemonApi(given(flags), testPorts());
    await expect(opened).rejects.toThrow(UsageError);
    await expect(opened).rejects.toThrow(message);
    await expect(opened).rejects.not.toThrow('hunter2');
  });
});
