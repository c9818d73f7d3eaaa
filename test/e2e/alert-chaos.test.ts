import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openIncidents } from '../../src/simulator/receivers/incidents.ts';
import type { Told } from '../../src/simulator/receivers/letter.ts';
import type { Manner, SimpleManner } from '../../src/simulator/receivers/manner.ts';
import { addressOf, alertingScene, fakeReceivers, takenBy } from '../support/alerting-scene.ts';
import { eventually } from '../support/child.ts';

const troubles: readonly SimpleManner[] = [
  { kind: 'refuse', status: 503 },
  { kind: 'refuse', status: 429, retryAfter: '1' },
  { kind: 'refuse', status: 503, retryAfter: '1' },
  { kind: 'drop', taken: true },
  { kind: 'drop', taken: false },
  { kind: 'slow', by: 300 },
];

function flaky(seed: number): Manner {
  return { kind: 'random', seed, chance: 0.4, of: troubles };
}

/** What a receiver was told of each incident, in the order of its log. */
function stories(told: readonly Told[]): ReadonlyMap<string, readonly string[]> {
  const byKey = Map.groupBy(told, ({ key, episode }) => `${key} ${key.endsWith(`-${episode}`) ? '' : episode}`);
  return new Map([...byKey].map(([key, all]) => [key, all.map(({ action }) => action)]));
}

it('owes nothing in the end to receivers that fail four times in ten', async () => {
  const names = ['oncall', 'hook', 'am'];
  const receivers = await fakeReceivers(
    { name: 'oncall', kind: 'pagerduty', manner: flaky(1) },
    { name: 'hook', kind: 'webhook', manner: flaky(2) },
    { name: 'am', kind: 'alertmanager', manner: flaky(3) },
  );
  const scene = await alertingScene({
    receivers: [
      { name: 'oncall', pagerduty: { url: addressOf(receivers, 'oncall'), routing_key: 'k'.repeat(32) } },
      { name: 'hook', webhook: { url: addressOf(receivers, 'hook') } },
      { name: 'am', alertmanager: { urls: [addressOf(receivers, 'am')] } },
    ],
    routes: [{ receivers: names, group_wait: '0s' }],
  });
  await scene.live();
  for (let incident = 0; incident < 12; incident += 1) {
    scene.setEngine('Down');
    await pause(700);
    scene.setEngine('Online');
    await pause(700);
  }
  for (const name of names) receivers.behave(name, { kind: 'healthy' });
  await eventually(
    'nothing is open',
    async () => names.every((name) => openIncidents(receivers.letters(), name, Date.now()).length === 0),
    60_000,
  );
  for (const name of ['oncall', 'hook']) {
    const told = [...stories(takenBy(receivers, name).filter(({ action }) => action !== 'message')).entries()];
    expect(told.length).toBeGreaterThan(2);
    for (const [key, actions] of told) {
      expect([name, key, actions[0], actions.at(-1)]).toEqual([name, key, 'trigger', 'resolve']);
      expect(actions.lastIndexOf('trigger')).toBeLessThan(actions.indexOf('resolve'));
    }
  }
}, 180_000);
