import { describe, expect, it } from 'vitest';
import { receivedAt } from '../../simulator/receivers/request-fixtures.ts';
import { twinOf } from '../../support/simulated-receivers.ts';

const payload = { summary: 'm1 is gone', source: 'prod', severity: 'critical' };
const trigger = { routing_key: 'k'.repeat(32), event_action: 'trigger', dedup_key: 'one', payload };

function take(event: object) {
  return twinOf('pagerduty').handle(JSON.stringify(event), receivedAt);
}

describe('valid events', () => {
  it('open an incident', () => {
    const { reply, kept } = take({ ...trigger, payload: { ...payload, custom_details: { episode: 7 } } });
    expect([reply.status, JSON.parse(reply.body)]).toEqual([
      202,
      { status: 'success', message: 'Event processed', dedup_key: 'one' },
    ]);
    expect(kept).toEqual([{ action: 'trigger', key: 'one', episode: '7', summary: 'm1 is gone' }]);
  });

  it('resolve with a key alone', () => {
    const { payload: _, ...bare } = trigger;
    expect(take({ ...bare, event_action: 'resolve' }).kept).toMatchObject([{ action: 'resolve', key: 'one' }]);
    expect(take({ ...bare, event_action: 'acknowledge' })).toMatchObject({
      kept: [{ action: 'acknowledge', key: 'one' }],
      reply: { status: 202 },
    });
  });

  it('need no key to open', () => {
    const { dedup_key: _, ...keyless } = trigger;
    expect(take(keyless).kept).toMatchObject([{ action: 'trigger', key: '' }]);
  });
});

it.each([
  ['no routing key', { ...trigger, routing_key: 'short' }, "'routing_key'"],
  ['another action', { ...trigger, event_action: 'shout' }, "'event_action'"],
  ['a long key', { ...trigger, dedup_key: 'x'.repeat(256) }, "'dedup_key'"],
  ['a resolve of nothing', { ...trigger, event_action: 'resolve', dedup_key: '' }, "'dedup_key'"],
  ['a long summary', { ...trigger, payload: { ...payload, summary: 'x'.repeat(1025) } }, "'payload.summary'"],
  ['another severity', { ...trigger, payload: { ...payload, severity: 'awful' } }, "'payload.severity'"],
  ['no source', { ...trigger, payload: { ...payload, source: '' } }, "'payload.source'"],
])('simulated PagerDuty › rejects %s with a reason', (_, event, word) => {
  const { reply, kept } = take(event);
  expect([reply.status, kept]).toEqual([400, []]);
  expect(reply.body).toContain(word);
});

it('simulated PagerDuty › rejects invalid JSON and large bodies', () => {
  expect(twinOf('pagerduty').handle('oops', receivedAt).reply.status).toBe(400);
  const details = { custom_details: { heap: 'x'.repeat(512 * 1024) } };
  expect(take({ ...trigger, payload: { ...payload, ...details } })).toMatchObject({ kept: [], reply: { status: 413 } });
});
