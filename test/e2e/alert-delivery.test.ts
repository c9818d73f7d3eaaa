import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openIncidents } from '../../src/simulator/receivers/incidents.ts';
import type { Receivers } from '../../src/simulator/receivers/receivers.ts';
import {
  addressOf,
  alertingScene,
  fakeReceivers,
  kill,
  lettersTo,
  takenBy,
  untilTold,
} from '../support/alerting-scene.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { pageOf } from '../support/warden.ts';

const routingKey = '0123456789abcdef0123456789abcdef';

/** Each takes a second or two. */
const restarts = Number(process.env.RESTARTS ?? 4);

async function cast(): Promise<Receivers> {
  return fakeReceivers(
    { name: 'oncall', kind: 'pagerduty' },
    { name: 'chat', kind: 'slack' },
    { name: 'hook', kind: 'webhook' },
    { name: 'am', kind: 'alertmanager' },
  );
}

const everybody = ['oncall', 'chat', 'hook', 'am'];

function sceneWith(receivers: Receivers, route: object = {}) {
  const at = (name: string): string => addressOf(receivers, name);
  return alertingScene({
    receivers: [
      { name: 'oncall', pagerduty: { url: at('oncall'), routing_key: routingKey } },
      { name: 'chat', slack: { webhook_url: at('chat') } },
      { name: 'hook', webhook: { url: at('hook') } },
      { name: 'am', alertmanager: { urls: [at('am')] } },
    ],
    routes: [
      // A receiver that no route names is refused.
      { match: { cluster_name: 'another' }, receivers: everybody },
      { receivers: everybody, group_wait: '0s', repeat: '1h', ...route },
    ],
  });
}

describe('an incident', () => {
  it('is told to every receiver once, and so is its end, under the same key', async () => {
    const receivers = await cast();
    const scene = await sceneWith(receivers);
    const { url, child } = await scene.live();
    scene.setEngine('Down');
    await Promise.all(['oncall', 'hook', 'am'].map((name) => untilTold(receivers, name, 'trigger')));
    scene.setEngine('Online');
    await Promise.all(['oncall', 'hook', 'am'].map((name) => untilTold(receivers, name, 'resolve')));
    await eventually('the chat is told of both', async () => takenBy(receivers, 'chat').length === 2);
    for (const name of ['oncall', 'hook']) {
      const [trigger, resolve, ...more] = takenBy(receivers, name);
      expect([name, trigger?.action, resolve?.action, more]).toEqual([name, 'trigger', 'resolve', []]);
      expect(resolve?.key).toBe(trigger?.key);
      expect(trigger?.summary).toContain('GPE');
    }
    const page = await eventually('both are counted', async () => {
      const shown = pageOf((await send(`${url}/metrics`)).text);
      const counts = ['trigger', 'resolve'].map((action) =>
        shown.value('graphwarden_notifications_total', { receiver: 'oncall', action, result: 'accepted' }),
      );
      return isDeepStrictEqual(counts, [1, 1]) ? shown : undefined;
    });
    expect(page.value('graphwarden_notification_latency_seconds_count', { receiver: 'oncall' })).toBe(2);
    expect(await child.stop()).toBe(0);
    expect(page.text).not.toContain(routingKey);
    expect(child.stderr()).not.toContain(routingKey);
    expect(child.stderr()).not.toContain('/services/T00000000');
  });

  it('is another one the next time', async () => {
    const receivers = await cast();
    const scene = await sceneWith(receivers);
    await scene.live();
    for (const status of ['Down', 'Online', 'Down', 'Online'] as const) {
      scene.setEngine(status);
      await untilTold(receivers, 'oncall', status === 'Down' ? 'trigger' : 'resolve');
    }
    const [first, , second] = takenBy(receivers, 'oncall');
    expect(takenBy(receivers, 'oncall')).toHaveLength(4);
    expect(second?.key).not.toBe(first?.key);
  });

  it('outlives restarts, clean ones and kill -9: nobody is paged again, and the end is told', async () => {
    const receivers = await cast();
    const scene = await sceneWith(receivers);
    let { url, child } = await scene.live();
    scene.setEngine('Down');
    await Promise.all(['oncall', 'hook'].map((name) => untilTold(receivers, name, 'trigger')));
    await eventually('what was accepted is stored', async () => isSettled((await send(`${url}/metrics`)).text));
    for (let restart = 0; restart < restarts; restart += 1) {
      if (restart % 2 === 0) await kill(child);
      else expect(await child.stop()).toBe(0);
      ({ url, child } = await scene.live());
      await eventually('it was asked for alerts', async () => isSettled((await send(`${url}/metrics`)).text));
    }
    for (const name of ['oncall', 'hook']) expect(takenBy(receivers, name)).toHaveLength(1);
    await kill(child);
    scene.setEngine('Online');
    await scene.live();
    await Promise.all(['oncall', 'hook'].map((name) => untilTold(receivers, name, 'resolve')));
    for (const name of ['oncall', 'hook']) {
      expect(takenBy(receivers, name).map(({ action }) => action)).toEqual(['trigger', 'resolve']);
      expect(openIncidents(receivers.letters(), name, Date.now())).toEqual([]);
    }
  }, 300_000);
});

