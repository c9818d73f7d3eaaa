import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { loadConfig } from '../../src/config/load.ts';
import { formatProblems } from '../../src/config/problems.ts';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import type { SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import {
  type AlertsSection,
  acceptedBy,
  addressOf,
  fakeReceivers,
  notificationsTo,
  openAlertingCluster,
  untilNotified,
} from '../support/alerting-cluster.ts';
import { eventually } from '../support/child.ts';
import { startInProcessDaemon } from '../support/in-process-daemon.ts';

const firstKey = 'a'.repeat(32);
const secondKey = 'b'.repeat(32);

type Alerts = Pick<AlertsSection, 'receivers' | 'routes'>;

/** Starts a daemon whose alerts section a test changes by a reload, or by a restart with the same state. */
async function openDelivery(first: Alerts) {
  const cluster = await openAlertingCluster(first);
  const { rules } = z.object({ rules: z.record(z.string(), z.unknown()) }).parse(cluster.settings.alerts);
  const withAlerts = (alerts: Alerts) => ({ ...cluster.settings, alerts: { ...alerts, rules } });
  const store = memoryStore();
  const start = async (alerts: Alerts) => {
    const daemon = await startInProcessDaemon(withAlerts(alerts), { store });
    onTestFinished(() => daemon.stop());
    await cluster.untilEngineKnown(daemon.url);
    return daemon;
  };
  let daemon = await start(first);
  return {
    setEngine: (status: 'Down' | 'Online') => cluster.setEngine(status),
    restart: async (alerts: Alerts) => {
      await daemon.stop();
      daemon = await start(alerts);
    },
    reload: async (alerts: Alerts) => {
      const loaded = loadConfig(stringify({ state_dir: '/nowhere', ...withAlerts(alerts) }), 'test.yml', {});
      if (!loaded.ok) throw new Error(formatProblems(loaded.error));
      await daemon.app.reconfigure(loaded.value);
    },
  };
}

function routeTo(receivers: readonly string[], more: object = {}): Alerts['routes'] {
  return [{ receivers, group_wait: '0s', ...more }];
}

function bodiesTo(receivers: SimulatedReceivers, name: string): readonly Record<string, unknown>[] {
  return notificationsTo(receivers, name).map(({ body }) => z.record(z.string(), z.unknown()).parse(JSON.parse(body)));
}

it('a recipient that a restart changes gets the trigger of an open incident, and then its resolve', async () => {
  const receivers = await fakeReceivers(
    { name: 'oncall', kind: 'pagerduty' },
    { name: 'hook', kind: 'webhook' },
    { name: 'other', kind: 'webhook' },
  );
  const alertsFor = (routingKey: string, hook: string): Alerts => ({
    receivers: [
      { name: 'oncall', pagerduty: { url: addressOf(receivers, 'oncall'), routing_key: routingKey } },
      { name: 'hook', webhook: { url: addressOf(receivers, hook) } },
    ],
    routes: routeTo(['oncall', 'hook']),
  });
  const delivery = await openDelivery(alertsFor(firstKey, 'hook'));
  delivery.setEngine('Down');
  for (const name of ['oncall', 'hook']) await untilNotified(receivers, name, 'trigger');
  await delivery.restart(alertsFor(firstKey, 'hook'));
  await delivery.restart(alertsFor(secondKey, 'other'));
  await untilNotified(receivers, 'other', 'trigger');
  await delivery.restart(alertsFor(secondKey, 'other'));
  delivery.setEngine('Online');
  for (const name of ['oncall', 'other']) await untilNotified(receivers, name, 'resolve');
  expect(bodiesTo(receivers, 'oncall').map((body) => [body.routing_key, body.event_action])).toEqual([
    [firstKey, 'trigger'],
    [secondKey, 'trigger'],
    [secondKey, 'resolve'],
  ]);
  expect(acceptedBy(receivers, 'hook').map(({ action }) => action)).toEqual(['trigger']);
  expect(acceptedBy(receivers, 'other').map(({ action }) => action)).toEqual(['trigger', 'resolve']);
});

it('a fallback that a reload adds or replaces gets the queued page', async () => {
  const receivers = await fakeReceivers(
    { name: 'oncall', kind: 'webhook' },
    { name: 'mail', kind: 'webhook' },
    { name: 'chat', kind: 'webhook' },
  );
  receivers.setBehavior('oncall', { kind: 'refuse', status: 404 });
  const receiverOf = (name: string) => ({ name, webhook: { url: addressOf(receivers, name) } });
  const alertsFor = (...fallbacks: readonly string[]): Alerts => ({
    receivers: ['oncall', ...fallbacks].map(receiverOf),
    routes: routeTo(['oncall'], { fallback: fallbacks[0] }),
  });
  const delivery = await openDelivery(alertsFor());
  delivery.setEngine('Down');
  await eventually('oncall rejects the page', async () => notificationsTo(receivers, 'oncall').length > 0);
  await delivery.reload(alertsFor('mail'));
  await untilNotified(receivers, 'mail', 'trigger');
  await delivery.reload(alertsFor('chat'));
  await untilNotified(receivers, 'chat', 'trigger');
  delivery.setEngine('Online');
  await untilNotified(receivers, 'chat', 'resolve');
  expect(acceptedBy(receivers, 'mail').map(({ action }) => action)).toEqual(['trigger', 'resolve']);
  expect(acceptedBy(receivers, 'oncall')).toEqual([]);
});

it('a receiver that is removed and added again gets no idempotency key twice', async () => {
  const receivers = await fakeReceivers({ name: 'hook', kind: 'webhook' }, { name: 'chat', kind: 'webhook' });
  const alertsFor = (...names: readonly string[]): Alerts => ({
    receivers: names.map((name) => ({ name, webhook: { url: addressOf(receivers, name) } })),
    routes: routeTo(names),
  });
  const delivery = await openDelivery(alertsFor('hook', 'chat'));
  delivery.setEngine('Down');
  await untilNotified(receivers, 'hook', 'trigger');
  await delivery.reload(alertsFor('chat'));
  await untilNotified(receivers, 'hook', 'resolve');
  await delivery.reload(alertsFor('hook', 'chat'));
  await untilNotified(receivers, 'hook', 'trigger');
  delivery.setEngine('Online');
  await untilNotified(receivers, 'hook', 'resolve');
  const keys = notificationsTo(receivers, 'hook').map(({ headers }) => headers['idempotency-key']);
  expect(acceptedBy(receivers, 'hook').map(({ action }) => action)).toEqual([
    'trigger',
    'resolve',
    'trigger',
    'resolve',
  ]);
  expect(new Set(keys).size).toBe(4);
});

it('a recipient in the body of a templated webhook that a reload changes gets the trigger, and a reworded text does not', async () => {
  const receivers = await fakeReceivers({ name: 'service', kind: 'templated_webhook' });
  const alertsFor = (chat: string, text: string): Alerts => {
    const body = { chat_id: chat, status: '{{status}}', key: '{{incident}}', episode: '{{incident_short}}', text };
    return {
      receivers: [{ name: 'service', templated_webhook: { url: addressOf(receivers, 'service'), body } }],
      routes: routeTo(['service']),
    };
  };
  const delivery = await openDelivery(alertsFor('-1001', '{{summary}}'));
  delivery.setEngine('Down');
  await untilNotified(receivers, 'service', 'trigger');
  await delivery.reload(alertsFor('-1001', 'Alert: {{summary}}'));
  await delivery.reload(alertsFor('-2002', 'Alert: {{summary}}'));
  await eventually('the other chat is notified', async () => acceptedBy(receivers, 'service').length === 2);
  delivery.setEngine('Online');
  await untilNotified(receivers, 'service', 'resolve');
  expect(bodiesTo(receivers, 'service').map(({ chat_id: chat, status }) => [chat, status])).toEqual([
    ['-1001', 'firing'],
    ['-2002', 'firing'],
    ['-2002', 'resolved'],
  ]);
});
