import { describe, expect, it } from 'vitest';
import { startReceivers } from '../../../src/simulator/receivers/receivers.ts';
import { FakeClock } from '../../support/clock.ts';
import { send } from '../../support/http.ts';
import { listen } from '../../support/returning-port.ts';
import { bodies, chat, withReceivers } from './scene.ts';

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
