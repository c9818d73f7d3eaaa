import { describe, expect, it, onTestFinished } from 'vitest';
import type { Alert } from '../../src/model/alert.ts';
import type { NotificationRequest, Notifier, ReceiverResponse } from '../../src/notify/notifier.ts';
import { openNotifier } from '../../src/notify/receivers/all.ts';
import { receiversSection } from '../../src/notify/receivers-section.ts';
import type { ReceiverSettings } from '../../src/notify/settings.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { sendMail } from '../../src/runtime/mail.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import type { ReceiverBehavior } from '../../src/simulator/receivers/receiver-behavior.ts';
import type { SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import { addressOf, fakeReceivers } from '../support/alerting-cluster.ts';
import { type Alertmanager, startAlertmanager } from '../support/alertmanager.ts';
import { simulatedKinds, twinOf } from '../support/simulated-receivers.ts';
import { findTool } from '../support/tools.ts';

const open = openNotifier({ openPool: openHttpPool, sendMail, digest, files: systemFiles });
const routingKey = '0123456789abcdef0123456789abcdef';

function notifierFor(settings: ReceiverSettings): Notifier {
  const notifier = open(settings, { externalUrl: 'https://warden.example.org' });
  onTestFinished(() => notifier.close());
  return notifier;
}

function settingsAt(kind: string, url: string): ReceiverSettings {
  const { demo } = twinOf(kind);
  const [settings] = receiversSection.parse([{ name: 'fake', [kind]: { ...demo.config(url), ...extra[kind] } }]);
  if (settings === undefined) throw new Error(`${kind} has no settings`);
  return settings;
}

const extra: Readonly<Record<string, object>> = {
  pagerduty: { routing_key: routingKey },
  webhook: { hmac_key: 'a key of ours' },
  ntfy: { token: 'a key of ours' },
};

function alert(status: Alert['status'], more: Partial<Alert> = {}): Alert {
  const startsAt = Date.now() - 60_000;
  return {
    key: 'a1b2c3d4e5f60718a1b2c3d4e5f60718',
    episode: 3,
    rule: 'service_not_online',
    severity: 'critical',
    labels: { alertname: 'GraphdbServiceNotOnline', severity: 'critical', cluster_name: 'c', replica: '' },
    annotations: {
      summary: 'GPE is Down <here> & "there"',
      description: 'two\nlines',
      runbook_url: 'https://x.org/#a',
    },
    status,
    startsAt,
    ...(status === 'resolved' ? { endsAt: startsAt + 30_000 } : {}),
    generatorUrl: 'https://warden.example.org/',
    ...more,
  };
}

function notificationOf(...alerts: readonly Alert[]): NotificationRequest {
  return { kind: 'alerts', group: { cluster_name: 'c' }, alerts, isReminder: false };
}

interface Scene {
  readonly receivers: SimulatedReceivers;
  readonly send: (notification: NotificationRequest, within?: number) => Promise<ReceiverResponse>;
}

async function sceneOf(kind: string, behavior: ReceiverBehavior = { kind: 'healthy' }): Promise<Scene> {
  const receivers = await fakeReceivers({ name: 'fake', kind, behavior });
  const notifier = notifierFor(settingsAt(kind, addressOf(receivers, 'fake')));
  return {
    receivers,
    send: (notification, within = 30_000) =>
      notifier.send(notification, 'full', Date.now(), AbortSignal.timeout(within)),
  };
}

describe.each([...simulatedKinds])('%s', (kind) => {
  it('accepts a trigger and its resolve in every detail, as one incident', async () => {
    const receivers = await fakeReceivers({ name: 'fake', kind });
    const notifier = notifierFor(settingsAt(kind, addressOf(receivers, 'fake')));
    for (const detail of ['full', 'short', 'minimal'] as const) {
      for (const status of ['firing', 'resolved'] as const) {
        const answer = await notifier.send(
          notificationOf(alert(status)),
          detail,
          Date.now(),
          AbortSignal.timeout(30_000),
        );
        expect([detail, status, answer.kind]).toEqual([detail, status, 'accepted']);
      }
    }
    const reported = receivers.requests().flatMap((notification) => notification.notifications);
    expect(new Set(reported.map(({ key }) => key)).size).toBe(1);
    const actions = reported.map(({ action }) => action);
    const knowsIncidents = ['alertmanager', 'pagerduty', 'webhook', 'templated_webhook'].includes(kind);
    expect(actions).toEqual(knowsIncidents ? [...turns, ...turns, ...turns] : actions.map(() => 'message'));
    expect(receivers.requests()).toHaveLength(6);
  });

  it('accepts texts of any length', async () => {
    const { send, receivers } = await sceneOf(kind);
    const long = 'ä€😀"\\\n'.repeat(20_000);
    const answer = await send(notificationOf(alert('firing', { annotations: { summary: long, description: long } })));
    expect(answer.kind).toBe('accepted');
    expect(receivers.requests()).toMatchObject([{ isAccepted: true }]);
  });

  it.each([
    [429, '7', { kind: 'limited', wait: 7_000 }],
    [429, undefined, { kind: 'limited' }],
    [503, '3', { kind: 'limited', wait: 3_000 }],
    [503, undefined, { kind: 'unavailable', answered: true }],
    [500, undefined, { kind: 'unavailable', answered: true }],
    [408, undefined, { kind: 'unavailable' }],
    [425, undefined, { kind: 'unavailable' }],
    [302, undefined, { kind: 'broken' }],
    [401, undefined, { kind: 'broken' }],
    [403, undefined, { kind: 'broken' }],
    [404, undefined, { kind: 'broken' }],
    [410, undefined, { kind: 'broken' }],
    [400, undefined, { kind: 'refused' }],
    [413, undefined, { kind: 'refused' }],
    [422, undefined, { kind: 'refused' }],
    [418, undefined, { kind: 'refused' }],
  ] as const)('that answers %d (Retry-After: %s)', async (status, retryAfter, expected) => {
    const header = retryAfter === undefined ? {} : { retryAfter };
    const { send } = await sceneOf(kind, { kind: 'refuse', status, ...header });
    const answer = await send(notificationOf(alert('firing')));
    expect(answer).toMatchObject(expected);
    expect(JSON.stringify(answer)).not.toMatch(/0123456789abcdef|T00000000|a key of ours/);
  });

  it('with Retry-After as a date', async () => {
    const until = new Date(Date.now() + 300_000).toUTCString();
    const { send } = await sceneOf(kind, { kind: 'refuse', status: 429, retryAfter: until });
    const answer = await send(notificationOf(alert('firing')));
    const wait = answer.kind === 'limited' ? (answer.wait ?? 0) : 0;
    expect(wait).toBeGreaterThan(200_000);
    expect(wait).toBeLessThanOrEqual(300_000);
  });

  it.each([true, false])(
    'is retried after a broken connection, even if the server accepted it (%s)',
    async (isAccepted) => {
      const { send, receivers } = await sceneOf(kind, { kind: 'drop', isAccepted });
      expect(await send(notificationOf(alert('firing')))).toMatchObject({ kind: 'unavailable', timedOut: false });
      expect(receivers.requests()).toMatchObject([{ isAccepted, answer: 'lost' }]);
    },
  );

  it('times out if it hangs, and is unreachable if it refuses connections', async () => {
    const { send, receivers } = await sceneOf(kind, { kind: 'hang', isAccepted: true });
    expect(await send(notificationOf(alert('firing')), 200)).toMatchObject({ kind: 'unavailable', timedOut: true });
    await receivers.setOpen('fake', false);
    expect(await send(notificationOf(alert('firing')))).toMatchObject({ kind: 'unavailable', answered: false });
  });
});

async function nodesAt(peer: Alertmanager): Promise<readonly string[]> {
  return (await peer.alerts()).map(({ labels }) => labels.node ?? '').toSorted();
}

const turns = ['trigger', 'resolve'];

describe.skipIf(findTool('prometheus-alertmanager') === undefined)('Alertmanager', () => {
  const labelled = (node: string): Alert => alert('firing', { labels: { alertname: 'Gone', node } });

  it('accepts the valid alerts of a batch, and names the invalid ones', async () => {
    const peer = await startAlertmanager();
    const notifier = notifierFor(settingsAt('alertmanager', peer.url));
    const bad = alert('firing', { labels: { 'no-name': 'x' } });
    const notification = notificationOf(labelled('m1'), bad, labelled('m2'));
    const answer = await notifier.send(notification, 'full', Date.now(), AbortSignal.timeout(30_000));
    expect(answer).toMatchObject({ kind: 'refused', rejectedIndexes: [1] });
    expect(await nodesAt(peer)).toEqual(['m1', 'm2']);
  });

  it('accepts a whole batch at once', async () => {
    const peer = await startAlertmanager();
    const notifier = notifierFor(settingsAt('alertmanager', peer.url));
    const alerts = Array.from({ length: notifier.traits.maxBatch }, (_, index) => labelled(`m${index}`));
    const answer = await notifier.send(notificationOf(...alerts), 'full', Date.now(), AbortSignal.timeout(30_000));
    expect(answer.kind).toBe('accepted');
    expect(await peer.alerts()).toHaveLength(alerts.length);
  });
});
