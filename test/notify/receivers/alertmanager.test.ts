import { describe, expect, it } from 'vitest';
import { failure } from '../../../src/kernel/failure.ts';
import type { OpenHttpPool } from '../../../src/kernel/http.ts';
import { err } from '../../../src/kernel/result.ts';
import type { Alert } from '../../../src/model/alert.ts';
import type { Detail } from '../../../src/notify/notifier.ts';
import { alertmanager } from '../../../src/notify/receivers/alertmanager.ts';
import { FakeClock } from '../../support/clock.ts';
import { answer, type Exchange, FakePool } from '../../support/fake-pool.ts';
import { alertStart, alertsNotification, firingAlert, resolvedAlert } from '../../support/notifications.ts';
import { formatContext, receiverSettings } from '../../support/receiver-settings.ts';
import { portsOver } from './receiver-ports.ts';

const now = alertStart + 200_000;
const forever = new AbortController().signal;

function read(alert: Alert, detail: Detail = 'full', at = now): Record<string, unknown> {
  const context = { ...formatContext, detail, now: at, options: { urls: ['http://am'] }, secrets: {} };
  return JSON.parse(alertmanager.format(alertsNotification(alert), context).body)[0];
}

function openPeers(urls: readonly string[], openPool: OpenHttpPool) {
  return alertmanager.open(receiverSettings('alertmanager', { urls }), '', { ...portsOver(new FakePool()), openPool });
}

describe('an Alertmanager alert', () => {
  it('that fires ends in 15 minutes unless it is sent again', () => {
    expect(read(firingAlert())).toEqual({
      labels: firingAlert().labels,
      annotations: firingAlert().annotations,
      startsAt: '2026-09-22T04:50:00.000Z',
      endsAt: '2026-09-22T05:08:20.000Z',
      generatorURL: 'https://warden.example.org/alerts',
    });
  });

  it('that is resolved ends in the past', () => {
    expect(read(resolvedAlert())).toMatchObject({ endsAt: '2026-09-22T04:53:00.000Z' });
    expect(read(resolvedAlert(), 'full', alertStart + 60_000)).toMatchObject({ endsAt: '2026-09-22T04:51:00.000Z' });
    const unsaid: Alert = firingAlert({ status: 'resolved' });
    expect(read(unsaid)).toMatchObject({ endsAt: new Date(now).toISOString() });
  });

  it('never ends before it starts, even if the clock was set back', () => {
    expect(read(resolvedAlert({ endsAt: alertStart - 5000 }))).toMatchObject({
      startsAt: '2026-09-22T04:49:55.000Z',
      endsAt: '2026-09-22T04:49:55.000Z',
    });
  });

  it('has no empty labels and no generatorURL that is not an address', () => {
    const alert = read(firingAlert({ labels: { alertname: 'A', graph: '' }, generatorUrl: '/alerts' }));
    expect(alert).toMatchObject({ labels: { alertname: 'A' } });
    expect(Object.keys(alert)).not.toContain('generatorURL');
    expect(JSON.stringify(alert)).not.toContain('graph"');
  });

  it('always contains the incident number, and little else in the short forms', () => {
    expect(read(firingAlert({ annotations: {} }))).toMatchObject({ annotations: { episode: '3' } });
    expect(read(firingAlert(), 'short').annotations).toEqual({ summary: 'GPE_1#1 on m1 is down', episode: '3' });
    expect(read(firingAlert(), 'minimal')).toMatchObject({
      annotations: { episode: '3' },
      labels: firingAlert().labels,
    });
  });
});

