import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Failure, failure } from '../../src/kernel/failure.ts';
import type { HttpReply } from '../../src/kernel/http.ts';
import { err, type Result } from '../../src/kernel/result.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { Answer, Notifier } from '../../src/notify/notifier.ts';
import { openNotifier } from '../../src/notify/open-notifier.ts';
import type { ReceiverSettings } from '../../src/notify/settings.ts';
import { digest } from '../../src/runtime/digest.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { answer, type Exchange, FakePool } from '../support/fake-pool.ts';
import { alertOf, alertsLetter, digestLetter, resolvedOf } from '../support/letters.ts';

const now = Date.UTC(2026, 8, 22, 4, 53, 20);
const forever = new AbortController().signal;
const hush = 'canary-0123456789abcdef';
const slackPath = `/services/T0/B0/${hush}`;

interface Kind {
  readonly way: ReceiverSettings['way'];
  readonly request: string;
  readonly accepted: Result<HttpReply, Failure>;
}

const kinds: Readonly<Record<string, Kind>> = {
  alertmanager: {
    way: { kind: 'alertmanager', urls: [`http://receiver.test/${hush}`] },
    request: `POST /${hush}/api/v2/alerts`,
    accepted: answer('', 200),
  },
  pagerduty: {
    way: { kind: 'pagerduty', url: 'http://receiver.test', routingKey: { value: new Secret(hush) } },
    request: 'POST /v2/enqueue',
    accepted: answer({ status: 'success', message: 'Event processed' }, 202),
  },
  slack: {
    way: { kind: 'slack', webhookUrl: { value: new Secret(`http://receiver.test${slackPath}`) } },
    request: `POST ${slackPath}`,
    accepted: answer('ok', 200),
  },
  webhook: {
    way: {
      kind: 'webhook',
      url: { value: new Secret(`http://receiver.test/hooks/${hush}?token=${hush}`) },
      hmacKey: { value: new Secret(hush) },
    },
    request: `POST /hooks/${hush}?token=${hush}`,
    accepted: answer('whatever', 204),
  },
};
const names = Object.keys(kinds);

function kindOf(name: string): Kind {
  const kind = kinds[name];
  if (kind === undefined) throw new Error(`there is no ${name}`);
  return kind;
}

function noMail(): Promise<never> {
  return Promise.reject(new Error('no mail here'));
}

function openOver(way: ReceiverSettings['way'], pool: FakePool, files = new FakeFiles()): Notifier {
  const open = openNotifier({ openPool: () => pool, sendMail: noMail, digest, files });
  return open({ name: 'one', heartbeat: false, way }, { externalUrl: 'https://warden.example.org' });
}

function tell(notifier: Notifier, letter = alertsLetter(alertOf())): Promise<Answer> {
  return notifier.send(letter, 'full', now, forever);
}

/** What a receiver made of one exchange. */
async function meaning(name: string, reply: Exchange[1]): Promise<Answer> {
  const { way, request } = kindOf(name);
  return await tell(openOver(way, new FakePool([request, reply])));
}

const echo = `no such key ${hush} at http://receiver.test${slackPath}`;

