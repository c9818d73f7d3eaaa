import { describe, expect, it } from 'vitest';
import { send } from '../../support/http.ts';
import { chat, validBodies, withReceivers } from './receivers-testbed.ts';

describe('a receiver', () => {
  it('that rejects does not store requests, and sends Retry-After', async () => {
    await withReceivers([{ ...chat, behavior: { kind: 'refuse', status: 429, retryAfter: '7' } }], async (setup) => {
      const reply = await setup.post();
      expect([reply.status, reply.headers['retry-after']]).toEqual([429, '7']);
      expect(setup.receivers.requests()).toMatchObject([{ isAccepted: false, status: 429, answer: 'sent' }]);
      setup.receivers.setBehavior('chat', { kind: 'healthy' });
      expect((await setup.post()).status).toBe(200);
    });
  });

  it.each([true, false])('that drops the response may have accepted the request: %s', async (isAccepted) => {
    await withReceivers(
      [{ ...chat, behavior: { kind: 'drop', isAccepted } }],
      async ({ receivers, post, answered }) => {
        await expect(post()).rejects.toThrow(/socket hang up|ECONNRESET|aborted/);
        expect(receivers.requests()).toMatchObject([{ isAccepted, answer: 'lost' }]);
        expect(answered).toHaveLength(1);
      },
    );
  });

  it('that hangs keeps the request open until the client disconnects', async () => {
    await withReceivers([{ ...chat, behavior: { kind: 'hang', isAccepted: true } }], async ({ receivers, clock }) => {
      const leave = new AbortController();
      const hanging = send(receivers.all[0]?.url ?? '', {
        method: 'POST',
        body: validBodies.slack ?? '',
        signal: leave.signal,
      });
      const left = expect(hanging).rejects.toThrow('abort');
      while (receivers.requests().length === 0) await clock.yieldToEventLoop();
      expect(receivers.requests()).toMatchObject([{ isAccepted: true, answer: 'pending' }]);
      leave.abort();
      await left;
      while (receivers.requests()[0]?.answer === 'pending') await clock.yieldToEventLoop();
      expect(receivers.requests()).toMatchObject([{ isAccepted: true, answer: 'lost' }]);
    });
  });

  it('that is slow responds after its delay', async () => {
    await withReceivers([{ ...chat, behavior: { kind: 'slow', by: 5_000 } }], async ({ receivers, clock, post }) => {
      const reply = post();
      while (clock.sleeping === 0) await clock.yieldToEventLoop();
      expect(receivers.requests()).toMatchObject([{ isAccepted: true, answer: 'pending' }]);
      await clock.advance(5_000);
      expect((await reply).status).toBe(200);
    });
  });
});

describe('a posted behavior', () => {
  it('applies from the next request on', async () => {
    await withReceivers([chat], async ({ receivers, post }) => {
      const url = receivers.all[0]?.behaviorUrl ?? '';
      const reply = await send(url, { method: 'POST', body: '503' });
      expect([reply.status, reply.text]).toEqual([200, 'chat: 503\n']);
      expect((await post()).status).toBe(503);
      expect(receivers.requests()).toHaveLength(1);
    });
  });

  it('is rejected if it is unknown, without a change', async () => {
    await withReceivers([chat], async ({ receivers, post }) => {
      const reply = await send(receivers.all[0]?.behaviorUrl ?? '', { method: 'POST', body: 'rude' });
      expect(reply.status).toBe(400);
      expect(reply.text).toContain("'rude' is not one of healthy");
      expect((await post()).status).toBe(200);
    });
  });
});