it('Alertmanager receiver › sends former labels of an incident, as firing until they no longer apply', () => {
  const context = { ...formatContext, detail: 'full' as const, now, options: { urls: ['http://am'] }, secrets: {} };
  const bodyOf = (alert: Alert) => JSON.parse(alertmanager.format(alertsNotification(alert), context).body);
  const formerLabels = [
    { labels: { alertname: 'A', severity: 'warning' } },
    { labels: { alertname: 'B' }, endsAt: alertStart + 1000 },
  ];
  const firing = '2026-09-22T05:08:20.000Z';
  expect(bodyOf(firingAlert({ formerLabels }))).toMatchObject([
    { labels: firingAlert().labels, endsAt: firing },
    { labels: { alertname: 'A', severity: 'warning' }, endsAt: firing },
    { labels: { alertname: 'B' }, endsAt: '2026-09-22T04:50:01.000Z' },
  ]);
  expect(bodyOf(resolvedAlert({ formerLabels }))).toMatchObject([
    { endsAt: '2026-09-22T04:53:00.000Z' },
    { endsAt: '2026-09-22T04:53:00.000Z' },
    { endsAt: '2026-09-22T04:50:01.000Z' },
  ]);
});

const request = 'POST /api/v2/alerts';
const stored: Exchange = [request, answer('', 200)];
const gone: Exchange = [request, err(failure('unreachable', 'the connection was refused'))];
const status = (code: number, headers = {}): Exchange => [request, answer('why', code, headers)];

async function sent(peers: readonly Exchange[], alerts: readonly Alert[] = [firingAlert()]) {
  const pools = peers.map((exchange) => new FakePool(exchange));
  const urls = pools.map((_, at) => `http://am-${at}:9093`);
  const opened: string[] = [];
  const notifier = openPeers(urls, ({ origin }) => {
    opened.push(origin);
    return pools[urls.indexOf(origin)] ?? new FakePool();
  });
  const given = await notifier.send(alertsNotification(...alerts), 'full', now, forever);
  await notifier.close();
  expect(pools.every(({ closed }) => closed)).toBe(true);
  return { given, bodies: pools.map(({ requests }) => requests[0]?.body), opened };
}

describe('several peers', () => {
  it('all get the same body, each at its own address', async () => {
    const { given, bodies, opened } = await sent([stored, stored, stored]);
    expect(given).toMatchObject({ kind: 'accepted', status: 200, proof: '' });
    expect(new Set(bodies).size).toBe(1);
    expect(opened).toEqual(['http://am-0:9093', 'http://am-1:9093', 'http://am-2:9093']);
  });

  it.each<[string, readonly Exchange[], string]>([
    ['one success is enough', [gone, status(500), stored], 'accepted'],
    ['a rejection precedes a peer without a reply', [gone, status(400)], 'refused'],
    ['a rate limit precedes a peer without a reply', [gone, status(429)], 'limited'],
    ['a peer without a reply precedes a wrong address', [status(404), gone], 'unavailable'],
    ['wrong addresses only are broken', [status(404), status(401)], 'broken'],
  ])('%s', async (_, peers, kind) => {
    expect((await sent(peers)).given.kind).toBe(kind);
  });

  it.each<[string, Exchange, string]>([
    ['is down', gone, 'unavailable'],
    ['fails', status(500), 'unavailable'],
    ['limits the rate', status(429), 'limited'],
    ['has a wrong address', status(404), 'broken'],
  ])('include one that %s in the rejection of another', async (_, peer, kind) => {
    expect((await sent([peer, status(400)])).given).toMatchObject({ kind: 'refused', otherPeer: { kind } });
  });

  it('reject the request together', async () => {
    expect((await sent([status(400), status(422)])).given).not.toHaveProperty('otherPeer');
  });
});

function openBoth(good: FakePool, bad: FakePool) {
  return openPeers(['http://bad', 'http://good'], ({ origin }) => (origin === 'http://bad' ? bad : good));
}

function bodiesOf({ requests }: FakePool) {
  return requests.map(({ body }) => body);
}

