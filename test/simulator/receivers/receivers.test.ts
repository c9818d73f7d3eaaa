import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../support/clock.ts';
import { send } from '../../support/http.ts';
import { listen } from '../../support/reusable-port.ts';
import { startSimulatedReceivers } from '../../support/simulated-receivers.ts';
import { chat, validBodies, withReceivers } from './receivers-testbed.ts';

describe('startReceivers', () => {
  it('opens a port for each receiver, and stores its requests', async () => {
    await withReceivers([chat, { name: 'oncall', kind: 'pagerduty' }], async ({ receivers, clock, answered, post }) => {
      expect((await post()).text).toBe('ok');
      expect((await post(1)).status).toBe(202);
      const deliveries = receivers.requests();
      expect(deliveries).toMatchObject([
        {
          receiver: 'chat',
          kind: 'slack',
          at: clock.now().wall,
          body: validBodies.slack,
          isAccepted: true,
          answer: 'sent',
        },
        { receiver: 'oncall', notifications: [{ action: 'resolve', key: 'one' }], isAccepted: true, status: 202 },
      ]);
      expect(answered).toEqual(deliveries);
    });
  });

  it('responds with 404 to other paths and 405 to other methods, and stores neither', async () => {
    await withReceivers([chat], async ({ receivers }) => {
      const url = receivers.all[0]?.url ?? '';
      expect((await send(`${url}x`, { method: 'POST', body: '{}' })).status).toBe(404);
      expect((await send(url)).status).toBe(405);
      expect(receivers.requests()).toEqual([]);
    });
  });

  it('leaves no port open if one is in use, and rejects unknown names', async () => {
    await withReceivers([chat], async ({ receivers }) => {
      const port = Number(new URL(receivers.all[0]?.url ?? '').port);
      const clock = new FakeClock();
      await expect(startSimulatedReceivers([{ ...chat, port }], { listen, clock })).rejects.toThrow('EADDRINUSE');
      expect(() => receivers.setBehavior('unknown', { kind: 'healthy' })).toThrow("no receiver 'unknown'");
    });
  });

  it('refuses connections while closed, and opens again on the same port', async () => {
    await withReceivers([chat], async ({ receivers, post }) => {
      await receivers.setOpen('chat', false);
      await expect(post()).rejects.toThrow('ECONNREFUSED');
      await receivers.setOpen('chat', true);
      expect((await post()).status).toBe(200);
    });
  });
});
