import { describe, expect, it } from 'vitest';
import type { ReceivedLetter } from '../../../src/simulator/receivers/letter.ts';
import { type ReceiverOptions, type Receivers, startReceivers } from '../../../src/simulator/receivers/receivers.ts';
import { FakeClock } from '../../support/clock.ts';
import { send } from '../../support/http.ts';
import { listen } from '../../support/returning-port.ts';

interface Scene {
  readonly receivers: Receivers;
  readonly clock: FakeClock;
  readonly heard: readonly ReceivedLetter[];
  /** Sends something that is in order to the nth receiver; rejects where there is no answer. */
  readonly post: (index?: number) => ReturnType<typeof send>;
}

const bodies = {
  slack: '{"text":"node m1 is gone"}',
  pagerduty: JSON.stringify({ routing_key: 'k'.repeat(32), event_action: 'resolve', dedup_key: 'one' }),
  alertmanager: '[{"labels":{"alertname":"Gone"}}]',
  webhook: '{}',
} as const;

async function withReceivers(options: readonly ReceiverOptions[], use: (scene: Scene) => Promise<void>) {
  const clock = new FakeClock();
  const heard: ReceivedLetter[] = [];
  const receivers = await startReceivers(options, { listen, clock }, (letter) => heard.push(letter));
  const post = (index = 0) => {
    const one = receivers.all[index];
    if (one === undefined) throw new Error('no such receiver');
    const paths = { slack: '', webhook: '', pagerduty: '/v2/enqueue', alertmanager: '/api/v2/alerts' };
    return send(one.url + paths[one.kind], { method: 'POST', body: bodies[one.kind] });
  };
  try {
    await use({ receivers, clock, heard, post });
  } finally {
    await receivers.close();
  }
}

const chat: ReceiverOptions = { name: 'chat', kind: 'slack' };

describe('startReceivers', () => {
  it('gives each a port of its own, and keeps what it got', async () => {
    await withReceivers([chat, { name: 'oncall', kind: 'pagerduty' }], async ({ receivers, clock, heard, post }) => {
      expect((await post()).text).toBe('ok');
      expect((await post(1)).status).toBe(202);
      const letters = receivers.letters();
      expect(letters).toMatchObject([
        { receiver: 'chat', kind: 'slack', at: clock.now().wall, body: bodies.slack, taken: true, answer: 'sent' },
        { receiver: 'oncall', told: [{ action: 'resolve', key: 'one' }], taken: true, status: 202 },
      ]);
      expect(heard).toEqual(letters);
    });
  });

  it('answers 404 beside its path and 405 to other methods, and keeps neither', async () => {
    await withReceivers([chat], async ({ receivers }) => {
      const url = receivers.all[0]?.url ?? '';
      expect((await send(`${url}x`, { method: 'POST', body: '{}' })).status).toBe(404);
      expect((await send(url)).status).toBe(405);
      expect(receivers.letters()).toEqual([]);
    });
  });

  it('leaves nothing open when a port is taken, and knows no other names', async () => {
    await withReceivers([chat], async ({ receivers }) => {
      const port = Number(new URL(receivers.all[0]?.url ?? '').port);
      const clock = new FakeClock();
      await expect(startReceivers([{ ...chat, port }], { listen, clock })).rejects.toThrow('EADDRINUSE');
      expect(() => receivers.behave('nobody', { kind: 'healthy' })).toThrow("no receiver 'nobody'");
    });
  });

  it('refuses connections while closed, and opens again under the same number', async () => {
    await withReceivers([chat], async ({ receivers, post }) => {
      await receivers.open('chat', false);
      await expect(post()).rejects.toThrow('ECONNREFUSED');
      await receivers.open('chat', true);
      expect((await post()).status).toBe(200);
    });
  });
});

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
