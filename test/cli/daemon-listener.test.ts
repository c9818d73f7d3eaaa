import { describe, expect, it } from 'vitest';
import { listenerAddress, listenerUrl, openDaemonListener, replicaAddress } from '../../src/cli/daemon-listener.ts';
import type { DaemonListener, DaemonListenerOptions, RuntimePorts } from '../../src/cli/ports.ts';
import { err, ok } from '../../src/kernel/result.ts';
import { realWorld } from '../support/live-ports.ts';
import { recordingLogger } from '../support/logger.ts';
import { noCounters, noProxies } from '../support/open-access.ts';

const front: DaemonListener = { host: '127.0.0.1', port: 9916, scheme: 'http', close: async () => {} };

const options: DaemonListenerOptions = {
  host: '127.0.0.1',
  port: 9916,
  handler: async () => ({ status: 200 }),
  log: recordingLogger(),
  isPublic: () => false,
  trustedProxies: () => noProxies,
  maxConnections: () => 512,
  onAuthenticationFailed: () => undefined,
  counters: noCounters,
};

function runtimeWith(open: RuntimePorts['openDaemonListener']): RuntimePorts {
  return { ...realWorld, openDaemonListener: open };
}

describe('opening a listener', () => {
  it('returns the bound listener', async () => {
    expect(
      await openDaemonListener(
        options,
        runtimeWith(async () => ok(front)),
      ),
    ).toEqual({ ok: true, value: front });
  });

  it.each([
    ['EADDRINUSE', '127.0.0.1', 'cannot listen on 127.0.0.1:9916: address already in use'],
    ['EACCES', '127.0.0.1', 'ports below 1024 are reserved'],
    ['EADDRNOTAVAIL', '::1', 'cannot listen on [::1]:9916: address not available on this host'],
    ['ENOTFOUND', 'nowhere.invalid', 'unknown host name'],
    ['EODD', '127.0.0.1', 'listen EODD'],
  ])('returns the reason of a failure: %s', async (code, host, sentence) => {
    const error = Object.assign(new Error(`listen ${code}`), { code, syscall: 'listen' });
    const opened = await openDaemonListener(
      { ...options, host },
      runtimeWith(() => Promise.reject(error)),
    );
    expect(opened).toEqual({ ok: false, error: { exit: 1, message: expect.stringContaining(sentence) } });
  });

  it('returns the problem of the web config file', async () => {
    const problem = { file: 'web.yml', line: 3, column: 1, path: 'tls', message: 'unknown key' };
    const opened = await openDaemonListener(
      options,
      runtimeWith(async () => err([problem])),
    );
    expect(opened).toEqual({ ok: false, error: { exit: 2, message: 'web.yml:3:1: tls: unknown key' } });
  });

  it('rethrows a bug', async () => {
    const runtime = runtimeWith(() => Promise.reject(new TypeError('bug')));
    await expect(openDaemonListener(options, runtime)).rejects.toThrow('bug');
  });
});

it.each([
  [{}, 'http://127.0.0.1:9916', '127.0.0.1:9916'],
  [{ host: '0.0.0.0' }, 'http://127.0.0.1:9916', '0.0.0.0:9916'],
  [{ host: '::' }, 'http://[::1]:9916', '[::]:9916'],
  [{ host: '10.0.0.1', scheme: 'https' as const }, 'https://10.0.0.1:9916', '10.0.0.1:9916'],
])('a listener on %j is opened at %s, and has the address %s', (parts, url, address) => {
  expect(listenerUrl({ ...front, ...parts })).toBe(url);
  expect(listenerAddress({ ...front, ...parts })).toBe(address);
});

describe('the address for other replicas', () => {
  it('is that of the listener, or the name of the host for all interfaces', () => {
    const host = { hostname: 'warden-0' };
    expect(replicaAddress({ ...front, host: '10.0.0.7' }, host)).toMatchObject({ url: 'http://10.0.0.7:9916' });
    expect(replicaAddress({ ...front, host: '0.0.0.0' }, host).url).toBe('http://warden-0:9916');
    expect(replicaAddress({ ...front, host: '::', scheme: 'https' }, host).url).toBe('https://warden-0:9916');
    expect(replicaAddress({ ...front, host: 'fd00::7' }, host).url).toBe('http://[fd00::7]:9916');
  });

  it('has the certificate of the listener', async () => {
    const { fingerprint } = replicaAddress({ ...front, fingerprint: async () => 'AB:CD' }, { hostname: 'warden-0' });
    expect(await fingerprint?.()).toBe('AB:CD');
  });
});
