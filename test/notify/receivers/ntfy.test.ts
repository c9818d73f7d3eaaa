import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/kernel/secret.ts';
import type { AlertsRequest, Detail } from '../../../src/notify/notifier.ts';
import { ntfy } from '../../../src/notify/receivers/ntfy.ts';
import { receivedAt } from '../../simulator/receivers/request-fixtures.ts';
import { alertsNotification, digestNotification, firingAlert, resolvedAlert } from '../../support/notifications.ts';
import { formatContext } from '../../support/receiver-settings.ts';
import { twinOf } from '../../support/simulated-receivers.ts';

const options = { url: 'https://ntfy.test/below', topic: 'graph' };
const context = { ...formatContext, options, secrets: { token: undefined } };

function messageOf(request: AlertsRequest, detail: Detail = 'full') {
  return JSON.parse(ntfy.format(request, { ...context, detail }).body);
}

describe('an ntfy message', () => {
  it('contains topic, title, text, priority, tags and the link of the incident', () => {
    expect(messageOf(alertsNotification(firingAlert()))).toEqual({
      topic: 'graph',
      title: 'FIRING critical: GPE_1#1 on m1 is down',
      message: [
        'It went down at 04:50.',
        'cluster_name=prod, node=m1, partition=1, replica=1, service_name=GPE',
        'since 2026-09-22 04:50:00 UTC (a1b2c3d4e5f6-3)',
      ].join('\n'),
      priority: 5,
      tags: ['rotating_light'],
      click: 'https://warden.example.org/alerts',
    });
  });

  it('is posted to the base URL, with the token if there is one', () => {
    const request = alertsNotification(firingAlert());
    expect(ntfy.format(request, context)).toMatchObject({ url: 'https://ntfy.test/below/', headers: {} });
    const { headers } = ntfy.format(request, { ...context, secrets: { token: new Secret('tk_1') } });
    expect(headers).toEqual({ authorization: 'Bearer tk_1' });
  });

  it.each([
    [[firingAlert()], 5, 'rotating_light'],
    [[firingAlert({ severity: 'warning' })], 4, 'warning'],
    [[firingAlert({ severity: 'info' })], 3, 'information_source'],
    [[resolvedAlert()], 3, 'white_check_mark'],
    [[resolvedAlert(), firingAlert({ severity: 'info' }), firingAlert({ severity: 'warning' })], 4, 'warning'],
  ])('has the priority of the most severe firing alert', (alerts, priority, tag) => {
    expect(messageOf(alertsNotification(...alerts))).toMatchObject({ priority, tags: [tag] });
  });

  it('has a low priority if it reports an acknowledgement', () => {
    const request = { ...alertsNotification(firingAlert()), acknowledgement: 'acknowledged' as const };
    expect(messageOf(request)).toMatchObject({ priority: 3, title: expect.stringMatching(/^ACKNOWLEDGED critical: /) });
  });

  it('has a line for each of several alerts', () => {
    const { title, message } = messageOf(alertsNotification(firingAlert(), resolvedAlert({ key: 'b'.repeat(32) })));
    expect(title).toBe('FIRING 1 critical, RESOLVED 1: GPE_1#1 on m1 is down (and 1 more)');
    expect(message.split('\n')).toEqual([
      'FIRING critical: GPE_1#1 on m1 is down (a1b2c3d4e5f6-3)',
      'RESOLVED critical after 3m: GPE_1#1 on m1 is down (bbbbbbbbbbbb-3)',
    ]);
  });

  it('names the incident of each alert of a full batch, within 4,096 bytes', () => {
    const annotations = { summary: '€'.repeat(900) };
    const alerts = Array.from({ length: ntfy.traits.maxBatch }, (_, at) =>
      firingAlert({ episode: at + 1, annotations }),
    );
    const { message } = messageOf(alertsNotification(...alerts));
    expect(new TextEncoder().encode(message).length).toBeLessThanOrEqual(4096);
    for (const { episode } of alerts) expect(message).toContain(`(a1b2c3d4e5f6-${episode})`);
  });

  it('contains no server text and no link in minimal form', () => {
    const message = messageOf(alertsNotification(firingAlert()), 'minimal');
    expect(message).toMatchObject({ title: 'FIRING critical: GraphdbServiceNotOnline prod' });
    expect(message.click).toBeUndefined();
  });

  it('can be a digest of missed incidents', () => {
    const body = ntfy.formatDigest?.(digestNotification(2), context).body ?? '';
    expect(JSON.parse(body)).toMatchObject({
      title: '2 incidents ended before their notifications were sent',
      priority: 3,
    });
  });
});

describe('simulated ntfy', () => {
  const twin = twinOf('ntfy');

  it('keeps a notification for each incident in the message', () => {
    const { body } = ntfy.format(alertsNotification(firingAlert(), firingAlert({ episode: 4 })), context);
    const { reply, kept } = twin.handle(body, receivedAt);
    expect([reply.status, kept.map(({ episode }) => episode)]).toEqual([200, ['a1b2c3d4e5f6-3', 'a1b2c3d4e5f6-4']]);
  });

  it('rejects an invalid priority and topic', () => {
    expect(twin.handle('{"topic":"t","priority":6}', receivedAt)).toMatchObject({ kept: [], reply: { status: 400 } });
    expect(twin.handle('{"topic":"a/b"}', receivedAt)).toMatchObject({ kept: [], reply: { status: 400 } });
  });
});
