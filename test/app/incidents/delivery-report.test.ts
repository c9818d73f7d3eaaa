import { describe, expect, it } from 'vitest';
import { describeDelivery, reportDelivery, reportNotification } from '../../../src/app/incidents/delivery-report.ts';
import type { IncidentDelivery, NotificationRecord } from '../../../src/model/delivery.ts';

const at = Date.parse('2026-01-31T12:00:00Z');
const delivery: IncidentDelivery = { receiver: 'chat', state: 'accepted', action: 'trigger', attempts: 0, reason: '' };
const failure = { attempts: 2, reason: 'the receiver replied with status 503', status: 503 };

describe('description of a delivery', () => {
  it.each<[string, Partial<IncidentDelivery>]>([
    ['chat accepted the trigger 11:59:00 UTC', { acceptedAt: at - 60_000 }],
    ['chat accepted the resolve 2026-01-29 12:00:00 UTC', { action: 'resolve', acceptedAt: at - 2 * 86_400_000 }],
    ['chat accepted the trigger', {}],
    ['chat accepted the trigger, but the mail server rejected a@b', { reason: 'the mail server rejected a@b' }],
    [
      'chat: trigger pending since 11:59:00 UTC: the receiver replied with status 503, next attempt 12:00:10 UTC',
      { ...failure, state: 'pending', queuedAt: at - 60_000, nextAttemptAt: at + 10_000 },
    ],
    [
      'chat accepted 11:00:00 UTC; reminder pending since 11:59:00 UTC',
      { state: 'pending', action: 'remind', acceptedAt: at - 3_600_000, queuedAt: at - 60_000 },
    ],
    [
      'chat: trigger parked since 11:59:00 UTC: the receiver replied with status 503',
      { ...failure, state: 'parked', queuedAt: at - 60_000 },
    ],
    ['chat: trigger withdrawn: the incident ended', { state: 'withdrawn', reason: 'the incident ended' }],
  ])('is «%s»', (text, more) => {
    expect(describeDelivery(reportDelivery({ ...delivery, ...more }), at)).toBe(text);
  });
});

describe('entry of the delivery log', () => {
  const entry: NotificationRecord = {
    at,
    receiver: 'chat',
    key: 'a1b2c3d4e5f60718',
    episode: 3,
    severity: 'critical',
    labels: { alertname: 'GraphdbNodeUnreachable', cluster_name: 'prod' },
    summary: 'm1 does not answer',
    action: 'trigger',
    result: 'accepted',
    queuedAt: at - 1000,
    attempts: 1,
    reason: '',
    status: 202,
    proof: 'ok',
  };

  it('has the time of acceptance only if it was accepted', () => {
    expect(reportNotification(entry)).toMatchObject({
      at: '2026-01-31T12:00:00.000Z',
      queuedAt: '2026-01-31T11:59:59.000Z',
      acceptedAt: '2026-01-31T12:00:00.000Z',
      incident: 'a1b2c3d4e5f6-3',
      alertname: 'GraphdbNodeUnreachable',
      cluster: 'prod',
      status: 202,
      proof: 'ok',
    });
    expect(reportNotification({ ...entry, result: 'parked' }).acceptedAt).toBeNull();
  });

  it('has no incident and no cluster if it is about a digest', () => {
    const digest = { ...entry, key: '', episode: 0, labels: {}, severity: '', action: 'digest' } as const;
    expect(reportNotification(digest)).toMatchObject({ incident: '', alertname: '', cluster: '' });
  });
});
