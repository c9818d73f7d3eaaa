import { describe, expect, it } from 'vitest';
import { createNodePools } from '../../src/graphdb/node-pools.ts';
import type { HttpRequest, OpenHttpPool } from '../../src/kernel/http.ts';
import { neverAborted } from '../support/client.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const get: HttpRequest = { method: 'GET', path: '/', headers: {}, maxBytes: 100 };
const origin = 'http://m1:14240';

/** The sockets of a node over pools that answer each of so many requests, and what these were opened with. */
function socketsOf(isGuarded: boolean, requests: number) {
  const opened: Parameters<OpenHttpPool>[0][] = [];
  const pools: FakePool[] = [];
  const openPool: OpenHttpPool = (options) => {
    opened.push(options);
    const pool = new FakePool(...Array.from({ length: requests }, () => ['GET /', answer('')] as const));
    pools.push(pool);
    return pool;
  };
  const parts = { origin, tls: undefined, openPool, files: new FakeFiles() };
  return { sockets: createNodePools(parts, isGuarded), opened, pools };
}

describe('the sockets of a node', () => {
  it('are four in one pool if the node is not guarded', async () => {
    const { sockets, opened, pools } = socketsOf(false, 2);
    expect([opened, sockets.openSockets()]).toEqual([[], 0]);
    await sockets.general.request(get, neverAborted());
    await sockets.reserved.request(get, neverAborted());
    expect([opened, sockets.openSockets()]).toEqual([[{ origin, sockets: 4 }], 1]);
    await sockets.close();
    expect(pools.map(({ closed }) => closed)).toEqual([true]);
  });

  it('are two pools of two if the node is guarded, those for the guard to one address', async () => {
    const { sockets, opened, pools } = socketsOf(true, 1);
    await sockets.general.request(get, neverAborted());
    await sockets.reserved.request(get, neverAborted());
    expect(opened).toEqual([
      { origin, sockets: 2 },
      { origin, sockets: 2, oneAddress: true },
    ]);
    expect(sockets.openSockets()).toBe(2);
    await sockets.close();
    expect([pools.map(({ closed }) => closed), sockets.openSockets()]).toEqual([[true, true], 0]);
  });
});
