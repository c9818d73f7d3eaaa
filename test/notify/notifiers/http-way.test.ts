import { describe, expect, it } from 'vitest';
import type { OpenHttpPool } from '../../../src/kernel/http.ts';
import { openHttpWay } from '../../../src/notify/notifiers/http-way.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const forever = new AbortController().signal;

describe('the way to an address', () => {
  it('posts JSON, with the query of the address, and says who we are', async () => {
    const pool = new FakePool(['POST /a/b?c=d', answer('', 200)]);
    const way = openHttpWay(() => pool);
    expect(await way.post('http://receiver.test/a/b?c=d', '{}', { more: '1' }, forever)).toMatchObject({ ok: true });
    expect(pool.requests[0]).toMatchObject({
      headers: { 'content-type': 'application/json', 'user-agent': 'graphwarden', more: '1' },
      body: '{}',
    });
    await way.close();
    expect(pool.closed).toBe(true);
  });

  it('keeps its connections until the address is at another place', async () => {
    const pools = [
      new FakePool(['POST /1', answer('', 200)], ['POST /2', answer('', 200)]),
      new FakePool(['POST /3', answer('', 200)]),
    ];
    const opened: string[] = [];
    const openPool: OpenHttpPool = ({ origin }) => pools[opened.push(origin) - 1] ?? new FakePool();
    const way = openHttpWay(openPool);
    await way.post('http://one.test/1', '', {}, forever);
    await way.post('http://one.test/2', '', {}, forever);
    await way.post('https://two.test:8443/3', '', {}, forever);
    expect(opened).toEqual(['http://one.test', 'https://two.test:8443']);
    expect(pools.map(({ closed }) => closed)).toEqual([true, false]);
    await way.close();
    expect(pools.map(({ closed }) => closed)).toEqual([true, true]);
  });

  it('that was never used closes as well', async () => {
    await expect(openHttpWay(() => new FakePool()).close()).resolves.toBeUndefined();
  });
});
