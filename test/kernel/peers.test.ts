import { expect, it } from 'vitest';
import { noPeers } from '../../src/kernel/peers.ts';

it('without a shared state, there are no other replicas', async () => {
  expect(noPeers.live()).toEqual([]);
  const reply = await noPeers.request('a', { method: 'GET', path: '/', timeout: 1000 });
  expect(reply).toEqual({ ok: false, error: 'no other replica shares the state' });
});
