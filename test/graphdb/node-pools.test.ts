import { describe, expect, it } from 'vitest';
import { createNodePools } from '../../src/graphdb/node-pools.ts';
import type { OpenHttpPool } from '../../src/kernel/http.ts';
import { neverAborted } from '../support/client.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const request = { method: 'GET', path: '/', headers: {}, maxBytes: 100 } as const;

/** Opens the pools of a node, and sends a request over each of the two. */
async function openedFor(isGuarded: boolean) {
  const opened: Parameters<OpenHttpPool>[0][] = [];
  const requests = isGuarded ? 1 : 2;
  const openPool: OpenHttpPool = (options) => {
    opened.push(options);
    return new FakePool(...Array.from({ length: requests }, () => ['GET /', answer('')] as const));
  };
  const parts = { origin: 'http://10.0.0.1:14240', tls: undefined, openPool, files: new FakeFiles() };
  const pools = createNodePools(parts, isGuarded);
  await pools.general.request(request, neverAborted());
  await pools.reserved.request(request, neverAborted());
  const sockets = pools.openSockets();
  await pools.close();
  return { opened, sockets };
}

describe('the pools of a node', () => {
  it('share four sockets, of which a guarded node reserves two with one address', async () => {
    const { opened, sockets } = await openedFor(true);
    expect(opened.map(({ sockets: most, oneAddress }) => [most, oneAddress])).toEqual([
      [2, undefined],
      [2, true],
    ]);
    expect(sockets).toBe(2);
    expect((await openedFor(false)).opened.map(({ sockets: most }) => most)).toEqual([4]);
  });

  it('use no proxy', async () => {
    const { opened } = await openedFor(true);
    expect(opened.every((options) => !('proxy' in options))).toBe(true);
  });
});
