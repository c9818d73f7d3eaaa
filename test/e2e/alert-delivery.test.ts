import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openIncidents } from '../../src/simulator/receivers/received-request.ts';
import type { SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import {
  acceptedBy,
  addressOf,
  fakeReceivers,
  kill,
  notificationsTo,
  openAlertingCluster,
  untilNotified,
} from '../support/alerting-cluster.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { pageOf } from '../support/in-process-daemon.ts';

const routingKey = '0123456789abcdef0123456789abcdef';

async function cast(): Promise<SimulatedReceivers> {
  return fakeReceivers(
    { name: 'oncall', kind: 'pagerduty' },
    { name: 'chat', kind: 'slack' },
    { name: 'hook', kind: 'webhook' },
    { name: 'am', kind: 'alertmanager' },
  );
}

const everyone = ['oncall', 'chat', 'hook', 'am'];

function sceneWith(receivers: SimulatedReceivers, route: object = {}) {
  const at = (name: string): string => addressOf(receivers, name);
  return openAlertingCluster({
    receivers: [
      { name: 'oncall', pagerduty: { url: at('oncall'), routing_key: routingKey } },
      { name: 'chat', slack: { webhook_url: at('chat') } },
      { name: 'hook', webhook: { url: at('hook') } },
      { name: 'am', alertmanager: { urls: [at('am')] } },
    ],
    routes: [
      // A receiver that no route names is refused.
      { matchers: ['cluster_name="another"'], receivers: everyone },
      { receivers: everyone, group_wait: '0s', repeat_interval: '1h', ...route },
    ],
  });
}

describe('an incident', () => {
  it('is sent to every receiver once, like its resolve, under the same key, also through a restart and kill -9', async () => {
    const receivers = await cast();
    const setup = await sceneWith(receivers);
    let { url, child } = await setup.startDaemon();
    setup.setEngine('Down');
    await Promise.all(['oncall', 'hook', 'am'].map((name) => untilNotified(receivers, name, 'trigger')));
    setup.setEngine('Online');
    await Promise.all(['oncall', 'hook', 'am'].map((name) => untilNotified(receivers, name, 'resolve')));
    await eventually('the chat has both notifications', async () => acceptedBy(receivers, 'chat').length === 2);
    for (const name of ['oncall', 'hook']) {
      const [trigger, resolve, ...more] = acceptedBy(receivers, name);
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
    expect(page.text).not.toContain(routingKey);

    // `npm run crash` does this a thousand times.
    setup.setEngine('Down');
    await Promise.all(['oncall', 'hook'].map((name) => untilNotified(receivers, name, 'trigger')));
    for (const name of ['oncall', 'hook']) {
      await eventually('what was accepted is stored', async () => (await storedTriggers(url, name)) === 2);
    }
    expect(await child.stop()).toBe(0);
    expect(child.stderr()).not.toContain(routingKey);
    expect(child.stderr()).not.toContain('/services/T00000000');
    ({ url, child } = await setup.startDaemon());
    await eventually('Alertmanager settled', async () => isSettled((await send(`${url}/metrics`)).text));
    for (const name of ['oncall', 'hook']) {
      expect(acceptedBy(receivers, name).map(({ action }) => action)).toEqual(['trigger', 'resolve', 'trigger']);
    }
    await kill(child);
    setup.setEngine('Online');
    await setup.startDaemon();
    await Promise.all(['oncall', 'hook'].map((name) => untilNotified(receivers, name, 'resolve')));
    for (const name of ['oncall', 'hook']) {
      const [, , trigger, resolve, ...more] = acceptedBy(receivers, name);
      expect([name, trigger?.action, resolve?.action, more]).toEqual([name, 'trigger', 'resolve', []]);
      expect(resolve?.key).toBe(trigger?.key);
      expect(openIncidents(receivers.requests(), name, Date.now())).toEqual([]);
    }
  });

  it('has another key in its next occurrence', async () => {
    const receivers = await cast();
    const setup = await sceneWith(receivers);
    await setup.startInProcess();
    for (const status of ['Down', 'Online', 'Down', 'Online'] as const) {
      setup.setEngine(status);
      await untilNotified(receivers, 'oncall', status === 'Down' ? 'trigger' : 'resolve');
    }
    const [first, , second] = acceptedBy(receivers, 'oncall');
    expect(acceptedBy(receivers, 'oncall')).toHaveLength(4);
    expect(second?.key).not.toBe(first?.key);
  });
});

/** Number of triggers that a receiver has accepted, by the log on disk: the metrics show them before they are stored. */
async function storedTriggers(url: string, receiver: string): Promise<number> {
  const filter = `receiver=${receiver}&action=trigger&result=accepted`;
  return Number(JSON.parse((await send(`${url}/api/v1/notifications?${filter}`)).text).total);
}

/** Whether nothing is left to send to those who are paged. */
function isSettled(page: string): boolean {
  return ['oncall', 'hook'].every((name) => page.includes(`\ngraphwarden_outbox_depth{receiver="${name}"} 0\n`));
}

it('alerting sends the heartbeat to the watchdog receiver only', async () => {
  const receivers = await cast();
  const setup = await openAlertingCluster({
    receivers: [
      { name: 'hook', webhook: { url: addressOf(receivers, 'hook') }, heartbeat: true },
      { name: 'chat', slack: { webhook_url: addressOf(receivers, 'chat') } },
    ],
    routes: [{ receivers: ['chat'], group_wait: '0s' }],
  });
  await setup.startInProcess();
  await untilNotified(receivers, 'hook', 'trigger');
  setup.setEngine('Down');
  await untilNotified(receivers, 'chat', 'message');
  expect(acceptedBy(receivers, 'chat')).toMatchObject([{ summary: expect.stringContaining('GPE') }]);
  expect(notificationsTo(receivers, 'hook').every(({ body }) => body.includes('GraphwardenWatchdog'))).toBe(true);
});

describe('a failing receiver', () => {
  it('that hangs does not delay other receivers or polls', async () => {
    const receivers = await cast();
    receivers.setBehavior('chat', { kind: 'hang', isAccepted: false });
    const setup = await sceneWith(receivers);
    const url = await setup.startInProcess();
    const countRequests = (): number =>
      setup.simulator.calls().filter(({ path }) => path.includes('service-status')).length;
    setup.setEngine('Down');
    await untilNotified(receivers, 'oncall', 'trigger');
    await eventually(
      'the hanging receiver has its notification',
      async () => notificationsTo(receivers, 'chat').length > 0,
    );
    const before = countRequests();
    setup.setEngine('Online');
    await untilNotified(receivers, 'oncall', 'resolve');
    await untilNotified(receivers, 'hook', 'resolve');
    await eventually('polls continue', async () => countRequests() > before + 5);
    // All of that came while it hung, which takes half a minute.
    expect(notificationsTo(receivers, 'chat')).toMatchObject([{ answer: 'pending' }]);
    expect((await send(`${url}/-/healthy`)).status).toBe(200);
  });

  it('that accepts notifications and loses the replies gets them again, and then the resolve', async () => {
    const receivers = await cast();
    receivers.setBehavior('oncall', { kind: 'drop', isAccepted: true });
    const setup = await sceneWith(receivers);
    await setup.startInProcess();
    setup.setEngine('Down');
    await eventually('it was tried twice', async () => notificationsTo(receivers, 'oncall').length >= 2);
    receivers.setBehavior('oncall', { kind: 'healthy' });
    setup.setEngine('Online');
    await untilNotified(receivers, 'oncall', 'resolve');
    const reported = acceptedBy(receivers, 'oncall');
    expect(new Set(reported.map(({ key }) => key)).size).toBe(1);
    expect(reported.map(({ action }) => action).indexOf('resolve')).toBe(reported.length - 1);
  });

  it('that sends Retry-After gets no request for that time', async () => {
    const receivers = await cast();
    receivers.setBehavior('oncall', { kind: 'refuse', status: 429, retryAfter: '2' });
    const setup = await sceneWith(receivers);
    await setup.startInProcess();
    setup.setEngine('Down');
    await eventually('it was tried twice', async () => notificationsTo(receivers, 'oncall').length >= 2);
    receivers.setBehavior('oncall', { kind: 'healthy' });
    await untilNotified(receivers, 'oncall', 'trigger');
    const [first = 0, second = 0] = notificationsTo(receivers, 'oncall').map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(1_990);
  });

  it('that rejects a page has it sent to the fallback at once', async () => {
    const receivers = await cast();
    receivers.setBehavior('oncall', { kind: 'refuse', status: 404 });
    const setup = await sceneWith(receivers, { receivers: ['oncall'], fallback: 'hook' });
    await setup.startInProcess();
    setup.setEngine('Down');
    await untilNotified(receivers, 'hook', 'trigger');
    setup.setEngine('Online');
    await untilNotified(receivers, 'hook', 'resolve');
    expect(acceptedBy(receivers, 'oncall')).toEqual([]);
  });

  it('that rejects all requests is reported through another receiver', async () => {
    const receivers = await cast();
    receivers.setBehavior('oncall', { kind: 'refuse', status: 404 });
    const setup = await openAlertingCluster({
      receivers: [
        { name: 'oncall', pagerduty: { url: addressOf(receivers, 'oncall'), routing_key: routingKey } },
        { name: 'chat', slack: { webhook_url: addressOf(receivers, 'chat') } },
      ],
      routes: [
        { matchers: ['service_name="GPE"'], receivers: ['oncall'], group_wait: '0s' },
        { receivers: ['oncall', 'chat'], group_wait: '0s' },
      ],
      rules: { delivery_failing: { for: '0s' } },
    });
    await setup.startInProcess();
    setup.setEngine('Down');
    const reported = await untilNotified(receivers, 'chat', 'message');
    expect(reported.summary).toContain('Notifications to receiver oncall fail');
    expect(JSON.stringify(notificationsTo(receivers, 'chat'))).not.toContain(routingKey);
  });
});
