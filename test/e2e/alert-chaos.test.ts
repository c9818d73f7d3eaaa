import { expect, it } from 'vitest';
import type { ReceivedNotification } from '../../src/model/simulated-receiver.ts';
import { openIncidents } from '../../src/simulator/receivers/received-request.ts';
import type { FixedBehavior, ReceiverBehavior } from '../../src/simulator/receivers/receiver-behavior.ts';
import { acceptedBy, addressOf, engineAlert, fakeReceivers, openAlertingCluster } from '../support/alerting-cluster.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';

const failures: readonly FixedBehavior[] = [
  { kind: 'refuse', status: 503 },
  { kind: 'refuse', status: 429, retryAfter: '1' },
  { kind: 'refuse', status: 503, retryAfter: '1' },
  { kind: 'drop', isAccepted: true },
  { kind: 'drop', isAccepted: false },
  { kind: 'slow', by: 300 },
];

function flaky(seed: number): ReceiverBehavior {
  return { kind: 'random', seed, chance: 0.4, of: failures };
}

/** Returns the notifications of each incident that a receiver got, in the order of its log. */
function stories(reported: readonly ReceivedNotification[]): ReadonlyMap<string, readonly string[]> {
  const byKey = Map.groupBy(reported, ({ key, episode }) => `${key} ${key.endsWith(`-${episode}`) ? '' : episode}`);
  return new Map([...byKey].map(([key, all]) => [key, all.map(({ action }) => action)]));
}

it('alerting delivers all notifications to receivers that fail four times in ten', async () => {
  const names = ['oncall', 'hook', 'am'];
  const receivers = await fakeReceivers(
    { name: 'oncall', kind: 'pagerduty', behavior: flaky(1) },
    { name: 'hook', kind: 'webhook', behavior: flaky(2) },
    { name: 'am', kind: 'alertmanager', behavior: flaky(3) },
  );
  const setup = await openAlertingCluster({
    receivers: [
      { name: 'oncall', pagerduty: { url: addressOf(receivers, 'oncall'), routing_key: 'k'.repeat(32) } },
      { name: 'hook', webhook: { url: addressOf(receivers, 'hook') } },
      { name: 'am', alertmanager: { urls: [addressOf(receivers, 'am')] } },
    ],
    routes: [{ receivers: names, group_wait: '0s' }],
  });
  const { url } = await setup.startDaemon();
  const isFiring = async (): Promise<boolean> =>
    (await send(`${url}/api/v1/alerts?phase=firing`)).text.includes(engineAlert.alertname);
  for (let incident = 1; incident <= 12; incident += 1) {
    setup.setEngine('Down');
    await eventually(`alert ${incident} fires`, isFiring);
    setup.setEngine('Online');
    await eventually(`alert ${incident} is resolved`, async () => !(await isFiring()));
  }
  for (const name of names) receivers.setBehavior(name, { kind: 'healthy' });
  await eventually('nothing is open', async () =>
    names.every((name) => openIncidents(receivers.requests(), name, Date.now()).length === 0),
  );
  for (const name of ['oncall', 'hook']) {
    const reported = [...stories(acceptedBy(receivers, name).filter(({ action }) => action !== 'message')).entries()];
    expect(reported.length).toBeGreaterThan(2);
    for (const [key, actions] of reported) {
      expect([name, key, actions[0], actions.at(-1)]).toEqual([name, key, 'trigger', 'resolve']);
      expect(actions.lastIndexOf('trigger')).toBeLessThan(actions.indexOf('resolve'));
    }
  }
});
