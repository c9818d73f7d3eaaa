import { describe, expect, it } from 'vitest';
import { NotificationTraces } from '../../../src/app/tracing/self-traces.ts';
import type { Alert } from '../../../src/model/alert.ts';
import type { NotificationRequest, Notifier, ReceiverResponse } from '../../../src/notify/notifier.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { firing } from '../../notify/delivery-testbed.ts';
import { neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { RecordedSpans } from '../../support/recorded-spans.ts';

const accepted: ReceiverResponse = { kind: 'accepted', but: 'canary' };
const abort = { traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) };
const contextOf = (alert: Alert) => {
  return {
    traceId: `${alert.key}${alert.episode}`.padStart(32, 'a'),
    spanId: `${alert.key}${alert.episode}`.padStart(16, 'b'),
  };
};

/** Traces of notifications to a receiver that gives these responses. The traces are not sampled. */
function setup(...answers: readonly ReceiverResponse[]) {
  const clock = new FakeClock();
  const recordedSpans = new RecordedSpans(() => false);
  const traces = new NotificationTraces({
    clock,
    random: seededRandom(1),
    spans: recordedSpans,
    digest,
    aborts: { abortOf: ({ labels }) => (labels.request_id === 'q' ? abort : undefined) },
    incidents: undefined,
    causes: (alert) => [contextOf(alert)],
  });
  const script = [...answers];
  const calls: unknown[] = [];
  const reported: Notifier = {
    traits: { maxBatch: 1, minInterval: 0, acceptsDigests: true, isLevelTriggered: false },
    send: async (...given) => {
      calls.push(given);
      await clock.advance(25);
      return script.shift() ?? expect.fail('more notifications than expected');
    },
    recipient: async () => 'someone',
    close: async () => void calls.push('close'),
  };
  const notifier = traces.trace('oncall', reported);
  const trigger = (alert: Alert, isReminder = false) =>
    traces.onNotification({ kind: 'trigger', alert, isReminder, to: [], due: 0 });
  const send = (notification: NotificationRequest) => notifier.send(notification, 'full', 7, neverAborted());
  return { recordedSpans: recordedSpans, traces, reported, notifier, calls, trigger, send };
}

const notificationsOf = (...alerts: readonly Alert[]): NotificationRequest => ({
  kind: 'alerts',
  group: {},
  alerts,
  isReminder: false,
});

describe('a traced notification', () => {
  it('is sent like one without a trace', async () => {
    const { notifier, reported, calls, send } = setup(accepted);
    expect(notifier.traits).toBe(reported.traits);
    const notification = notificationsOf(firing('a'));
    expect(await send(notification)).toBe(accepted);
    expect(calls).toMatchObject([[notification, 'full', 7, expect.any(AbortSignal)]]);
    expect(await notifier.recipient()).toBe('someone');
    await notifier.close();
    expect(calls.at(-1)).toBe('close');
  });

  it('is a span with one link to the cause of each alert', async () => {
    const { recordedSpans, trigger, send } = setup(accepted);
    trigger(firing('a'));
    trigger(firing('b'));
    await send(notificationsOf(firing('a'), firing('b'), firing('a'), firing('c')));
    expect(recordedSpans.spans).toMatchObject([
      { name: 'notify oncall', links: [contextOf(firing('a')), contextOf(firing('b'))] },
    ]);
    const [span = expect.fail()] = recordedSpans.spans;
    expect(span.end - span.start).toBe(25);
    expect(span.attributes['graphwarden.rules']).toBe('rule');
    expect(JSON.stringify(recordedSpans.spans)).not.toContain('canary');
    expect(JSON.stringify(recordedSpans.spans)).not.toContain('is wrong');
  });

  it('links to the abort that it reports', async () => {
    const { recordedSpans, send } = setup(accepted);
    const aborted = { ...firing('a'), rule: 'query_aborted', labels: { cluster_name: 'prod', request_id: 'q' } };
    await send(notificationsOf(aborted, firing('b')));
    expect(recordedSpans.spans[0]?.links).toEqual([abort]);
  });

  it('has the request and the status of the reply, and the timeout as its own outcome', async () => {
    const request = { method: 'POST', url: 'http://a.test:8080/REDACTED' };
    const late: ReceiverResponse = { kind: 'unavailable', answered: false, timedOut: true, message: 'canary', request };
    const { recordedSpans, send } = setup({ ...accepted, status: 202, request }, late);
    await send(notificationsOf(firing('a')));
    await send(notificationsOf(firing('a')));
    const common = { 'http.request.method': 'POST', 'server.address': 'a.test', 'server.port': 8080 };
    expect(recordedSpans.spans).toMatchObject([
      { kind: 'client', attributes: { ...common, 'http.response.status_code': 202 } },
      { error: 'timeout', attributes: { ...common, 'error.type': 'timeout', 'graphwarden.outcome': 'timeout' } },
    ]);
  });

  it('is a span for each attempt, failed or not, also of digests', async () => {
    const broken: ReceiverResponse = { kind: 'broken', message: 'canary' };
    const { recordedSpans, trigger, send } = setup(broken, accepted);
    trigger(firing('a'));
    await send(notificationsOf(firing('a')));
    const missed = [{ key: 'a', episode: 1, summary: 'canary', severity: 'info', startsAt: 0, endsAt: 1 }] as const;
    await send({ kind: 'digest', missed, count: 1, open: 0 });
    expect(
      recordedSpans.spans.map(({ error, links, attributes }) => [
        error,
        links.length,
        attributes['graphwarden.notification'],
      ]),
    ).toEqual([
      ['broken', 1, 'alerts'],
      ['partial', 1, 'digest'],
    ]);
    expect(JSON.stringify(recordedSpans.spans)).not.toContain('canary');
  });
});

describe('the cause of an alert', () => {
  it('is the one from its start until the resolve is sent, separately for each incident', async () => {
    const { recordedSpans, traces, trigger, send } = setup(accepted, accepted);
    trigger(firing('a', 1));
    trigger(firing('a', 2));
    trigger(firing('c'), true);
    for (const kind of ['suppress', 'relabel'] as const) traces.onNotification({ kind, alert: firing('c'), due: 0 });
    await send(notificationsOf(firing('a', 2), firing('c')));
    expect(recordedSpans.spans[0]?.links).toEqual([contextOf(firing('a', 2))]);
    traces.onNotification({ kind: 'resolve', alert: { ...firing('c'), status: 'resolved', endsAt: 1 }, due: 0 });
    await send(notificationsOf(firing('c')));
    expect(recordedSpans.spans[1]?.links).toEqual([contextOf(firing('c'))]);
  });

  it('is not kept permanently, and has a limited number of links', async () => {
    const { recordedSpans, trigger, send } = setup(accepted, accepted);
    for (let episode = 1; episode <= 1001; episode += 1) trigger(firing('a', episode));
    await send(notificationsOf(firing('a', 1)));
    expect(recordedSpans.spans[0]?.links).toEqual([]);
    await send(notificationsOf(...Array.from({ length: 100 }, (_, at) => firing('a', at + 2))));
    expect(recordedSpans.spans[1]?.links).toHaveLength(16);
  });
});