describe('a peer that hangs', () => {
  function hanging(signals: AbortSignal[]): Exchange {
    return [
      request,
      (_, signal) =>
        new Promise((resolve) => {
          signals.push(signal);
          const giveUp = (): void => resolve(err(failure('timeout', 'late')));
          if (signal.aborted) giveUp();
          signal.addEventListener('abort', giveUp, { once: true });
        }),
    ];
  }

  it('does not delay the result and gets no request until its timeout', async () => {
    const signals: AbortSignal[] = [];
    const bad = new FakePool(hanging(signals), stored);
    const notifier = openBoth(new FakePool(stored, stored, stored), bad);
    const tell = (at: number) => notifier.send(alertsNotification(firingAlert()), 'full', at, forever);
    expect(await tell(now)).toMatchObject({ kind: 'accepted' });
    expect(await tell(now + 29_999)).toMatchObject({ kind: 'accepted' });
    expect([bad.requests.length, signals[0]?.aborted]).toEqual([1, false]);
    expect(await tell(now + 30_000)).toMatchObject({ kind: 'accepted' });
    expect([bad.requests.length, signals[0]?.aborted]).toEqual([2, true]);
  });

  it('gets the next request after its reply', async () => {
    const signals: AbortSignal[] = [];
    const bad = new FakePool(hanging(signals), stored);
    const notifier = openBoth(new FakePool(stored, stored), bad);
    const deadline = new AbortController();
    await notifier.send(alertsNotification(firingAlert()), 'full', now, deadline.signal);
    deadline.abort();
    await new FakeClock().settle();
    await notifier.send(alertsNotification(firingAlert()), 'full', now + 1, forever);
    expect(bad.requests).toHaveLength(2);
  });

  it('gets the newest missed requests in order after its reply', async () => {
    const signals: AbortSignal[] = [];
    const bad = new FakePool(hanging(signals), stored, gone, stored, stored);
    const good = new FakePool(...Array.from({ length: 6 }, () => stored));
    const notifier = openBoth(good, bad);
    const deadline = new AbortController();
    await notifier.send(alertsNotification(firingAlert()), 'full', now, deadline.signal);
    for (const second of [1, 2, 3, 4, 5]) {
      await notifier.send(alertsNotification(firingAlert()), 'full', now + second * 1000, forever);
    }
    expect(bad.requests).toHaveLength(1);
    deadline.abort();
    await new FakeClock().settle();
    expect(bodiesOf(bad)).toEqual([...bodiesOf(good).slice(0, 1), ...bodiesOf(good).slice(2)]);
  });

  it('is part of the result if no other peer accepts, within the deadline', async () => {
    const deadline = new AbortController();
    const notifier = openBoth(new FakePool(gone), new FakePool(hanging([])));
    const sending = notifier.send(alertsNotification(firingAlert()), 'full', now, deadline.signal);
    deadline.abort();
    expect(await sending).toMatchObject({ kind: 'unavailable' });
  });

  it('is part of a rejection by another peer', async () => {
    const notifier = openBoth(new FakePool(stored, status(400)), new FakePool(hanging([])));
    await notifier.send(alertsNotification(firingAlert()), 'full', now, forever);
    expect(await notifier.send(alertsNotification(firingAlert()), 'full', now + 1, forever)).toMatchObject({
      kind: 'refused',
      otherPeer: { kind: 'unavailable' },
    });
  });

  it('is aborted on close', async () => {
    const signals: AbortSignal[] = [];
    const notifier = openBoth(new FakePool(stored), new FakePool(hanging(signals)));
    await notifier.send(alertsNotification(firingAlert()), 'full', now, forever);
    await notifier.close();
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('a rejection', () => {
  it('names the invalid alerts that it recognizes', async () => {
    const bad = [firingAlert({ labels: { 'no name': 'x' } }), firingAlert(), firingAlert({ labels: { graph: '' } })];
    expect((await sent([status(400)], bad)).given).toMatchObject({ kind: 'refused', rejectedIndexes: [0, 2] });
  });

  it('names no alert otherwise', async () => {
    expect((await sent([status(400)])).given).toEqual({
      kind: 'refused',
      status: 400,
      message: 'the receiver replied with status 400: why',
      request: { method: 'POST', url: 'http://am-0:9093/REDACTED' },
    });
  });
});

it('Alertmanager receiver › accepts 256 alerts in a request and is level-triggered', () => {
  expect(alertmanager.traits).toMatchObject({ maxBatch: 256, isLevelTriggered: true, minInterval: 0 });
});
