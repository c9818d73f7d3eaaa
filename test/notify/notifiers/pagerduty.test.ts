import { describe, expect, it } from 'vitest';
import { createSecretReader } from '../../../src/graphdb/secret-reader.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import type { Alert } from '../../../src/model/alert.ts';
import { formatPagerduty, openPagerduty, pagerdutyTraits } from '../../../src/notify/notifiers/pagerduty.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';
import { alertOf, alertsLetter, resolvedOf } from '../../support/letters.ts';

const routingKey = new Secret('0123456789abcdef0123456789abcdef');
const dedupKey = 'a1b2c3d4e5f60718293a4b5c6d7e8f90-3';

function read(alert: Alert, detail: 'full' | 'short' | 'minimal' = 'full'): Record<string, unknown> {
  return JSON.parse(formatPagerduty(alert, detail, routingKey));
}

describe('an event for PagerDuty', () => {
  it('opens an incident under a key that is ours', () => {
    expect(read(alertOf())).toEqual({
      routing_key: '0123456789abcdef0123456789abcdef',
      event_action: 'trigger',
      dedup_key: dedupKey,
      payload: {
        summary: 'GPE 1#1 on m1 is down',
        source: 'm1',
        severity: 'critical',
        timestamp: '2026-09-22T04:50:00.000Z',
        component: 'GPE',
        group: 'prod',
        class: 'service_not_online',
        custom_details: { ...alertOf().labels, ...alertOf().annotations },
      },
      links: [
        { href: 'https://example.org/runbook#service_not_online', text: 'What to do' },
        { href: 'https://warden.example.org/', text: 'State of the cluster' },
      ],
      client: 'graphwarden',
      client_url: 'https://warden.example.org/alerts',
    });
  });

  it('closes it under the same key, and says nothing else', () => {
    expect(read(resolvedOf())).toEqual({
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
  ])('always has a source: %j', (labels, source) => {
    expect(read(alertOf({ labels }))).toMatchObject({ payload: { source } });
  });

  it.each(['critical', 'warning', 'info'] as const)('keeps the severity %s', (severity) => {
    expect(read(alertOf({ severity }))).toMatchObject({ payload: { severity } });
  });

  it('stays within the limits, whatever a label or a text holds', () => {
    const huge = alertOf({
      key: 'k'.repeat(500),
      labels: { node: 'n'.repeat(3000), service_name: 's'.repeat(3000) },
      annotations: { summary: '😀'.repeat(3000), description: 'd'.repeat(100_000) },
    });
    const body = formatPagerduty(huge, 'full', routingKey);
    const { dedup_key: key, payload } = JSON.parse(body);
    expect(key.length).toBeLessThanOrEqual(255);
    expect(payload.summary.length).toBeLessThanOrEqual(1024);
    expect(payload.summary.isWellFormed()).toBe(true);
    expect(payload.source).toHaveLength(255);
    expect(payload.component).toHaveLength(255);
    expect(body.length).toBeLessThan(20_000);
  });

  it('that would be too large leaves its details out by itself', () => {
    const labels = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`label_${at}`, 'ü'.repeat(4096)]));
    const body = formatPagerduty(alertOf({ labels }), 'full', routingKey);
    expect(new TextEncoder().encode(body).length).toBeLessThan(512 * 1024);
    expect(JSON.parse(body).payload).toMatchObject({ summary: expect.any(String), custom_details: { episode: '3' } });
  });

  it('has no links that are no addresses, and no empty fields', () => {
    const event = read(alertOf({ annotations: {}, generatorUrl: '/x', labels: { node: 'm1' } }));
    expect(Object.keys(event)).not.toContain('links');
    expect(Object.keys(event)).not.toContain('client_url');
    expect(Object.keys(Object(event.payload))).not.toContain('component');
  });

  it('after a refusal has no details but the episode, at last no text of others', () => {
    const payload = { source: 'm1', severity: 'critical', timestamp: '2026-09-22T04:50:00.000Z' };
    const details = { custom_details: { episode: '3' } };
    expect(read(alertOf(), 'short').payload).toEqual({ ...payload, ...details, summary: 'GPE 1#1 on m1 is down' });
    expect(read(alertOf(), 'minimal').payload).toEqual({
      ...payload,
      ...details,
      summary: 'GraphdbServiceNotOnline prod',
    });
  });
});

describe('the way to PagerDuty', () => {
  const now = 0;
  const forever = new AbortController().signal;
  const reader = createSecretReader({ value: routingKey }, new FakeFiles());

  it('goes to the address as configured, with its path', async () => {
    const pool = new FakePool(['POST /below/v2/enqueue', answer({ status: 'success' }, 202)]);
    const notifier = openPagerduty('http://proxy.test/below', reader, () => pool);
    expect(await notifier.send(alertsLetter(alertOf()), 'full', now, forever)).toEqual({
      kind: 'accepted',
    });
  });

  it('sends a reminder under the key of its incident: it opens no other', async () => {
    const pool = new FakePool(['POST /v2/enqueue', answer('', 202)]);
    const notifier = openPagerduty('http://pd.test', reader, () => pool);
    await notifier.send({ ...alertsLetter(alertOf()), again: true }, 'full', now, forever);
    expect(JSON.parse(pool.requests[0]?.body ?? '')).toMatchObject({ event_action: 'trigger', dedup_key: dedupKey });
  });

  it('takes one incident at a time, and hands more back to be split', async () => {
    const notifier = openPagerduty('http://pd.test', reader, () => new FakePool());
    const two = alertsLetter(alertOf(), alertOf({ episode: 4 }));
    expect(await notifier.send(two, 'full', now, forever)).toMatchObject({ kind: 'refused' });
    expect(await notifier.send(alertsLetter(), 'full', now, forever)).toMatchObject({ kind: 'refused' });
  });

  it('stays below what PagerDuty lets through', () => {
    expect(pagerdutyTraits).toMatchObject({ batch: 1, perMinute: 100, takesDigests: false });
    expect(pagerdutyTraits.wakesPeople).toBe(true);
  });
});