/** Whether nothing is left to send to those who are paged. */
function isSettled(page: string): boolean {
  return ['oncall', 'hook'].every((name) => page.includes(`\ngraphwarden_outbox_depth{receiver="${name}"} 0\n`));
}

it('lets a heartbeat be heard by those who watch us, and by nobody else', async () => {
  const receivers = await cast();
  const scene = await alertingScene({
    receivers: [
      { name: 'hook', webhook: { url: addressOf(receivers, 'hook') }, heartbeat: true },
      { name: 'chat', slack: { webhook_url: addressOf(receivers, 'chat') } },
    ],
    routes: [{ receivers: ['chat'], group_wait: '0s' }],
  });
  await scene.live();
  await untilTold(receivers, 'hook', 'trigger');
  scene.setEngine('Down');
  await untilTold(receivers, 'chat', 'message');
  expect(takenBy(receivers, 'chat')).toMatchObject([{ summary: expect.stringContaining('GPE') }]);
  expect(lettersTo(receivers, 'hook').every(({ body }) => body.includes('GraphwardenWatchdog'))).toBe(true);
});

describe('a receiver in trouble', () => {
  it('that hangs keeps nobody else waiting, and no poll', async () => {
    const receivers = await cast();
    receivers.behave('chat', { kind: 'hang', taken: false });
    const scene = await sceneWith(receivers);
    const { url } = await scene.live();
    const asked = (): number => scene.simulator.calls().filter(({ path }) => path.includes('service-status')).length;
    scene.setEngine('Down');
    await untilTold(receivers, 'oncall', 'trigger');
    await eventually('the hanging one has its letter', async () => lettersTo(receivers, 'chat').length > 0);
    const before = asked();
    scene.setEngine('Online');
    await untilTold(receivers, 'oncall', 'resolve');
    await untilTold(receivers, 'hook', 'resolve');
    await eventually('polls go on', async () => asked() > before + 5);
    // All of that came while it hung, which takes half a minute.
    expect(lettersTo(receivers, 'chat')).toMatchObject([{ answer: 'pending' }]);
    expect((await send(`${url}/-/healthy`)).status).toBe(200);
  });

  it('that takes letters and loses its answers gets them again, and then the end', async () => {
    const receivers = await cast();
    receivers.behave('oncall', { kind: 'drop', taken: true });
    const scene = await sceneWith(receivers);
    await scene.live();
    scene.setEngine('Down');
    await eventually('it was tried twice', async () => lettersTo(receivers, 'oncall').length >= 2);
    receivers.behave('oncall', { kind: 'healthy' });
    scene.setEngine('Online');
    await untilTold(receivers, 'oncall', 'resolve');
    const told = takenBy(receivers, 'oncall');
    expect(new Set(told.map(({ key }) => key)).size).toBe(1);
    expect(told.map(({ action }) => action).indexOf('resolve')).toBe(told.length - 1);
  }, 180_000);

  it('that says for how long to wait is left alone for so long', async () => {
    const receivers = await cast();
    receivers.behave('oncall', { kind: 'refuse', status: 429, retryAfter: '2' });
    const scene = await sceneWith(receivers);
    await scene.live();
    scene.setEngine('Down');
    await eventually('it was tried twice', async () => lettersTo(receivers, 'oncall').length >= 2);
    receivers.behave('oncall', { kind: 'healthy' });
    await untilTold(receivers, 'oncall', 'trigger');
    const [first = 0, second = 0] = lettersTo(receivers, 'oncall').map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(1_990);
  });

  it('that is broken has its page told to the fallback at once', async () => {
    const receivers = await cast();
    receivers.behave('oncall', { kind: 'refuse', status: 404 });
    const scene = await sceneWith(receivers, { receivers: ['oncall'], fallback: 'hook' });
    await scene.live();
    scene.setEngine('Down');
    await untilTold(receivers, 'hook', 'trigger');
    scene.setEngine('Online');
    await untilTold(receivers, 'hook', 'resolve');
    expect(takenBy(receivers, 'oncall')).toEqual([]);
  });

  it('that is broken is told of by another way', async () => {
    const receivers = await cast();
    receivers.behave('oncall', { kind: 'refuse', status: 404 });
    const scene = await alertingScene({
      receivers: [
        { name: 'oncall', pagerduty: { url: addressOf(receivers, 'oncall'), routing_key: routingKey } },
        { name: 'chat', slack: { webhook_url: addressOf(receivers, 'chat') } },
      ],
      routes: [
        { match: { service_name: 'GPE' }, receivers: ['oncall'], group_wait: '0s' },
        { receivers: ['oncall', 'chat'], group_wait: '0s' },
      ],
      rules: { delivery_failing: { hold: '0s' } },
    });
    await scene.live();
    scene.setEngine('Down');
    const told = await untilTold(receivers, 'chat', 'message');
    expect(told.summary).toContain('Alerts do not reach oncall');
    expect(JSON.stringify(lettersTo(receivers, 'chat'))).not.toContain(routingKey);
  });
});
