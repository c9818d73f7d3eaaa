import { describe, expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import type { Alert } from '../../src/model/alert.ts';
import type { Answer, Letter, Notifier } from '../../src/notify/notifier.ts';
import { openNotifier } from '../../src/notify/open-notifier.ts';
import type { ReceiverWay } from '../../src/notify/settings.ts';
import { digest } from '../../src/runtime/digest.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { sendMail } from '../../src/runtime/mail.ts';
import { type ReceiverKind, receiverKinds } from '../../src/simulator/receivers/letter.ts';
import type { Manner } from '../../src/simulator/receivers/manner.ts';
import type { Receivers } from '../../src/simulator/receivers/receivers.ts';
import { addressOf, fakeReceivers } from '../support/alerting-scene.ts';
import { type Alertmanager, startAlertmanager } from '../support/alertmanager.ts';
import { findTool } from '../support/tools.ts';

const open = openNotifier({ openPool: openHttpPool, sendMail, digest, files: systemFiles });
const routingKey = '0123456789abcdef0123456789abcdef';

function notifierFor(way: ReceiverWay): Notifier {
  const notifier = open({ name: 'fake', heartbeat: false, way }, { externalUrl: 'https://warden.example.org' });
  onTestFinished(() => notifier.close());
  return notifier;
}

function wayTo(kind: ReceiverKind, url: string): ReceiverWay {
  const ways: Readonly<Record<ReceiverKind, ReceiverWay>> = {
    alertmanager: { kind: 'alertmanager', urls: [url] },
    pagerduty: { kind: 'pagerduty', url, routingKey: { value: new Secret(routingKey) } },
    slack: { kind: 'slack', webhookUrl: { value: new Secret(url) } },
    webhook: { kind: 'webhook', url: { value: new Secret(url) }, hmacKey: { value: new Secret('a key of ours') } },
  };
  return ways[kind];
}

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

function letterOf(...alerts: readonly Alert[]): Letter {
  return { kind: 'alerts', group: { cluster_name: 'c' }, alerts, again: false };
}

interface Scene {
  readonly receivers: Receivers;
  readonly send: (letter: Letter, within?: number) => Promise<Answer>;
}

async function sceneOf(kind: ReceiverKind, manner: Manner = { kind: 'healthy' }): Promise<Scene> {
  const receivers = await fakeReceivers({ name: 'fake', kind, manner });
  const notifier = notifierFor(wayTo(kind, addressOf(receivers, 'fake')));
  return {
    receivers,
    send: (letter, within = 30_000) => notifier.send(letter, 'full', Date.now(), AbortSignal.timeout(within)),
  };
}

describe.each(receiverKinds)('%s', (kind) => {
  it('takes a trigger and its resolve in every length, as one incident', async () => {
    const receivers = await fakeReceivers({ name: 'fake', kind });
    const notifier = notifierFor(wayTo(kind, addressOf(receivers, 'fake')));
    for (const detail of ['full', 'short', 'minimal'] as const) {
      for (const status of ['firing', 'resolved'] as const) {
        const answer = await notifier.send(letterOf(alert(status)), detail, Date.now(), AbortSignal.timeout(30_000));
        expect([detail, status, answer.kind]).toEqual([detail, status, 'accepted']);
      }
    }
    const told = receivers.letters().flatMap((letter) => letter.told);
    expect(told).toHaveLength(6);
    expect(new Set(told.map(({ key }) => key)).size).toBe(1);
    const actions = told.map(({ action }) => action);
    expect(actions).toEqual(kind === 'slack' ? actions.map(() => 'message') : [...turns, ...turns, ...turns]);
  });

  it('takes texts of any length', async () => {
    const { send, receivers } = await sceneOf(kind);
    const long = 'ä€😀"\\\n'.repeat(20_000);
    const answer = await send(letterOf(alert('firing', { annotations: { summary: long, description: long } })));
    expect(answer.kind).toBe('accepted');
    expect(receivers.letters()).toMatchObject([{ taken: true }]);
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
    const answer = await send(letterOf(alert('firing')));
    expect(answer).toMatchObject(expected);
    expect(JSON.stringify(answer)).not.toMatch(/0123456789abcdef|T00000000|a key of ours/);
  });

  it('that says until when to wait as a date', async () => {
    const until = new Date(Date.now() + 300_000).toUTCString();
    const { send } = await sceneOf(kind, { kind: 'refuse', status: 429, retryAfter: until });
    const answer = await send(letterOf(alert('firing')));
    const wait = answer.kind === 'limited' ? (answer.wait ?? 0) : 0;
    expect(wait).toBeGreaterThan(200_000);
    expect(wait).toBeLessThanOrEqual(300_000);
  });

  it.each([true, false])('that breaks off may have taken the letter (%s): it is tried again', async (taken) => {
    const { send, receivers } = await sceneOf(kind, { kind: 'drop', taken });
    expect(await send(letterOf(alert('firing')))).toMatchObject({ kind: 'unavailable', timedOut: false });
    expect(receivers.letters()).toMatchObject([{ taken, answer: 'lost' }]);
  });

  it('that hangs is left in time, and that refuses connections is not there', async () => {
    const { send, receivers } = await sceneOf(kind, { kind: 'hang', taken: true });
    expect(await send(letterOf(alert('firing')), 200)).toMatchObject({ kind: 'unavailable', timedOut: true });
    await receivers.open('fake', false);
    expect(await send(letterOf(alert('firing')))).toMatchObject({ kind: 'unavailable', answered: false });
  });
});

async function nodesAt(peer: Alertmanager): Promise<readonly string[]> {
  return (await peer.alerts()).map(({ labels }) => labels.node ?? '').toSorted();
}

const turns = ['trigger', 'resolve'];

describe.skipIf(findTool('prometheus-alertmanager') === undefined)('a real Alertmanager', () => {
  const labelled = (node: string): Alert => alert('firing', { labels: { alertname: 'Gone', node } });

  it('keeps the good ones of a letter, and we know which were bad', async () => {
    const peer = await startAlertmanager();
    const notifier = notifierFor({ kind: 'alertmanager', urls: [peer.url] });
    const bad = alert('firing', { labels: { 'no-name': 'x' } });
    const letter = letterOf(labelled('m1'), bad, labelled('m2'));
    const answer = await notifier.send(letter, 'full', Date.now(), AbortSignal.timeout(30_000));
    expect(answer).toMatchObject({ kind: 'refused', culprits: [1] });
    expect(await nodesAt(peer)).toEqual(['m1', 'm2']);
  });

  it('takes a whole batch at once', async () => {
    const peer = await startAlertmanager();
    const notifier = notifierFor({ kind: 'alertmanager', urls: [peer.url] });
    const alerts = Array.from({ length: notifier.traits.batch }, (_, index) => labelled(`m${index}`));
    const answer = await notifier.send(letterOf(...alerts), 'full', Date.now(), AbortSignal.timeout(30_000));
    expect(answer.kind).toBe('accepted');
    expect(await peer.alerts()).toHaveLength(alerts.length);
  });
});