describe.each(names)('%s', (name) => {
  it('accepts', async () => {
    expect(await meaning(name, kindOf(name).accepted)).toMatchObject({ kind: 'accepted' });
  });

  it('accepts the end as well', async () => {
    const { way, request, accepted } = kindOf(name);
    const notifier = openOver(way, new FakePool([request, accepted]));
    expect(await tell(notifier, alertsLetter(resolvedOf()))).toMatchObject({ kind: 'accepted' });
  });

  it.each<[number, Answer['kind']]>([
    [300, 'broken'],
    [400, 'refused'],
    [401, 'broken'],
    [402, 'refused'],
    [403, 'broken'],
    [404, 'broken'],
    [405, 'refused'],
    [408, 'unavailable'],
    [409, 'refused'],
    [410, 'broken'],
    [413, 'refused'],
    [422, 'refused'],
    [425, 'unavailable'],
    [429, 'limited'],
    [500, 'unavailable'],
    [501, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
    [504, 'unavailable'],
  ])('answers with %d: %s, and shows no secret that the answer repeats', async (status, kind) => {
    const given = await meaning(name, answer(echo, status, { 'content-type': 'text/plain' }));
    expect(given).toMatchObject({ kind, message: expect.stringContaining(`status ${status}`) });
    expect(JSON.stringify(given)).not.toContain(hush);
  });

  it.each([429, 503])('says with %d how long to wait: in seconds, or as a date', async (status) => {
    const seconds = await meaning(name, answer('', status, { 'retry-after': '42' }));
    expect(seconds).toMatchObject({ kind: 'limited', wait: 42_000 });
    const date = await meaning(name, answer('', status, { 'retry-after': 'Tue, 22 Sep 2026 04:54:20 GMT' }));
    expect(date).toMatchObject({ kind: 'limited', wait: 60_000 });
  });

  it('does not answer', async () => {
    const refused = err(failure('unreachable', 'the connection was refused'));
    const late = err(failure('timeout', 'no complete answer within the deadline'));
    expect(await meaning(name, refused)).toMatchObject({ kind: 'unavailable', answered: false, timedOut: false });
    expect(await meaning(name, late)).toMatchObject({ kind: 'unavailable', answered: false, timedOut: true });
    const redirect = err(failure('unreachable', 'the server redirects', { status: 307 }));
    expect(await meaning(name, redirect)).toMatchObject({ kind: 'broken' });
  });

  it('gives the caller’s deadline on, and closes its connections', async () => {
    const { way, request, accepted } = kindOf(name);
    const deadline = new AbortController();
    const signals: AbortSignal[] = [];
    const pool = new FakePool([
      request,
      (_, signal) => {
        signals.push(signal);
        return accepted;
      },
    ]);
    const notifier = openOver(way, pool);
    await notifier.send(alertsLetter(alertOf()), 'full', now, deadline.signal);
    expect(signals[0]?.aborted).toBe(false);
    deadline.abort();
    expect(signals[0]?.aborted).toBe(true);
    await notifier.close();
    expect(pool.closed).toBe(true);
  });

  it('sends less and less when it was refused, and always which incident it is', async () => {
    const { way, request, accepted } = kindOf(name);
    const pool = new FakePool([request, accepted], [request, accepted], [request, accepted]);
    const notifier = openOver(way, pool);
    const long = alertOf({ annotations: { summary: 'x'.repeat(3000), description: 'y'.repeat(3000), episode: '3' } });
    for (const detail of ['full', 'short', 'minimal'] as const) {
      expect(await notifier.send(alertsLetter(long), detail, now, forever)).toMatchObject({ kind: 'accepted' });
    }
    const lengths = pool.requests.map(({ body = '' }) => body.length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => other - one));
    expect(lengths[2]).toBeLessThan(1200);
    for (const { body = '' } of pool.requests) expect(body).toMatch(/"episode":"3"|a1b2c3d4e5f6-3/);
  });

  it('sends what can be read, whatever the texts hold', async () => {
    const { way, request, accepted } = kindOf(name);
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    const texts = fc.record({ summary: text, description: text, runbook_url: text, node: text, service_name: text });
    await fc.assert(
      fc.asyncProperty(texts, async ({ node, service_name, ...annotations }) => {
        const pool = new FakePool([request, accepted]);
        const alert = alertOf({ annotations, labels: { alertname: 'A', node, service_name } });
        expect(await tell(openOver(way, pool), alertsLetter(alert))).toMatchObject({ kind: 'accepted' });
        const body = pool.requests[0]?.body ?? '';
        expect(JSON.stringify(JSON.parse(body)).isWellFormed()).toBe(true);
        expect(body).not.toMatch(/\\u[dD][89a-fA-F]/);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps within its traits', () => {
    const { traits } = openOver(kindOf(name).way, new FakePool());
    expect(traits.batch).toBeGreaterThan(0);
    expect(traits.forgets).toBe(name === 'alertmanager');
    expect(traits.takesDigests).toBe(name === 'slack');
  });
});

it.each(['alertmanager', 'pagerduty', 'webhook'])('%s takes nothing but alerts', async (name) => {
  const notifier = openOver(kindOf(name).way, new FakePool());
  expect(await notifier.send(digestLetter(1), 'full', now, forever)).toMatchObject({ kind: 'refused' });
});

it.each(['alertmanager', 'pagerduty', 'slack'])('a page for browsers is no answer of %s', async (name) => {
  const page = answer('<html>Please log in', 200, { 'content-type': 'text/html; charset=utf-8' });
  expect(await meaning(name, page)).toMatchObject({ kind: 'broken' });
});

describe('a secret in a file', () => {
  const ways: readonly (readonly [string, ReceiverSettings['way'], string])[] = [
    [
      'pagerduty',
      { kind: 'pagerduty', url: 'http://receiver.test', routingKey: { file: 'secret' } },
      'POST /v2/enqueue',
    ],
    [
      'webhook',
      { kind: 'webhook', url: { value: new Secret('http://receiver.test/x') }, hmacKey: { file: 'secret' } },
      'POST /x',
    ],
  ];

  it.each(ways)('of %s is read again when it changes', async (name, way, request) => {
    const { accepted } = kindOf(name);
    const files = new FakeFiles({ secret: 'first\n' });
    const pool = new FakePool([request, accepted], [request, accepted], [request, accepted]);
    const notifier = openOver(way, pool, files);
    await tell(notifier);
    await tell(notifier);
    expect(files.reads).toEqual(['secret']);
    files.write('secret', 'second');
    await tell(notifier);
    const [one, same, other] = pool.requests.map(({ headers, body }) => JSON.stringify([headers, body]));
    expect([one === same, one === other]).toEqual([true, false]);
  });

  it.each<readonly [string, (file: string) => ReceiverSettings['way']]>([
    ['Slack', (file) => ({ kind: 'slack', webhookUrl: { file } })],
    ['a webhook', (file) => ({ kind: 'webhook', url: { file } })],
  ])('of %s may move the address to another server', async (_, wayOf) => {
    const files = new FakeFiles({ url: 'http://one.test/a\n' });
    const opened: string[] = [];
    const pools = [new FakePool(['POST /a', answer('ok')]), new FakePool(['POST /b', answer('ok')])];
    const openPool = ({ origin }: { readonly origin: string }) => pools[opened.push(origin) - 1] ?? new FakePool();
    const open = openNotifier({ openPool, sendMail: noMail, digest, files });
    const notifier = open({ name: 'chat', heartbeat: false, way: wayOf('url') }, {});
    await tell(notifier);
    files.write('url', 'http://two.test/b');
    await tell(notifier);
    expect(opened).toEqual(['http://one.test', 'http://two.test']);
  });

  it.each([
    ...ways,
    ['slack', { kind: 'slack', webhookUrl: { file: 'secret' } }, ''] as const,
    ['webhook by its address', { kind: 'webhook', url: { file: 'secret' } }, ''] as const,
  ])('that cannot be read makes %s broken', async (_, way) => {
    expect(await tell(openOver(way, new FakePool()))).toEqual({
      kind: 'broken',
      message: "there is no secret: cannot read 'secret': there is no such file",
    });
  });

  it.each<readonly [string, ReceiverSettings['way']]>([
    ['Slack', { kind: 'slack', webhookUrl: { value: new Secret(hush) } }],
    ['a webhook', { kind: 'webhook', url: { value: new Secret(hush) } }],
  ])('of %s that is no address is not shown', async (_, way) => {
    const given = await tell(openOver(way, new FakePool()));
    expect(given).toMatchObject({ kind: 'broken', message: expect.stringContaining('no address') });
    expect(JSON.stringify(given)).not.toContain(hush);
  });
});
