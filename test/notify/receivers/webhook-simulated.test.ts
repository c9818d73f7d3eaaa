import { expect, it } from 'vitest';
import { receivedAt } from '../../simulator/receivers/request-fixtures.ts';
import { twinOf } from '../../support/simulated-receivers.ts';

const alert = {
  status: 'firing',
  labels: { alertname: 'Gone' },
  annotations: { summary: 'm1 is gone', episode: '2' },
  startsAt: '2026-09-22T04:05:06Z',
  endsAt: '0001-01-01T00:00:00Z',
  fingerprint: 'f1',
};
const payload = { version: '4', groupKey: 'g', status: 'firing', receiver: 'hook', alerts: [alert] };

it('simulated webhook › stores every alert of the payload by its fingerprint', () => {
  const over = { ...alert, status: 'resolved', annotations: {}, fingerprint: 'f2' };
  const { reply, kept } = twinOf('webhook').handle(
    JSON.stringify({ ...payload, alerts: [alert, over], more: 'is fine' }),
    receivedAt,
  );
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
])('simulated webhook › refuses %s', (_, body) => {
  expect(twinOf('webhook').handle(body, receivedAt)).toMatchObject({ kept: [], reply: { status: 400 } });
});
