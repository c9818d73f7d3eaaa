import { expect, it } from 'vitest';
import { notificationSpan, type TracedNotification } from '../../src/trace/action-spans.ts';

const place = { traceId: 'a'.repeat(32), spanId: '1'.repeat(16) };
const notice: TracedNotification = {
  place,
  receiver: 'oncall-db',
  notificationId: 'alerts',
  rules: ['disk_filling', 'node_unreachable'],
  started: { wall: 1_790_000_000_000, mono: 0 },
  ended: { wall: 1_790_000_000_300, mono: 300 },
  outcome: 'accepted',
  links: [place],
};

it('the span of a notification has its receiver, kind and result', () => {
  expect(notificationSpan(notice)).toEqual({
    ...place,
    name: 'notify oncall-db',
    kind: 'client',
    start: 1_790_000_000_000,
    end: 1_790_000_000_300,
    attributes: {
      'graphwarden.receiver': 'oncall-db',
      'graphwarden.notification': 'alerts',
      'graphwarden.outcome': 'accepted',
      'graphwarden.rules': 'disk_filling,node_unreachable',
    },
    events: [],
    links: [place],
  });
});

it('a rate limit is no error, because the notification is sent again', () => {
  const span = notificationSpan({ ...notice, notificationId: 'alerts', rules: [], outcome: 'limited' });
  expect(span.attributes).toMatchObject({ 'graphwarden.outcome': 'limited', 'error.type': 'limited' });
  expect(span.error).toBe(undefined);
});

it.each(['unavailable', 'broken', 'refused'] as const)('an attempt that is %s is in error', (outcome) => {
  const span = notificationSpan({ ...notice, notificationId: 'digest', rules: [], outcome });
  expect(span).toMatchObject({ error: outcome, attributes: { 'error.type': outcome } });
  expect('graphwarden.rules' in span.attributes).toBe(false);
});
