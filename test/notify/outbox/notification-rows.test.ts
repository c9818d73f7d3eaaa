import { describe, expect, it } from 'vitest';
import type { NotificationRecord } from '../../../src/model/delivery.ts';
import {
  notificationInsert,
  notificationRow,
  parseNotification,
} from '../../../src/notify/outbox/notification-rows.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';

const entry: NotificationRecord = {
  at: 5.6,
  receiver: 'one',
  key: 'a1b2c3d4e5f60718',
  episode: 3,
  severity: 'critical',
  labels: { alertname: 'GraphdbNodeUnreachable', cluster_name: 'prod', node: 'm1' },
  summary: 'm1 does not answer',
  action: 'trigger',
  result: 'deferred',
  queuedAt: 2.2,
  attempts: 7,
  reason: 'the receiver replied with status 503',
  status: 503,
  proof: '',
  nextAttemptAt: 9.1,
};

describe('row of the delivery log', () => {
  it('has whole milliseconds, the ID of the incident and the labels that are filters', () => {
    expect(notificationRow(entry)).toMatchObject({
      at: 6,
      queued_at: 2,
      next_attempt_at: 9,
      incident: 'a1b2c3d4e5f6-3',
      alertname: 'GraphdbNodeUnreachable',
      cluster: 'prod',
    });
  });

  it('is the same for each attempt of a notification with the same result', () => {
    const { id } = notificationRow(entry);
    expect(notificationRow({ ...entry, at: 100, attempts: 8 }).id).toBe(id);
    const others = [
      { receiver: 'two' },
      { key: 'b' },
      { episode: 4 },
      { action: 'resolve' },
      { result: 'accepted' },
      { queuedAt: 3 },
    ] as const;
    const ids = others.map((other) => notificationRow({ ...entry, ...other }).id);
    expect(new Set([id, ...ids]).size).toBe(7);
  });

  it('bounds number and length of the labels of a server', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`label_${at}`, 'x'.repeat(1000)]));
    const { labels } = notificationRow({ ...entry, labels: many });
    expect(String(labels).length).toBeLessThan(64 * 330);
    expect(Object.keys(parseNotification(notificationRow({ ...entry, labels: many }))?.labels ?? {})).toHaveLength(64);
  });

  it('is read as it was stored', async () => {
    const store = memoryStore();
    await store.commit([notificationInsert(entry)]);
    const rows = await store.find({ table: 'notifications' });
    const [row = {}] = rows.ok ? rows.value : [];
    expect(parseNotification(row)).toEqual({ ...entry, at: 6, queuedAt: 2, nextAttemptAt: 9 });
  });

  it.each([
    ['without columns', {}],
    ['with an unknown result', { ...notificationRow(entry), result: 'lost' }],
    ['with an invalid time', { ...notificationRow(entry), at: 'now' }],
  ])('%s is ignored', (_, row) => {
    expect(parseNotification(row)).toBeUndefined();
  });

  it('has no labels if theirs are unreadable', () => {
    expect(parseNotification({ ...notificationRow(entry), labels: '{' })?.labels).toEqual({});
    expect(parseNotification({ ...notificationRow(entry), labels: '{"a":1}' })?.labels).toEqual({});
  });
});
