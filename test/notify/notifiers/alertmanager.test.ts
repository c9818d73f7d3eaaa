import { describe, expect, it } from 'vitest';
import { failure } from '../../../src/kernel/failure.ts';
import { err } from '../../../src/kernel/result.ts';
import type { Alert } from '../../../src/model/alert.ts';
import {
  alertmanagerTraits,
  formatAlertmanager,
  openAlertmanager,
} from '../../../src/notify/notifiers/alertmanager.ts';
import { FakeClock } from '../../support/clock.ts';
import { answer, type Exchange, FakePool } from '../../support/fake-pool.ts';
import { alertOf, alertsLetter, began, resolvedOf } from '../../support/letters.ts';

const now = began + 200_000;
const forever = new AbortController().signal;

function read(alert: Alert, detail: 'full' | 'short' | 'minimal' = 'full', at = now): Record<string, unknown> {
  return JSON.parse(formatAlertmanager([alert], detail, at))[0];
}

describe('an alert for Alertmanager', () => {
  it('that fires is open for a quarter of an hour unless it is told again', () => {
    expect(read(alertOf())).toEqual({
      labels: alertOf().labels,
      annotations: alertOf().annotations,
      startsAt: '2026-09-22T04:50:00.000Z',
      endsAt: '2026-09-22T05:08:20.000Z',
      generatorURL: 'https://warden.example.org/alerts',
    });
  });

  it('that is over ended when it did, never in the future', () => {
    expect(read(resolvedOf())).toMatchObject({ endsAt: '2026-09-22T04:53:00.000Z' });
    expect(read(resolvedOf(), 'full', began + 60_000)).toMatchObject({ endsAt: '2026-09-22T04:51:00.000Z' });
    const unsaid: Alert = alertOf({ status: 'resolved' });
    expect(read(unsaid)).toMatchObject({ endsAt: new Date(now).toISOString() });
  });

  it('never ends before it begins, though our clock was set back', () => {
    expect(read(resolvedOf({ endsAt: began - 5000 }))).toMatchObject({
      startsAt: '2026-09-22T04:49:55.000Z',
      endsAt: '2026-09-22T04:49:55.000Z',
    });
  });

  it('has no empty labels and no address that is none', () => {
    const alert = read(alertOf({ labels: { alertname: 'A', graph: '' }, generatorUrl: '/alerts' }));
    expect(alert).toMatchObject({ labels: { alertname: 'A' } });
    expect(Object.keys(alert)).not.toContain('generatorURL');
    expect(JSON.stringify(alert)).not.toContain('graph"');
  });

  it('always says which episode it is, and after a refusal little else', () => {
    expect(read(alertOf({ annotations: {} }))).toMatchObject({ annotations: { episode: '3' } });
    expect(read(alertOf(), 'short').annotations).toEqual({ summary: 'GPE 1#1 on m1 is down', episode: '3' });
    expect(read(alertOf(), 'minimal')).toMatchObject({ annotations: { episode: '3' }, labels: alertOf().labels });
  });
});

const request = 'POST /api/v2/alerts';
const stored: Exchange = [request, answer('', 200)];
const gone: Exchange = [request, err(failure('unreachable', 'the connection was refused'))];
const status = (code: number, headers = {}): Exchange => [request, answer('why', code, headers)];

async function sent(peers: readonly Exchange[], alerts: readonly Alert[] = [alertOf()]) {
  const pools = peers.map((exchange) => new FakePool(exchange));
  const urls = pools.map((_, at) => `http://am-${at}:9093`);
  const opened: string[] = [];
  const notifier = openAlertmanager(urls, ({ origin }) => {
    opened.push(origin);
    return pools[urls.indexOf(origin)] ?? new FakePool();
  });
  const given = await notifier.send(alertsLetter(...alerts), 'full', now, forever);
  await notifier.close();
  expect(pools.every(({ closed }) => closed)).toBe(true);
  return { given, bodies: pools.map(({ requests }) => requests[0]?.body), opened };
}

