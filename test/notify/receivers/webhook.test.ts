import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../../src/kernel/secret.ts';
import type { AlertsRequest, Detail } from '../../../src/notify/notifier.ts';
import { idempotencyKey, signature, webhook } from '../../../src/notify/receivers/webhook.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';
import { alertStart, alertsNotification, firingAlert, resolvedAlert } from '../../support/notifications.ts';
import { formatContext, receiverSettings } from '../../support/receiver-settings.ts';
import { portsOver } from './receiver-ports.ts';

const now = alertStart + 200_000;
const forever = new AbortController().signal;
const url = 'http://hook.test/x';

function bodyOf(request: AlertsRequest, detail: Detail = 'full'): string {
  const secrets = { url: new Secret(url), hmac_key: undefined };
  return webhook.format(request, { ...formatContext, name: 'hook', detail, options: {}, secrets }).body;
}

function openWith(secrets: Readonly<Record<string, string>>, pool: FakePool) {
  return webhook.open({ ...receiverSettings('webhook', {}, { url, ...secrets }), name: 'hook' }, '', portsOver(pool));
}

describe('the payload', () => {
  it('is that of Alertmanager, version 4', () => {
    const other = resolvedAlert({ key: 'other', labels: { ...firingAlert().labels, node: 'm2' } });
    const { node: _, ...sharedLabels } = firingAlert().labels;
    expect(JSON.parse(bodyOf(alertsNotification(firingAlert(), other)))).toEqual({
      version: '4',
      groupKey: '{}:{cluster_name="prod"}',
      truncatedAlerts: 0,
      status: 'firing',
      receiver: 'hook',
      groupLabels: { cluster_name: 'prod' },
      commonLabels: sharedLabels,
      commonAnnotations: firingAlert().annotations,
      externalURL: 'https://warden.example.org',
      alerts: [
        {
          status: 'firing',
          labels: firingAlert().labels,
          annotations: firingAlert().annotations,
          startsAt: '2026-09-22T04:50:00.000Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://warden.example.org/alerts',
          fingerprint: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
        },
        {
          status: 'resolved',
          labels: other.labels,
          annotations: firingAlert().annotations,
          startsAt: '2026-09-22T04:50:00.000Z',
          endsAt: '2026-09-22T04:53:00.000Z',
          generatorURL: 'https://warden.example.org/alerts',
          fingerprint: 'other',
        },
      ],
    });
  });

  it('is resolved if all alerts are', () => {
    expect(JSON.parse(bodyOf(alertsNotification(resolvedAlert())))).toMatchObject({
      status: 'resolved',
    });
  });

  it('has the same group key for any order of labels', () => {
    const request = alertsNotification(firingAlert());
    const keys = [
      { b: 'x"y', a: '1' },
      { a: '1', b: 'x"y' },
    ].map((group) => JSON.parse(bodyOf({ ...request, group })).groupKey);
    expect(keys).toEqual(['{}:{a="1", b="x\\"y"}', '{}:{a="1", b="x\\"y"}']);
  });

  it('has short texts in the short form', () => {
    const long = firingAlert({ annotations: { summary: 'x'.repeat(999), description: 'y' } });
    const { alerts } = JSON.parse(bodyOf(alertsNotification(long), 'short'));
    expect(alerts[0].annotations).toEqual({ summary: `${'x'.repeat(249)}…`, episode: '3' });
  });

  it('always contains the incident number', () => {
    const { alerts } = JSON.parse(bodyOf(alertsNotification(firingAlert({ annotations: {} }))));
    expect(alerts[0].annotations).toEqual({ episode: '3' });
  });
});

const request = alertsNotification(firingAlert());

function keyOf(given = request): string {
  return idempotencyKey(given, 'hook', digest);
}

describe('the idempotency key', () => {
  it('is the same for any order of alerts', () => {
    const two = alertsNotification(firingAlert(), resolvedAlert({ key: 'k' }));
    expect(keyOf({ ...two, alerts: two.alerts.toReversed() })).toBe(keyOf(two));
    const opened = { ...two, openedAt: [1, 2] };
    const reversed = { ...two, alerts: two.alerts.toReversed(), openedAt: [2, 1] };
    expect(keyOf(reversed)).toBe(keyOf(opened));
  });

  it('is that of an earlier version for an incident that it opened', () => {
    expect(keyOf({ ...request, openedAt: [undefined] })).toBe(keyOf());
  });

  it('differs by receiver, incident, status, reminder and opening', () => {
    const keys = [
      keyOf(),
      idempotencyKey(request, 'other', digest),
      keyOf(alertsNotification(firingAlert({ episode: 4 }))),
      keyOf(alertsNotification(resolvedAlert())),
      keyOf({ ...request, isReminder: true, due: now }),
      keyOf({ ...request, isReminder: true, due: now + 60_000 }),
      keyOf({ ...request, openedAt: [now] }),
      keyOf({ ...request, openedAt: [now + 1] }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the signature', () => {
  it('covers the time and the body', () => {
    const seconds = Math.floor(now / 1000);
    const expected = createHmac('sha256', 'the key').update(`${seconds}.the body`).digest('hex');
    expect(signature('the body', new Secret('the key'), now, digest)).toBe(`t=${seconds},v1=${expected}`);
  });

  it('is sent if a key is configured', async () => {
    const pool = new FakePool(['POST /x', answer('', 200)], ['POST /x', answer('', 200)]);
    await openWith({ hmac_key: 'the key' }, pool).send(request, 'full', now, forever);
    await openWith({}, pool).send(request, 'full', now, forever);
    const [signed, bare] = pool.requests;
    const key = idempotencyKey(request, 'hook', digest);
    expect(signed?.headers).toMatchObject({
      'idempotency-key': key,
      'x-graphwarden-signature': signature(signed?.body ?? '', new Secret('the key'), now, digest),
    });
    expect(bare?.headers['idempotency-key']).toBe(key);
    expect(Object.keys(bare?.headers ?? {})).not.toContain('x-graphwarden-signature');
  });

  it('accepts any body with a 2xx', async () => {
    const pool = new FakePool(['POST /x', answer('<html>thanks', 201, { 'content-type': 'text/html' })]);
    expect(await openWith({}, pool).send(request, 'full', now, forever)).toMatchObject({
      kind: 'accepted',
      status: 201,
    });
  });
});

it('a webhook accepts alerts only', () => {
  expect(webhook.traits).toMatchObject({ acceptsDigests: false, isLevelTriggered: false });
});
