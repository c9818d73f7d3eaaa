import { describe, expect, it } from 'vitest';
import { createReloadingPool } from '../../src/graphdb/reloading-pool.ts';
import type { HttpRequest, OpenHttpPool } from '../../src/kernel/http.ts';
import type { TlsSettings } from '../../src/model/settings.ts';
import { factsOf, failureOf, neverAborted } from '../support/client.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const get: HttpRequest = { method: 'GET', path: '/', headers: {}, maxBytes: 100 };
const origin = 'https://10.0.0.1:14240';
const tls: TlsSettings = {
  caFile: '/ca',
  certFile: '/cert',
  keyFile: '/key',
  serverName: 'graph',
  insecureSkipVerify: false,
};

/** Hands out prepared pools and keeps what they were opened with. */
function opening(...pools: FakePool[]): {
  readonly openPool: OpenHttpPool;
  readonly opened: Parameters<OpenHttpPool>[0][];
} {
  const opened: Parameters<OpenHttpPool>[0][] = [];
  const openPool: OpenHttpPool = (options) => {
    opened.push(options);
    const pool = pools.shift();
    if (pool === undefined) throw new Error('one pool too many');
    return pool;
  };
  return { openPool, opened };
}

/** Opens pools that answer whether they are still open. */
const openReporting: OpenHttpPool = () => {
  let text = 'open';
  return {
    request: async () => answer(text),
    sockets: () => 0,
    close: async () => {
      text = 'closed';
    },
  };
};

const pems = { '/ca': 'CA', '/cert': 'CERT', '/key': 'KEY' };

describe('a pool with TLS files', () => {
  it('opens with the first request, and only once', async () => {
    const inside = new FakePool(['GET /', answer('1')], ['GET /', answer('2')]);
    const { openPool, opened } = opening(inside);
    const pool = createReloadingPool({ origin, sockets: 4, tls: undefined, openPool, files: new FakeFiles() });
    expect([opened.length, pool.sockets()]).toEqual([0, 0]);
    await pool.request(get, neverAborted());
    await pool.request(get, neverAborted());
    expect(opened).toEqual([{ origin, sockets: 4 }]);
    expect(pool.sockets()).toBe(1);
    await pool.close();
    expect(inside.closed).toBe(true);
  });

  it('uses the certificates of its files', async () => {
    const { openPool, opened } = opening(new FakePool(['GET /', answer('1')]));
    const pool = createReloadingPool({ origin, sockets: 4, tls, openPool, files: new FakeFiles(pems) });
    await pool.request(get, neverAborted());
    const material = { ca: 'CA', cert: 'CERT', key: 'KEY', serverName: 'graph', insecureSkipVerify: false };
    expect(opened).toEqual([{ origin, sockets: 4, tls: material }]);
  });

  it('fails with the reason tls while a file cannot be read, and recovers', async () => {
    const files = new FakeFiles({ '/ca': 'CA', '/cert': 'CERT' });
    const { openPool } = opening(new FakePool(['GET /', answer('1')]));
    const pool = createReloadingPool({ origin, sockets: 4, tls, openPool, files });
    expect(failureOf(await pool.request(get, neverAborted()))).toMatchObject({ reason: 'tls', unsent: true });
    files.write('/key', 'KEY');
    expect(factsOf(await pool.request(get, neverAborted())).status).toBe(200);
  });

  it('is replaced when a certificate changes, and requests in flight finish', async () => {
    const files = new FakeFiles(pems);
    const slow = Promise.withResolvers<ReturnType<typeof answer>>();
    const old = new FakePool(['GET /', () => slow.promise]);
    const { openPool, opened } = opening(old, new FakePool(['GET /', answer('new')]));
    const pool = createReloadingPool({ origin, sockets: 4, tls, openPool, files });
    const running = pool.request(get, neverAborted());
    await Promise.resolve();
    while (old.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    files.write('/cert', 'CERT 2');
    await pool.request(get, neverAborted());
    expect(opened[1]?.tls?.cert).toBe('CERT 2');
    expect(old.closed).toBe(false);
    slow.resolve(answer('old'));
    expect((await running).ok).toBe(true);
    expect(old.closed).toBe(true);
  });

  it('never closes the pool of a request in flight, whenever the files change', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const files = new FakeFiles(pems);
      let late = 0;
      const stamp = async (path: string): Promise<string | undefined> => {
        const [turnsLeft, seen] = [late, files.stamp(path)];
        for (let turn = 0; turn < turnsLeft; turn += 1) await Promise.resolve();
        return await seen;
      };
      const presence = (path: string) => files.presence(path);
      const slowly = { readText: (path: string) => files.readText(path), stamp, presence };
      const pool = createReloadingPool({ origin, sockets: 4, tls, openPool: openReporting, files: slowly });
      await pool.request(get, neverAborted());
      late = turns;
      const first = pool.request(get, neverAborted());
      late = 0;
      files.write('/cert', 'CERT 2');
      await pool.request(get, neverAborted());
      expect(new TextDecoder().decode(factsOf(await first).body)).toBe('open');
    }
  });

  it('opens one new pool for all concurrent requests after a replacement', async () => {
    const files = new FakeFiles(pems);
    const { openPool, opened } = opening(
      new FakePool(['GET /', answer('old')]),
      new FakePool(['GET /', answer('new')], ['GET /', answer('new')]),
    );
    const pool = createReloadingPool({ origin, sockets: 4, tls, openPool, files });
    await pool.request(get, neverAborted());
    files.write('/cert', 'CERT 2');
    await Promise.all([pool.request(get, neverAborted()), pool.request(get, neverAborted())]);
    expect(opened).toHaveLength(2);
  });

  it('keeps its files if the replacement cannot be read', async () => {
    const files = new FakeFiles(pems);
    const { openPool, opened } = opening(new FakePool(['GET /', answer('1')], ['GET /', answer('2')]));
    const pool = createReloadingPool({ origin, sockets: 4, tls, openPool, files });
    await pool.request(get, neverAborted());
    files.remove('/key');
    expect((await pool.request(get, neverAborted())).ok).toBe(true);
    expect(opened).toHaveLength(1);
  });

  it('opens no pool after it was closed', async () => {
    const { openPool } = opening();
    const pool = createReloadingPool({ origin, sockets: 4, tls: undefined, openPool, files: new FakeFiles() });
    await pool.close();
    expect(failureOf(await pool.request(get, neverAborted()))).toMatchObject({ reason: 'unreachable', unsent: true });
  });
});
