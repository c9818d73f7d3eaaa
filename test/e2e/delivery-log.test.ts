import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { alertSchema } from '../../src/api/alerts.ts';
import { pageSchema } from '../../src/api/fields.ts';
import { type NotificationReport, notificationSchema } from '../../src/api/notifications.ts';
import {
  acceptedBy,
  addressOf,
  fakeReceivers,
  kill,
  openAlertingCluster,
  untilNotified,
} from '../support/alerting-cluster.ts';
import { eventually } from '../support/child.ts';
import { readJson, send } from '../support/http.ts';
import { startInProcessDaemon } from '../support/in-process-daemon.ts';

const routingKey = '0123456789abcdef0123456789abcdef';

async function logOf(url: string, query = ''): Promise<readonly NotificationReport[]> {
  const page = pageSchema(notificationSchema).parse(await readJson(`${url}/api/v1/notifications${query}`));
  return page.items.toReversed();
}

function inShort({ receiver, action, result }: NotificationReport): string {
  return `${receiver} ${action} ${result}`;
}

/** Returns the firing alert of the engine. */
async function engineIncident(url: string) {
  const { items } = z
    .object({ items: z.array(alertSchema) })
    .parse(await readJson(`${url}/api/v1/alerts?rule=service_not_online&phase=firing`));
  return items[0];
}

it('the delivery log states what each receiver accepted, through a crash', async () => {
  const receivers = await fakeReceivers({ name: 'oncall', kind: 'pagerduty' }, { name: 'chat', kind: 'slack' });
  receivers.setBehavior('chat', { kind: 'refuse', status: 503 });
  const setup = await openAlertingCluster({
    receivers: [
      { name: 'oncall', pagerduty: { url: addressOf(receivers, 'oncall'), routing_key: routingKey } },
      { name: 'chat', slack: { webhook_url: addressOf(receivers, 'chat') } },
    ],
    routes: [{ receivers: ['oncall', 'chat'], group_wait: '0s' }],
  });
  let { url, child } = await setup.startDaemon();
  setup.setEngine('Down');
  await untilNotified(receivers, 'oncall', 'trigger');
  const failing = await eventually('both results are logged', async () => {
    const log = await logOf(url);
    return log.some(({ attempts, result }) => result === 'deferred' && attempts > 1) && log.length === 2 ? log : false;
  });
  expect(failing.map(inShort).toSorted()).toEqual(['chat trigger deferred', 'oncall trigger accepted']);
  expect(failing.find(({ receiver }) => receiver === 'oncall')).toMatchObject({
    status: 202,
    attempts: 1,
    alertname: 'GraphdbServiceNotOnline',
    cluster: 'c',
    labels: { service_name: 'GPE', partition: '1', replica: '1' },
    proof: expect.stringContaining('success'),
  });
  const deferred = failing.find(({ receiver }) => receiver === 'chat');
  expect(deferred).toMatchObject({ status: 503, reason: expect.stringContaining('status 503') });
  expect(deferred?.nextAttemptAt).not.toBeNull();

  const alert = await engineIncident(url);
  expect(alert?.deliveries.map(({ receiver, state }) => [receiver, state])).toEqual([
    ['oncall', 'accepted'],
    ['chat', 'pending'],
  ]);
  const attempted = (await logOf(url, '?receiver=chat'))[0]?.attempts ?? 0;
  await kill(child);
  ({ url, child } = await setup.startDaemon());
  expect((await logOf(url)).map(inShort).toSorted()).toEqual(failing.map(inShort).toSorted());
  const restored = await engineIncident(url);
  const kept = restored?.deliveries.find(({ receiver }) => receiver === 'oncall');
  expect(kept).toEqual(alert?.deliveries.find(({ receiver }) => receiver === 'oncall'));

  receivers.setBehavior('chat', { kind: 'healthy' });
  const recovered = await eventually('the receiver has accepted', async () => {
    const log = await logOf(url, '?receiver=chat');
    return log.some(({ result }) => result === 'accepted') ? log : false;
  });
  expect(recovered.map(inShort)).toEqual(['chat trigger deferred', 'chat trigger accepted']);
  expect(recovered[1]?.attempts).toBeGreaterThan(attempted);
  expect(recovered[1]).toMatchObject({ status: 200, proof: 'ok', queuedAt: deferred?.queuedAt });

  setup.setEngine('Online');
  await untilNotified(receivers, 'oncall', 'resolve');
  await eventually('the end is logged', async () => (await logOf(url, '?result=accepted')).length === 4);
  await kill(child);
  ({ url, child } = await setup.startDaemon());
  const log = (await logOf(url, `?incident=${alert?.incident}`)).map(inShort);
  expect(log.slice(0, 3)).toEqual(['oncall trigger accepted', 'chat trigger deferred', 'chat trigger accepted']);
  // Receivers do not wait for each other.
  expect(log.slice(3).toSorted()).toEqual(['chat resolve accepted', 'oncall resolve accepted']);
  expect([acceptedBy(receivers, 'oncall').length, acceptedBy(receivers, 'chat').length]).toEqual([2, 2]);
  const all = (await send(`${url}/api/v1/notifications`)).text;
  expect(all).not.toContain(routingKey);
  expect(all).not.toContain('/services/T00000000');
  expect(await child.stop()).toBe(0);
});

it('an alert whose route has no receivers is shown, and logged without a warning', async () => {
  const receivers = await fakeReceivers({ name: 'chat', kind: 'slack' });
  const setup = await openAlertingCluster({
    receivers: [{ name: 'chat', slack: { webhook_url: addressOf(receivers, 'chat') } }],
    routes: [{ matchers: ['service_name="GPE"'], receivers: [] }, { receivers: ['chat'] }],
  });
  const daemon = await startInProcessDaemon(setup.settings);
  onTestFinished(() => daemon.stop());
  const { url } = daemon;
  await setup.untilEngineKnown(url);
  setup.setEngine('Down');
  const alert = await eventually('the alert fires', () => engineIncident(url));
  expect(alert).toMatchObject({ unrouted: true, deliveries: [] });
  const logged = daemon.log.filter(({ message }) => message === 'alert sent to no receiver');
  expect(logged).toMatchObject([{ level: 'info', fields: { rule: 'service_not_online' } }]);
  expect(await logOf(url)).toEqual([]);
});
