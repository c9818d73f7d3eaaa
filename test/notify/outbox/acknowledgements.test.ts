import { describe, expect, it } from 'vitest';
import { DeliveryTestbed, firing, serverError } from '../delivery-testbed.ts';

const alert = firing('a');

/** Returns a deliverer whose receivers have accepted the trigger. */
async function withOpenIncident(traits = {}): Promise<DeliveryTestbed> {
  const delivering = await new DeliveryTestbed({ one: traits }).start();
  await delivering.trigger(alert);
  expect(delivering.receiver().take()).toEqual(['trigger a 1']);
  return delivering;
}

describe('acknowledgement', () => {
  it('is sent once, with its withdrawal after it', async () => {
    const delivering = await withOpenIncident();
    await delivering.acknowledge(alert);
    await delivering.acknowledge(alert, 'unacknowledged');
    expect(delivering.receiver().sent.map(({ request }) => request)).toMatchObject([
      { acknowledgement: 'acknowledged', isReminder: false, due: expect.any(Number) },
      { acknowledgement: 'unacknowledged' },
    ]);
    await delivering.clock.advance(600_000);
    expect(delivering.receiver().story).toHaveLength(2);
  });

  it('drops a reminder that is not sent yet', async () => {
    const delivering = await withOpenIncident();
    delivering.receiver().queuedResponses.push(serverError);
    await delivering.trigger(alert, { again: true });
    await delivering.acknowledge(alert);
    await delivering.clock.advance(600_000);
    expect(delivering.receiver().story).toEqual(['again a 1', 'acknowledged a 1']);
  });

  it('follows the trigger if the receiver has not accepted that yet', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().queuedResponses.push(serverError);
    await delivering.trigger(alert);
    await delivering.acknowledge(alert);
    await delivering.clock.advance(60_000);
    expect(delivering.receiver().story).toEqual(['trigger a 1', 'trigger a 1', 'acknowledged a 1']);
  });

  it('is retried until the receiver accepts it, also after a restart', async () => {
    const delivering = await withOpenIncident();
    delivering.receiver().queuedResponses.push(serverError);
    await delivering.acknowledge(alert);
    await delivering.restart();
    await delivering.clock.advance(60_000);
    await delivering.restart();
    expect(delivering.receiver().story).toEqual(['acknowledged a 1', 'acknowledged a 1']);
  });

  it('is not sent after the resolve', async () => {
    const delivering = await withOpenIncident();
    delivering.receiver().queuedResponses.push(serverError);
    await delivering.acknowledge(alert);
    await delivering.resolve(alert);
    await delivering.acknowledge(alert);
    await delivering.clock.advance(600_000);
    expect(delivering.receiver().story).toEqual(['acknowledged a 1', 'resolve a 1']);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('is not sent to a receiver without the incident', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.acknowledge(alert);
    expect(delivering.receiver().story).toEqual([]);
    expect(await delivering.rows('lanes')).toEqual([]);
  });

  it('has no withdrawal for a receiver whose API has none, and keeps the due time of its queue', async () => {
    const delivering = await withOpenIncident({ cannotUnacknowledge: true });
    await delivering.acknowledge(alert);
    await delivering.acknowledge(alert, 'unacknowledged');
    expect(delivering.receiver().story).toEqual(['acknowledged a 1']);
    expect(delivering.view()).toMatchObject({ depth: 0, failing: false });
  });

  it('is due since the operator made it', async () => {
    const delivering = await withOpenIncident();
    await delivering.clock.advance(3_600_000);
    delivering.receiver().defaultResponse = serverError;
    const { wall } = delivering.clock.now();
    await delivering.acknowledge(alert);
    expect(delivering.view()).toMatchObject({ oldestDue: wall, depth: 1 });
  });
});
