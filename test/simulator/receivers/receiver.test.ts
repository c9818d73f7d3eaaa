import { describe, expect, it } from 'vitest';
import { send } from '../../support/http.ts';
import { bodies, chat, withReceivers } from './scene.ts';

describe('a receiver', () => {
  it('that refuses keeps nothing, and says for how long to wait', async () => {
    await withReceivers([{ ...chat, manner: { kind: 'refuse', status: 429, retryAfter: '7' } }], async (scene) => {
      const reply = await scene.post();
      expect([reply.status, reply.headers['retry-after']]).toEqual([429, '7']);
      expect(scene.receivers.letters()).toMatchObject([{ taken: false, status: 429, answer: 'sent' }]);
      scene.receivers.behave('chat', { kind: 'healthy' });
      expect((await scene.post()).status).toBe(200);
    });
  });

  it.each([true, false])('that drops the answer may have taken the letter: %s', async (taken) => {
    await withReceivers([{ ...chat, manner: { kind: 'drop', taken } }], async ({ receivers, post, heard }) => {
      await expect(post()).rejects.toThrow(/socket hang up|ECONNRESET|aborted/);
      expect(receivers.letters()).toMatchObject([{ taken, answer: 'lost' }]);
      expect(heard).toHaveLength(1);
    });
  });

  it('that hangs holds its letter until the sender leaves', async () => {
    await withReceivers([{ ...chat, manner: { kind: 'hang', taken: true } }], async ({ receivers, clock }) => {
      const leave = new AbortController();
      const hanging = send(receivers.all[0]?.url ?? '', { method: 'POST', body: bodies.slack, signal: leave.signal });
      const left = expect(hanging).rejects.toThrow('abort');
      while (receivers.letters().length === 0) await clock.breathe();
      expect(receivers.letters()).toMatchObject([{ taken: true, answer: 'pending' }]);
      leave.abort();
      await left;
      while (receivers.letters()[0]?.answer === 'pending') await clock.breathe();
      expect(receivers.letters()).toMatchObject([{ taken: true, answer: 'lost' }]);
    });
  });

  it('that is slow answers after its time', async () => {
    await withReceivers([{ ...chat, manner: { kind: 'slow', by: 5_000 } }], async ({ receivers, clock, post }) => {
      const reply = post();
      while (clock.sleeping === 0) await clock.breathe();
      expect(receivers.letters()).toMatchObject([{ taken: true, answer: 'pending' }]);
      await clock.advance(5_000);
      expect((await reply).status).toBe(200);
    });
  });
});

describe('a manner that is posted', () => {
  it('counts from the next letter on', async () => {
    await withReceivers([chat], async ({ receivers, post }) => {
      const url = receivers.all[0]?.mannerUrl ?? '';
      const reply = await send(url, { method: 'POST', body: '503' });
      expect([reply.status, reply.text]).toEqual([200, 'chat: 503\n']);
      expect((await post()).status).toBe(503);
      expect(receivers.letters()).toHaveLength(1);
    });
  });

  it('is refused where nobody knows it, and changes nothing', async () => {
    await withReceivers([chat], async ({ receivers, post }) => {
      const reply = await send(receivers.all[0]?.mannerUrl ?? '', { method: 'POST', body: 'rude' });
      expect(reply.status).toBe(400);
      expect(reply.text).toContain("'rude' is none of healthy");
      expect((await post()).status).toBe(200);
    });
  });
});
