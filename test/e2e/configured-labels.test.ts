import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { alertSchema } from '../../src/api/alerts.ts';
import { pageSchema } from '../../src/api/fields.ts';
import type { SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import {
  acceptedBy,
  addressOf,
  fakeReceivers,
  notificationsTo,
  openAlertingCluster,
  untilNotified,
} from '../support/alerting-cluster.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { send } from '../support/http.ts';

const alertList = pageSchema(alertSchema);
const teams = ['red', 'blue'];

/** Returns the number of requests with a reminder or a trigger of the present incident. */
function triggersTo(receivers: SimulatedReceivers, name: string): number {
  return acceptedBy(receivers, name).filter(({ action }) => action === 'trigger').length;
}

it('labels of a cluster that a reload changes apply to an open incident: its routes, its reminders and Alertmanager', async () => {
  const receivers = await fakeReceivers(...teams.map((name) => ({ name, kind: 'webhook' })), {
    name: 'am',
    kind: 'alertmanager',
  });
  const common = { group_wait: '0s', repeat_interval: '2s' };
  const setup = await openAlertingCluster({
    receivers: [
      ...teams.map((name) => ({ name, webhook: { url: addressOf(receivers, name) } })),
      { name: 'am', alertmanager: { urls: [addressOf(receivers, 'am')] } },
    ],
    routes: [
      { ...common, receivers: ['am'], continue: true },
      { ...common, matchers: ['team="red"'], receivers: ['red'] },
      { ...common, receivers: ['blue'] },
    ],
  });
  const nodes = setup.simulator.nodes.map(({ name, url }) => ({ name, url }));
  const configOf = (team: string): string =>
    stringify({
      ...setup.settings,
      state_dir: 'state',
      clusters: [{ name: 'c', nodes, graphs: ['fraud'], labels: { team } }],
    });
  const daemon = await startDaemon(configOf('red'));
  await setup.untilEngineKnown(daemon.url);
  setup.setEngine('Down');
  await eventually('the first team is reminded', async () => triggersTo(receivers, 'red') > 1);
  await untilNotified(receivers, 'am', 'trigger');
  expect(await daemon.reload(configOf('blue'))).toBe(200);
  await untilNotified(receivers, 'blue', 'trigger');
  const before = triggersTo(receivers, 'red');
  await eventually('the second team is reminded', async () => triggersTo(receivers, 'blue') > 2);
  expect(triggersTo(receivers, 'red')).toBe(before);
  const { items } = alertList.parse(JSON.parse((await send(`${daemon.url}/api/v1/alerts`)).text));
  const alert = items.find(({ cluster }) => cluster === 'c');
  expect(alert).toMatchObject({ state: 'firing', labels: { team: 'blue' } });
  const states = () =>
    acceptedBy(receivers, 'am').map(({ action, key }) => `${action} ${/team="(\w+)"/.exec(key)?.[1]}`);
  await eventually('Alertmanager has both', async () => states().includes('resolve red'));
  expect(states()).toContain('trigger blue');
  expect(states().lastIndexOf('trigger red')).toBeLessThan(states().indexOf('resolve red'));
  setup.setEngine('Online');
  await Promise.all(teams.map((name) => untilNotified(receivers, name, 'resolve')));
  const bodies = teams.flatMap((name) =>
    notificationsTo(receivers, name).map(({ body }) => JSON.parse(body).alerts[0]),
  );
  expect(new Set(bodies.map(({ fingerprint, startsAt }) => `${fingerprint} ${startsAt}`)).size).toBe(1);
  expect(bodies.at(-1)?.labels).toMatchObject({ team: 'blue' });
});
