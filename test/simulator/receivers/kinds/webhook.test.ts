import { expect, it } from 'vitest';
import { webhook } from '../../../../src/simulator/receivers/kinds/webhook.ts';
import { night } from '../letters.ts';

const alert = {
  status: 'firing',
  labels: { alertname: 'Gone' },
  annotations: { summary: 'm1 is gone', episode: '2' },
  startsAt: '2026-09-22T04:05:06Z',
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: 'f1',
};
const payload = { version: '4', groupKey: 'g', status: 'firing', receiver: 'hook', alerts: [alert] };

it('keeps every alert of the payload, told apart by fingerprint', () => {
  const over = { ...alert, status: 'resolved', annotations: {}, fingerprint: 'f2' };
  const { reply, kept } = webhook.take(JSON.stringify({ ...payload, alerts: [alert, over], more: 'is fine' }), night);
  expect(reply.status).toBe(200);
  expect(kept).toEqual([
    { action: 'trigger', key: 'f1', episode: '2', summary: 'm1 is gone' },
    { action: 'resolve', key: 'f2', episode: '', summary: 'Gone' },
  ]);
});

it.each([
  ['no JSON', 'oops'],
  ['another version', JSON.stringify({ ...payload, version: '3' })],
  ['an alert without its fingerprint', JSON.stringify({ ...payload, alerts: [{ ...alert, fingerprint: undefined }] })],
])('refuses %s', (_, body) => {
  expect(webhook.take(body, night)).toMatchObject({ kept: [], reply: { status: 400 } });
});
