import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Secret } from '../../../src/kernel/secret.ts';
import type { Alert } from '../../../src/model/alert.ts';
import type { Detail } from '../../../src/notify/notifier.ts';
import { pagerduty } from '../../../src/notify/receivers/pagerduty.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';
import { alertsNotification, firingAlert, resolvedAlert } from '../../support/notifications.ts';
import { formatContext, receiverSettings } from '../../support/receiver-settings.ts';
import { portsOver } from './receiver-ports.ts';

const routingKey = '0123456789abcdef0123456789abcdef';
const dedupKey = 'a1b2c3d4e5f60718293a4b5c6d7e8f90-3';

function bodyOf(alert: Alert, detail: Detail = 'full'): string {
  const secrets = { routing_key: new Secret(routingKey) };
  const context = { ...formatContext, detail, options: { url: 'http://pd.test' }, secrets };
  return pagerduty.format(alertsNotification(alert), context).body;
}

function read(alert: Alert, detail: Detail = 'full'): Record<string, unknown> {
  return JSON.parse(bodyOf(alert, detail));
}

describe('a PagerDuty event', () => {
  it('opens an incident with a key of graphwarden', () => {
    expect(read(firingAlert())).toEqual({
      routing_key: '0123456789abcdef0123456789abcdef',
      event_action: 'trigger',
      dedup_key: dedupKey,
      payload: {
        summary: 'GPE_1#1 on m1 is down',
        source: 'm1',
        severity: 'critical',
        timestamp: '2026-09-22T04:50:00.000Z',
        component: 'GPE',
        group: 'prod',
        class: 'service_not_online',
        custom_details: { ...firingAlert().labels, ...firingAlert().annotations },
      },
      links: [
        { href: 'https://warden.example.org/alerts', text: 'Incident' },
        { href: 'https://example.org/runbook#service_not_online', text: 'Runbook' },
        { href: 'https://warden.example.org/', text: 'Dashboard' },
      ],
      client: 'graphwarden',
      client_url: 'https://warden.example.org/alerts',
    });
  });

  it('acknowledges with the same key and no other field', () => {
    const secrets = { routing_key: new Secret(routingKey) };
    const context = { ...formatContext, detail: 'full' as const, options: { url: 'http://pd.test' }, secrets };
    const request = { ...alertsNotification(firingAlert()), acknowledgement: 'acknowledged' } as const;
    expect(JSON.parse(pagerduty.format(request, context).body)).toEqual({
      routing_key: routingKey,
      event_action: 'acknowledge',
      dedup_key: dedupKey,
    });
  });

  it('resolves with the same key and no other field', () => {
    expect(read(resolvedAlert())).toEqual({
      routing_key: '0123456789abcdef0123456789abcdef',
      event_action: 'resolve',
      dedup_key: dedupKey,
    });
  });

  it.each([
    [{ node: 'm1', host_id: 'h1', cluster_name: 'c' }, 'm1'],
    [{ node: '', host_id: 'h1', cluster_name: 'c' }, 'h1'],
    [{ cluster_name: 'c' }, 'c'],
    [{ receiver: 'chat' }, 'graphwarden'],
  ])('has a source for the labels %j', (labels, source) => {
    expect(read(firingAlert({ labels }))).toMatchObject({ payload: { source } });
  });

  it.each(['critical', 'warning', 'info'] as const)('has the severity %s', (severity) => {
    expect(read(firingAlert({ severity }))).toMatchObject({ payload: { severity } });
  });

  it('stays within the limits for labels and texts of any length', () => {
    const huge = firingAlert({
      key: 'k'.repeat(500),
      labels: { node: 'n'.repeat(3000), service_name: 's'.repeat(3000) },
      annotations: { summary: '😀'.repeat(3000), description: 'd'.repeat(100_000) },
    });
    const body = bodyOf(huge);
    const { dedup_key: key, payload } = JSON.parse(body);
    expect(key.length).toBeLessThanOrEqual(255);
    expect(payload.summary.length).toBeLessThanOrEqual(1024);
    expect(payload.summary.isWellFormed()).toBe(true);
    expect(payload.source).toHaveLength(255);
    expect(payload.component).toHaveLength(255);
    expect(body.length).toBeLessThan(20_000);
  });

  it.each([
    ['ASCII', 'x'],
    ['two bytes', 'ü'],
    ['three bytes', '字'],
    ['four bytes', '😀'],
  ])('has a summary of up to 1,024 characters, %s', (_, character) => {
    const summaryOf = (summary: string) => {
      const { payload } = z
        .object({ payload: z.object({ summary: z.string() }) })
        .parse(read(firingAlert({ annotations: { summary } })));
      return payload.summary;
    };
    const longest = character.repeat(1024 / character.length);
    expect(summaryOf(longest)).toBe(longest);
    const cut = summaryOf(`${longest}x`);
    expect([cut.length <= 1024, cut.endsWith('…'), cut.isWellFormed()]).toEqual([true, true, true]);
  });

  it('has a dedup_key of up to 255 characters that differs between incidents of a long key', () => {
    const keyOf = (episode: number) => String(read(firingAlert({ key: '字'.repeat(300), episode })).dedup_key);
    expect(keyOf(Number.MAX_SAFE_INTEGER).length).toBeLessThanOrEqual(255);
    expect(keyOf(1)).not.toBe(keyOf(2));
  });

  it.each(['x', 'ü', '字', '😀'])(
    'of any size is accepted by the simulated API, with details of %s up to its limit',
    (character) => {
      const { simulated } = pagerduty;
      const detailsAt = (count: number) => {
        const labels = Object.fromEntries(
          Array.from({ length: count }, (_, at) => [`label_${at}`, character.repeat(4096 / character.length)]),
        );
        const body = bodyOf(firingAlert({ labels }));
        expect(simulated?.handle(body, 0).reply.status).toBe(202);
        return body.includes('label_0');
      };
      const bytes = new TextEncoder().encode(character.repeat(4096 / character.length)).length;
      const fitting = Math.floor((500 * 1024) / (bytes + 30)) - 2;
      expect([detailsAt(fitting), detailsAt(fitting + 8)]).toEqual([true, false]);
    },
  );

  it('omits its details if it would be too large', () => {
    const labels = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`label_${at}`, 'ü'.repeat(4096)]));
    const body = bodyOf(firingAlert({ labels }));
    expect(new TextEncoder().encode(body).length).toBeLessThan(512 * 1024);
    expect(JSON.parse(body).payload).toMatchObject({ summary: expect.any(String), custom_details: { episode: '3' } });
  });

  it('has no links without an address and no empty fields', () => {
    const event = read(firingAlert({ annotations: {}, generatorUrl: '/x', labels: { node: 'm1' } }));
    expect(Object.keys(event)).not.toContain('links');
    expect(Object.keys(event)).not.toContain('client_url');
    expect(Object.keys(Object(event.payload))).not.toContain('component');
  });

  it('in short form contains the incident number only, in minimal form no server text', () => {
    const payload = { source: 'm1', severity: 'critical', timestamp: '2026-09-22T04:50:00.000Z' };
    const details = { custom_details: { episode: '3' } };
    expect(read(firingAlert(), 'short').payload).toEqual({ ...payload, ...details, summary: 'GPE_1#1 on m1 is down' });
    expect(read(firingAlert(), 'minimal').payload).toEqual({
      ...payload,
      ...details,
      summary: 'GraphdbServiceNotOnline prod',
    });
  });
});

