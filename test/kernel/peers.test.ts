import { expect, it } from 'vitest';
import { noPeers } from '../../src/kernel/peers.ts';

it('no other replicas exist without a shared state', async () => {
  expect(noPeers.live()).toEqual([]);
  const reply = await noPeers.request('a', { method: 'GET', path: '/', timeout: 1000 });
  expect(reply).toEqual({ ok: false, error: 'no other replica shares the state' });
});
