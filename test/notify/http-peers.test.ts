import { describe, expect, it } from 'vitest';
import type { OpenHttpPool } from '../../src/kernel/http.ts';
import { type EvaluateReply, openHttpPeers } from '../../src/notify/http-peers.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const forever = new AbortController().signal;
const accept: EvaluateReply = (reply) =>
  reply.ok ? { kind: 'accepted' } : { kind: 'unavailable', answered: false, timedOut: false, message: 'why' };

const acceptGood: EvaluateReply = (_, url) =>
  url.endsWith('good') ? { kind: 'accepted' } : { kind: 'broken', message: 'no', request: { url } };

describe('a request that awaits every peer', () => {
  it('names the peers that do not accept it', async () => {
    const good = ['POST /good', answer('', 200)] as const;
    const bad = ['POST /bad', answer('', 500)] as const;
    const pools: Readonly<Record<string, FakePool>> = {
      'http://one.test': new FakePool(good, good),
      'http://two.test': new FakePool(bad, bad),
      'http://three.test': new FakePool(good),
      'http://four.test': new FakePool(bad),
    };
    const peers = openHttpPeers({ openPool: ({ origin }) => pools[origin] ?? new FakePool(), files: new FakeFiles() });
    const send = (urls: readonly string[]) =>
      peers.send({ url: urls, body: '', awaitsEveryPeer: true }, 0, acceptGood, forever);
    const [one, two] = ['http://one.test/good', 'http://two.test/bad'];
    expect(await send([one, two])).toEqual({ kind: 'accepted', but: `${two}: no` });
    expect(await send([one, 'http://three.test/good'])).toEqual({ kind: 'accepted' });
    expect(await send([two, 'http://four.test/bad'])).toMatchObject({ kind: 'broken', message: 'no' });
  });
});

describe('the connection to one address', () => {
  it('posts JSON with the query of the address and a user agent', async () => {
    const pool = new FakePool(['POST /a/b?c=d', answer('', 200)]);
    const peers = openHttpPeers({ openPool: () => pool, files: new FakeFiles() });
    const request = { url: 'http://receiver.test/a/b?c=d', body: '{}', headers: { more: '1' } };
    expect(await peers.send(request, 0, accept, forever)).toEqual({ kind: 'accepted' });
    expect(pool.requests[0]).toMatchObject({
      headers: { 'content-type': 'application/json', 'user-agent': 'graphwarden', more: '1' },
      body: '{}',
    });
    await peers.close();
    expect(pool.closed).toBe(true);
  });

  it('is kept until the address has another origin', async () => {
    const pools = [
      new FakePool(['POST /1', answer('', 200)], ['POST /2', answer('', 200)]),
      new FakePool(['POST /3', answer('', 200)]),
    ];
    const opened: string[] = [];
    const openPool: OpenHttpPool = ({ origin }) => pools[opened.push(origin) - 1] ?? new FakePool();
    const peers = openHttpPeers({ openPool, files: new FakeFiles() });
    const post = (url: string) => peers.send({ url, body: '' }, 0, accept, forever);
    await post('http://one.test/1');
    await post('http://one.test/2');
    await post('https://two.test:8443/3');
    expect(opened).toEqual(['http://one.test', 'https://two.test:8443']);
    expect(pools.map(({ closed }) => closed)).toEqual([true, false]);
    await peers.close();
    expect(pools.map(({ closed }) => closed)).toEqual([true, true]);
  });

  it('can be closed without a request', async () => {
    await expect(
      openHttpPeers({ openPool: () => new FakePool(), files: new FakeFiles() }).close(),
    ).resolves.toBeUndefined();
  });
});
