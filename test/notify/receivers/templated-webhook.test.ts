import { describe, expect, it } from 'vitest';
import { templatedWebhook } from '../../../src/notify/receivers/templated-webhook.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';
import { alertsNotification, firingAlert, resolvedAlert } from '../../support/notifications.ts';
import { portsOver } from './receiver-ports.ts';

const forever = new AbortController().signal;

/** The request for an alert, and the result of a reply. */
async function send(given: object, alert = firingAlert(), reply = answer('', 200), request = 'POST /v2') {
  const pool = new FakePool([request, reply]);
  const endpoint = templatedWebhook.section.parse({
    url: 'https://api.test/v2/',
    body: { a: '{{summary}}' },
    ...given,
  });
  const notifier = templatedWebhook.open({ name: 'one', heartbeat: false, ...endpoint }, '', portsOver(pool));
  const response = await notifier.send(alertsNotification(alert), 'full', 0, forever);
  return { response, request: pool.requests[0], body: JSON.parse(pool.requests[0]?.body ?? 'null') as unknown };
}

describe('the request of a templated webhook', () => {
  it('has the body of the template', async () => {
    const { response, body } = await send({});
    expect([response, body]).toMatchObject([{ kind: 'accepted' }, { a: 'GPE_1#1 on m1 is down' }]);
  });

  it('has a separate method and path for a resolve', async () => {
    const given = {
      method: 'PUT',
      path: '/alerts?team={{cluster_name}}',
      resolve: { method: 'DELETE', path: 'alerts/{{incident}}?by=a&of={{summary}}', body: { note: '{{ends_at}}' } },
    };
    await send(given, firingAlert(), answer(''), 'PUT /v2/alerts?team=prod');
    const path = `/v2/alerts/${resolvedAlert().key}-3?by=a&of=GPE_1%231%20on%20m1%20is%20down`;
    const { body } = await send(given, resolvedAlert(), answer(''), `DELETE ${path}`);
    expect(body).toEqual({ note: '2026-09-22T04:53:00.000Z' });
  });

  it('uses the method, path and body of the trigger for a resolve without its own', async () => {
    const { body } = await send({ path: '/x', resolve: {} }, resolvedAlert(), answer(''), 'POST /v2/x');
    expect(body).toEqual({ a: 'GPE_1#1 on m1 is down' });
  });

  it('has a value for each severity, and for a resolved alert', async () => {
    const given = {
      by_severity: {
        priority: { critical: 5, warning: 4, info: 3 },
        color: { critical: 'red', warning: 'yellow', info: 'blue', resolved: 'green' },
      },
      body: { p: '{{priority}}', c: '{{color}}', t: 'P{{priority}}' },
    };
    expect((await send(given)).body).toEqual({ p: 5, c: 'red', t: 'P5' });
    expect((await send(given, firingAlert({ severity: 'warning' }))).body).toEqual({ p: 4, c: 'yellow', t: 'P4' });
    expect((await send(given, resolvedAlert())).body).toEqual({ p: 5, c: 'green', t: 'P5' });
  });
});

/** Digest of the recipient, as the configuration `given` determines it. */
async function recipientOf(given: object): Promise<string | undefined> {
  const endpoint = templatedWebhook.section.parse({ url: 'https://api.test/v2', body: {}, ...given });
  return templatedWebhook
    .open({ name: 'one', heartbeat: false, ...endpoint }, '', portsOver(new FakePool()))
    .recipient();
}

describe('the recipient of a templated webhook', () => {
  const body = { chat_id: '-1001', text: '{{state}}: {{summary}}', options: { silent: false, tags: ['oncall'] } };
  const path = '/alerts/{{incident}}?topic=db&title={{summary}}';

  it.each<[string, object]>([
    ['a constant text of the body', { path, body: { ...body, chat_id: '-2002' } }],
    ['a constant number of the body', { path, body: { ...body, chat_id: -1001 } }],
    ['a nested part of the body', { path, body: { ...body, options: { silent: false, tags: ['other'] } } }],
    ['the path', { path: '/events/{{incident}}?topic=db&title={{summary}}', body }],
    ['a constant parameter of the query', { path: '/alerts/{{incident}}?topic=web&title={{summary}}', body }],
  ])('is another one after a change of %s', async (_, after) => {
    expect(await recipientOf(after)).not.toBe(await recipientOf({ path, body }));
  });

  it.each<[string, object]>([
    ['a text with placeholders', { path, body: { ...body, text: '{{summary}}', more: '{{labels}}' } }],
    ['the order of the body', { path, body: Object.fromEntries(Object.entries(body).toReversed()) }],
    ['a parameter with a placeholder', { path: '/alerts/{{key}}?topic=db&title=a-{{rule}}&x={{summary}}', body }],
    ['the method', { path, body, method: 'PUT' }],
  ])('is the same after a change of %s', async (_, after) => {
    expect(await recipientOf(after)).toBe(await recipientOf({ path, body }));
  });
});

describe('the reply to a templated webhook', () => {
  it('must have one of the valid statuses', async () => {
    const given = { valid_status_codes: [200, 202] };
    expect((await send(given, firingAlert(), answer('', 202))).response).toMatchObject({
      kind: 'accepted',
      status: 202,
    });
    expect((await send(given, firingAlert(), answer('', 204))).response).toMatchObject({
      kind: 'broken',
      status: 204,
      message: 'status 204 is not in valid_status_codes',
    });
  });

  it.each<[unknown, number | undefined]>([
    [{ retry_after: 1.5 }, 1500],
    [{ retry_after: 0 }, 1000],
    [{ retry_after: 86_400 }, 900_000],
    [{ ok: false, parameters: { retry_after: 7 } }, 7000],
    [{ retry_after: 'soon' }, undefined],
    ['not JSON', undefined],
  ])('429 with %j waits %s ms', async (body, wait) => {
    const { response } = await send({}, firingAlert(), answer(body, 429));
    expect(response).toMatchObject({ kind: 'limited', ...(wait === undefined ? {} : { wait }) });
    expect('wait' in response).toBe(wait !== undefined);
  });
});

it('the simulated service rejects bodies that violate its schema', () => {
  const { simulated } = templatedWebhook;
  expect(simulated?.handle('{"status":"firing"}', 0)).toMatchObject({ kept: [], reply: { status: 400 } });
});
