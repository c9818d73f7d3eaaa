import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/model/alert.ts';
import { afterAttempt, newQueuedIncident, pendingAction } from '../../../src/notify/outbox/queued-incident.ts';
import { accepted, DeliveryTestbed, firing, limited, refused } from '../delivery-testbed.ts';

/** The alert after so many changes. */
function changed(revision: number, more: Partial<Alert> = {}): Alert {
  return { ...firing('a'), revision, ...more };
}

describe('update of an incident', () => {
  it('is sent immediately, with the same key and number, in a separate request', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().take();
    const effects = { count: 1, listed: [{ rule: 'r', severity: 'critical', summary: 's', startsAt: 1 }] } as const;
    await delivering.update(changed(1, { effects }));
    expect(delivering.receiver().sent).toMatchObject([
      { request: { isUpdate: true, isReminder: false, alerts: [{ key: 'a', episode: 1, revision: 1, effects }] } },
    ]);
    await delivering.clock.advance(600_000);
    expect(delivering.receiver().story).toEqual(['update a 1']);
    expect(await delivering.rows('notifications')).toMatchObject([{ action: 'trigger' }, { action: 'update' }]);
  });

  it('replaces the content of a trigger that is not accepted yet', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    delivering.receiver().queuedResponses.push({ ...limited, wait: 60_000 });
    await delivering.trigger(firing('a'));
    delivering.receiver().take();
    await delivering.update(changed(2, { severity: 'warning' }));
    await delivering.clock.advance(60_000);
    expect(delivering.receiver().sent).toMatchObject([{ request: { alerts: [{ revision: 2, severity: 'warning' }] } }]);
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });

  it('is sent after a restart, with everything that it contains', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().queuedResponses.push({ ...limited, wait: 60_000 });
    const alert = changed(1, {
      formerCause: { rule: 'r', summary: 's', startsAt: 1, endsAt: 2 },
      formerLabels: [{ labels: { severity: 'warning' } }, { labels: { severity: 'info' }, endsAt: 5 }],
      effects: { count: 40, listed: [] },
    });
    await delivering.update(alert);
    delivering.receiver().take();
    await delivering.restart();
    expect(delivering.receiver().sent).toMatchObject([{ request: { isUpdate: true, alerts: [alert] } }]);
  });

  it('opens the incident at a receiver that has not accepted it', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.update(changed(1));
    await delivering.clock.advance(30_000);
    expect(delivering.receiver().story).toEqual(['trigger a 1']);
  });

  it('is sent to a receiver that a reload renames before the update is due', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().take();
    // Alerting regards the new name as a new receiver.
    await delivering.trigger(changed(1));
    expect(delivering.receiver().sent).toMatchObject([{ request: { isUpdate: true, alerts: [{ revision: 1 }] } }]);
    await delivering.trigger(changed(2), { again: true });
    expect(delivering.receiver().story).toEqual(['update a 1', 'again a 1']);
  });

  it('is not sent after the resolve', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().queuedResponses.push({ ...limited, wait: 60_000 });
    await delivering.update(changed(1));
    await delivering.resolve(changed(1));
    delivering.receiver().take();
    await delivering.clock.advance(60_000);
    expect(delivering.receiver().story).toEqual(['resolve a 1']);
  });

  it('is dropped if the receiver rejects it in each form', async () => {
    const delivering = await new DeliveryTestbed({ one: {} }).start();
    await delivering.trigger(firing('a'));
    delivering.receiver().defaultResponse = refused;
    await delivering.update(changed(1));
    delivering.receiver().defaultResponse = accepted;
    await delivering.clock.advance(600_000);
    expect(delivering.receiver().sent.map(({ detail }) => detail)).toEqual(['full', 'full', 'short', 'minimal']);
    expect(delivering.view()).toMatchObject({ depth: 0, parked: 0 });
  });
});

it('update of an incident › follows a request during which the alert changed again', () => {
  const now = { wall: 1000, mono: 1000 };
  const to = { receiver: 'one', group: {}, groupWait: 0 };
  const episode = { ...newQueuedIncident(changed(3), to, 700, now), deliveryState: 'maybe' as const };
  const old = { action: 'trigger', before: 'no', revision: 2 } as const;
  expect(pendingAction(afterAttempt(episode, old, { kind: 'accepted' }, now))).toBe('update');
  expect(pendingAction(afterAttempt(episode, { ...old, revision: 3 }, { kind: 'accepted' }, now))).toBeUndefined();
});