describe('the PagerDuty receiver', () => {
  const now = 0;
  const forever = new AbortController().signal;
  const openAt = (url: string, pool: FakePool) =>
    pagerduty.open(receiverSettings('pagerduty', { url }, { routing_key: routingKey }), '', portsOver(pool));

  it('posts to the configured address with its path', async () => {
    const pool = new FakePool(['POST /below/v2/enqueue', answer({ status: 'success' }, 202)]);
    const notifier = openAt('http://proxy.test/below', pool);
    const sent = await notifier.send(alertsNotification(firingAlert()), 'full', now, forever);
    expect(sent).toMatchObject({ kind: 'accepted', status: 202, proof: '{"status":"success"}' });
  });

  it('sends a reminder with the key of its incident, which opens no other', async () => {
    const pool = new FakePool(['POST /v2/enqueue', answer('', 202)]);
    const reminder = { ...alertsNotification(firingAlert()), isReminder: true };
    await openAt('http://pd.test', pool).send(reminder, 'full', now, forever);
    expect(JSON.parse(pool.requests[0]?.body ?? '')).toMatchObject({ event_action: 'trigger', dedup_key: dedupKey });
  });

  it('rejects more or less than one incident', async () => {
    const notifier = openAt('http://pd.test', new FakePool());
    const two = alertsNotification(firingAlert(), firingAlert({ episode: 4 }));
    expect(await notifier.send(two, 'full', now, forever)).toMatchObject({ kind: 'refused' });
    expect(await notifier.send(alertsNotification(), 'full', now, forever)).toMatchObject({ kind: 'refused' });
  });

  it('stays below the rate limit of PagerDuty', () => {
    expect(pagerduty.traits).toMatchObject({ maxBatch: 1, maxPerMinute: 100, acceptsDigests: false, isPager: true });
  });
});
