import { expect, it } from 'vitest';
import { notificationSpan, type TracedNotification } from '../../src/trace/action-spans.ts';

const context = { traceId: 'a'.repeat(32), spanId: '1'.repeat(16) };
const notice: TracedNotification = {
  context,
  receiver: 'oncall-db',
  content: 'alerts',
  rules: ['disk_filling', 'node_unreachable'],
  started: { wall: 1_790_000_000_000, mono: 0 },
  ended: { wall: 1_790_000_000_300, mono: 300 },
  outcome: 'accepted',
  links: [context],
};

it('the span of a notification has its receiver, kind and result', () => {
  expect(notificationSpan(notice)).toEqual({
    ...context,
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
    links: [context],
  });
});

it('a rate limit is no error, because the notification is sent again', () => {
  const span = notificationSpan({ ...notice, content: 'alerts', rules: [], outcome: 'limited' });
  expect(span.attributes).toMatchObject({ 'graphwarden.outcome': 'limited', 'error.type': 'limited' });
  expect(span.error).toBe(undefined);
});

it.each(['unavailable', 'broken', 'refused'] as const)('an attempt that is %s is in error', (outcome) => {
  const span = notificationSpan({ ...notice, content: 'digest', rules: [], outcome });
  expect(span).toMatchObject({ error: outcome, attributes: { 'error.type': outcome } });
  expect('graphwarden.rules' in span.attributes).toBe(false);
});

it('notification span › has the HTTP attributes of its request, and the status of the reply as its error', () => {
  const request = { method: 'POST', url: 'https://hooks.example.org/REDACTED' };
  const attributes = {
    'http.request.method': 'POST',
    'url.full': 'https://hooks.example.org/REDACTED',
    'server.address': 'hooks.example.org',
    'server.port': 443,
  };
  const accepted = notificationSpan({ ...notice, request, status: 202 });
  expect(accepted.attributes).toMatchObject({ ...attributes, 'http.response.status_code': 202 });
  expect('error.type' in accepted.attributes).toBe(false);
  const refused = notificationSpan({ ...notice, outcome: 'refused', request, status: 400 });
  expect(refused).toMatchObject({ error: 'refused', attributes: { 'http.response.status_code': 400 } });
  expect(refused.attributes).toMatchObject({ ...attributes, 'error.type': '400', 'graphwarden.outcome': 'refused' });
  const late = notificationSpan({ ...notice, outcome: 'timeout', request });
  expect(late.attributes).toMatchObject({ ...attributes, 'error.type': 'timeout' });
  expect('http.response.status_code' in late.attributes).toBe(false);
});

it('notification span › has the server of a mail, and no HTTP attributes', () => {
  const { attributes } = notificationSpan({ ...notice, request: { url: 'smtps://[::1]:465' } });
  expect(attributes).toMatchObject({ 'server.address': '::1', 'server.port': 465 });
  expect(Object.keys(attributes).filter((name) => name.startsWith('http.'))).toEqual([]);
});