describe('several peers', () => {
  it('all get the same, each at its own address', async () => {
    const { given, bodies, opened } = await sent([stored, stored, stored]);
    expect(given).toEqual({ kind: 'accepted' });
    expect(new Set(bodies).size).toBe(1);
    expect(opened).toEqual(['http://am-0:9093', 'http://am-1:9093', 'http://am-2:9093']);
  });

  it.each<[string, readonly Exchange[], string]>([
    ['one of them is enough', [gone, status(500), stored], 'accepted'],
    ['one that refuses counts before one that is away', [gone, status(400)], 'refused'],
    ['one that asks to wait counts before one that is away', [gone, status(429)], 'limited'],
    ['one that may come back counts before one that is not there', [status(404), gone], 'unavailable'],
    ['all wrong is broken', [status(404), status(401)], 'broken'],
  ])('%s', async (_, peers, kind) => {
    expect((await sent(peers)).given.kind).toBe(kind);
  });

  it('without any there is nothing to try', async () => {
    expect((await sent([])).given.kind).toBe('unavailable');
  });
});

function openBoth(good: FakePool, bad: FakePool) {
  return openAlertmanager(['http://bad', 'http://good'], ({ origin }) => (origin === 'http://bad' ? bad : good));
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

  it('is not waited for, nor asked again, until it was given up', async () => {
    const signals: AbortSignal[] = [];
    const bad = new FakePool(hanging(signals), stored);
    const notifier = openBoth(new FakePool(stored, stored, stored), bad);
    const tell = (at: number) => notifier.send(alertsLetter(alertOf()), 'full', at, forever);
    expect(await tell(now)).toMatchObject({ kind: 'accepted' });
    expect(await tell(now + 29_999)).toMatchObject({ kind: 'accepted' });
    expect([bad.requests.length, signals[0]?.aborted]).toEqual([1, false]);
    expect(await tell(now + 30_000)).toMatchObject({ kind: 'accepted' });
    expect([bad.requests.length, signals[0]?.aborted]).toEqual([2, true]);
  });

  it('is asked again as soon as it has answered', async () => {
    const signals: AbortSignal[] = [];
    const bad = new FakePool(hanging(signals), stored);
    const notifier = openBoth(new FakePool(stored, stored), bad);
    const deadline = new AbortController();
    await notifier.send(alertsLetter(alertOf()), 'full', now, deadline.signal);
    deadline.abort();
    await new FakeClock().settle();
    await notifier.send(alertsLetter(alertOf()), 'full', now + 1, forever);
    expect(bad.requests).toHaveLength(2);
  });

  it('gets what came meanwhile when it has answered, in order, and the newest of much', async () => {
    const signals: AbortSignal[] = [];
    const bad = new FakePool(hanging(signals), stored, gone, stored, stored);
    const good = new FakePool(...Array.from({ length: 6 }, () => stored));
    const notifier = openBoth(good, bad);
    const deadline = new AbortController();
    await notifier.send(alertsLetter(alertOf()), 'full', now, deadline.signal);
    for (const second of [1, 2, 3, 4, 5]) {
      await notifier.send(alertsLetter(alertOf()), 'full', now + second * 1000, forever);
    }
    expect(bad.requests).toHaveLength(1);
    deadline.abort();
    await new FakeClock().settle();
    expect(bodiesOf(bad)).toEqual([...bodiesOf(good).slice(0, 1), ...bodiesOf(good).slice(2)]);
  });

  it('counts where no other has accepted, within the deadline of the letter', async () => {
    const deadline = new AbortController();
    const notifier = openBoth(new FakePool(gone), new FakePool(hanging([])));
    const sending = notifier.send(alertsLetter(alertOf()), 'full', now, deadline.signal);
    deadline.abort();
    expect(await sending).toMatchObject({ kind: 'unavailable' });
  });

  it('is let go when all ends', async () => {
    const signals: AbortSignal[] = [];
    const notifier = openBoth(new FakePool(stored), new FakePool(hanging(signals)));
    await notifier.send(alertsLetter(alertOf()), 'full', now, forever);
    await notifier.close();
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe('a refusal', () => {
  it('names the alerts at fault, where they show', async () => {
    const bad = [alertOf({ labels: { 'no name': 'x' } }), alertOf(), alertOf({ labels: { graph: '' } })];
    expect((await sent([status(400)], bad)).given).toMatchObject({ kind: 'refused', culprits: [0, 2] });
  });

  it('otherwise names none', async () => {
    expect((await sent([status(400)])).given).toEqual({ kind: 'refused', message: 'answered with status 400: why' });
  });
});

it('takes 256 alerts at once and forgets them', () => {
  expect(alertmanagerTraits).toMatchObject({ batch: 256, forgets: true, spacing: 0 });
});
