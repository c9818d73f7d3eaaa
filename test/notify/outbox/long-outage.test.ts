import { describe, expect, it } from 'vitest';
import { type Severity, severities } from '../../../src/model/alert.ts';
import type { NotificationRequest, NotifierTraits, ReceiverResponse } from '../../../src/notify/notifier.ts';
import { numberOfRuns } from '../../support/campaign.ts';
import { DeliveryTestbed, firing, hour, serverError, unreachable } from '../delivery-testbed.ts';

const alertCount = 500;
const open = 60;

function severityOf(index: number): Severity {
  return severities[index % 3] ?? 'info';
}

/** Opens and resolves incidents during an outage of one day; the newest `open` of them stay open. */
async function longDay(
  answer: ReceiverResponse,
  traits: Partial<NotifierTraits>,
  events: number,
): Promise<DeliveryTestbed> {
  const delivering = await new DeliveryTestbed({ one: traits }).start();
  const { deliverer, clock, store } = delivering;
  delivering.receiver().defaultResponse = answer;
  const to = [{ receiver: 'one', group: {}, groupWait: 0 }];
  for (let event = 0; event < events / 2; event += 1) {
    const index = event % alertCount;
    const alert = firing(`place ${index}`, Math.floor(event / alertCount) + 1, severityOf(index));
    const now = clock.now();
    const began = deliverer.plan([{ kind: 'trigger', alert, isReminder: false, to, due: now.wall }], now);
    await store.commit(began.changes);
    began.release();
    if (event < events / 2 - open) {
      const over = { ...alert, status: 'resolved', endsAt: now.wall } as const;
      const ended = deliverer.plan([{ kind: 'resolve', alert: over, due: now.wall }], now);
      await store.commit(ended.changes);
      ended.release();
    }
    if (event % 100 === 99) await clock.advance((24 * hour * 200) / events);
  }
  return delivering;
}

function alertsOf(notification: NotificationRequest) {
  return notification.kind === 'alerts' ? notification.alerts : [];
}

/** Returns the keys of the resolved incidents in the requests from `from` on, which skips requests from before the outage. */
function pagedForNothing(delivering: DeliveryTestbed, from: number): readonly string[] {
  const reported = delivering
    .receiver()
    .sent.slice(from)
    .flatMap(({ request }) => alertsOf(request));
  return reported.filter(({ status }) => status === 'resolved').map(({ key }) => key);
}

const many = numberOfRuns({ short: 5000, campaign: 100_000 });
const some = numberOfRuns({ short: 2000, campaign: 20_000 });

describe(`one-day outage of a receiver with ${many} events`, () => {
  it.each([
    ['unreachable', unreachable, many],
    ['failing', serverError, some],
  ])('ends with one digest and the open incidents by severity if it was %s', async (_, answer, events) => {
    const delivering = await longDay(answer, { maxBatch: 1, minInterval: 1000 }, events);
    const rows = await delivering.rows('lanes');
    expect(rows.length).toBeLessThan(alertCount + 2);
    expect(JSON.stringify(rows).length).toBeLessThan(1_000_000);
    expect((await delivering.rows('notifications')).length).toBeLessThan(events / 2);
    const before = delivering.receiver().sent.length;
    delivering.receiver().defaultResponse = { kind: 'accepted' };
    await delivering.clock.advance(hour);
    const story = delivering.receiver().story.slice(before);
    const [digest, ...triggers] = delivering.receiver().sent.slice(before);
    expect(digest?.request).toMatchObject({ kind: 'digest', since: expect.any(Number) });
    expect(digest?.request.kind === 'digest' && digest.request.count).toBeGreaterThan(events / 2 - open - 10);
    expect(story.filter((line) => line.startsWith('digest'))).toHaveLength(1);
    const ranks = triggers
      .flatMap(({ request }) => alertsOf(request))
      .map(({ severity }) => severities.indexOf(severity));
    expect(ranks.filter((rank, at) => at > 0 && rank < (ranks[at - 1] ?? 0)).length).toBeLessThan(2);
    expect(triggers.filter(({ request }) => alertsOf(request)[0]?.status === 'firing').length).toBeGreaterThanOrEqual(
      open,
    );
    expect(pagedForNothing(delivering, before).length).toBeLessThan(5);
    expect(delivering.view()).toMatchObject({ depth: 0, parked: 0, failing: false });
  });

  it('respects the rate limit of a receiver without digests and sends no resolved incident', async () => {
    const delivering = await longDay(unreachable, { maxBatch: 1, maxPerMinute: 20, acceptsDigests: false }, some);
    const before = delivering.receiver().sent.length;
    delivering.receiver().defaultResponse = { kind: 'accepted' };
    await delivering.clock.advance(hour);
    const got = delivering.receiver().sent.slice(before);
    for (const { at } of got)
      expect(got.filter((other) => other.at >= at && other.at < at + 60_000).length).toBeLessThan(21);
    expect(got.every(({ request }) => request.kind === 'alerts')).toBe(true);
    const reported = new Set(got.flatMap(({ request }) => alertsOf(request)).map(({ key }) => key));
    expect(reported.size).toBeGreaterThanOrEqual(open);
    expect(pagedForNothing(delivering, before).length).toBeLessThan(15);
    expect(delivering.view()).toMatchObject({ depth: 0, failing: false });
  });
});
