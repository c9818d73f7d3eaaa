import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { hasPassed, receiverTestTable, testReceiver } from '../../../src/cli/commands/alert-test.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import type { NotificationRequest, Notifier, ReceiverResponse } from '../../../src/notify/notifier.ts';
import { slack } from '../../../src/notify/receivers/slack.ts';
import type { ReceiverSettings } from '../../../src/notify/settings.ts';
import { testPorts } from '../../support/cli-ports.ts';
import { FakeClock } from '../../support/clock.ts';
import { freePort } from '../../support/free-port.ts';
import { configFile, livePorts } from '../../support/live-ports.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { type StaticRoutes, startStaticServer } from '../../support/static-server.ts';

const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:9' }] }];
const good: StaticRoutes = {
  'POST /api/v2/alerts': { body: '' },
  'POST /v2/enqueue': { status: 202, body: '{"status":"success"}' },
  'POST /hook': { body: '' },
};

function fileWith(receivers: readonly object[]): Promise<string> {
  return configFile({ clusters, alerts: { receivers } });
}

async function tried(receivers: readonly object[], ...more: readonly string[]) {
  const ports = livePorts();
  const code = await runCli(['alert', 'test', '--config', await fileWith(receivers), ...more], commands, ports);
  return { code, out: ports.stdout.text(), stderr: ports.stderr.text() };
}

describe('alert test', () => {
  it('sends a test notification to every receiver', async () => {
    const { url, seen } = await startStaticServer(good);
    const mail = await startMailServer();
    const { code, out, stderr } = await tried([
      { name: 'am', alertmanager: { urls: [url] } },
      { name: 'oncall', pagerduty: { url, routing_key: 'k'.repeat(32) } },
      { name: 'hook', webhook: { url: `${url}/hook` } },
      { name: 'mail', email: { smtp: `smtp://127.0.0.1:${mail.port}`, from: 'a@b', to: ['c@d'] } },
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['RECEIVER', 'KIND', 'TRIGGER', 'RESOLVE', 'RESPONSE'],
      ['am', 'alertmanager', 'accepted', 'accepted'],
      ['oncall', 'pagerduty', 'accepted', 'accepted'],
      ['hook', 'webhook', 'accepted', 'accepted'],
      ['mail', 'email', 'accepted', 'accepted'],
      [''],
      ['ROUTE', 'MATCHERS', 'RECEIVERS', 'FALLBACK', 'RESULT'],
      ['routes[0]', 'severity="critical"', 'am, oncall, hook, mail', '-', 'accepted'],
      ['routes[1]', 'every alert', 'am, oncall, hook, mail', '-', 'accepted'],
      [''],
    ]);
    const events = seen.filter((request) => request.url === '/v2/enqueue').map(({ body }) => JSON.parse(body));
    expect(events.map((event) => event.event_action)).toEqual(['trigger', 'resolve']);
    expect(new Set(events.map((event) => event.dedup_key)).size).toBe(1);
    expect(mail.mails).toHaveLength(2);
  });

  it('has another incident number in each run', async () => {
    const { url, seen } = await startStaticServer(good);
    const receivers = [{ name: 'oncall', pagerduty: { url, routing_key: 'k'.repeat(32) } }];
    await tried(receivers);
    await tried(receivers);
    expect(new Set(seen.map(({ body }) => JSON.parse(body).dedup_key)).size).toBe(2);
  });

  it('reports the failure of a receiver without its secret, and tests the others', async () => {
    const { url } = await startStaticServer(good);
    const { code, out } = await tried([
      { name: 'hook', webhook: { url: `${url}/hook` } },
      { name: 'chat', slack: { webhook_url: `${url}/canary-of-a-secret` } },
      { name: 'away', alertmanager: { urls: [`http://127.0.0.1:${await freePort()}`] } },
    ]);
    expect(code).toBe(1);
    expect(out).toMatch(/^hook +webhook +accepted +accepted$/m);
    expect(out).toMatch(/^chat +slack +broken +not sent +the receiver replied with status 404$/m);
    expect(out).toMatch(/^away +alertmanager +unavailable +unavailable +the connection was refused$/m);
    expect(out).not.toContain('canary');
  });

  it('fails if only some recipients of a mail or some peers accept it, and names the others', async () => {
    const { url } = await startStaticServer(good);
    const mail = await startMailServer();
    mail.refuse(550, 'gone@d');
    const closed = `http://127.0.0.1:${await freePort()}`;
    const { code, out } = await tried([
      { name: 'mail', email: { smtp: `smtp://127.0.0.1:${mail.port}`, from: 'a@b', to: ['c@d', 'gone@d'] } },
      { name: 'am', alertmanager: { urls: [url, closed] } },
      { name: 'hook', webhook: { url: `${url}/hook` } },
    ]);
    expect(code).toBe(1);
    const partly = 'partially accepted +partially accepted';
    expect(out).toMatch(new RegExp(`^mail +email +${partly} +the mail server rejected gone@d \\(550 no\\)$`, 'm'));
    expect(out).toMatch(new RegExp(`^am +alertmanager +${partly} +${closed}/\\S*: the connection was refused$`, 'm'));
    expect(out).toMatch(/^routes\[1\] .* not accepted by mail, am$/m);
  });

  it('tests every route: its receivers and its fallback', async () => {
    const { url } = await startStaticServer(good);
    const receivers = [
      { name: 'hook', webhook: { url: `${url}/hook` } },
      { name: 'am', alertmanager: { urls: [url] } },
      { name: 'broken', webhook: { url: `${url}/missing` } },
    ];
    const routes = [
      { matchers: ['severity="critical"'], receivers: ['hook'], fallback: 'broken' },
      { matchers: ['cluster_name="prod"'], receivers: ['hook', 'am'] },
      { receivers: [] },
    ];
    const ports = livePorts();
    const file = await configFile({ clusters, alerts: { receivers, routes } });
    expect(await runCli(['alert', 'test', '--config', file], commands, ports)).toBe(1);
    const [, table = ''] = ports.stdout.text().split('\n\n');
    expect(table.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ROUTE', 'MATCHERS', 'RECEIVERS', 'FALLBACK', 'RESULT'],
      ['routes[0]', 'severity="critical"', 'hook', 'broken', 'not accepted by broken'],
      ['routes[1]', 'cluster_name="prod"', 'hook, am', '-', 'accepted'],
      ['routes[2]', 'every alert', '-', '-', 'drops alerts'],
      [''],
    ]);
  });

  it('can test a single receiver', async () => {
    const { url, seen } = await startStaticServer(good);
    const { code, out } = await tried(
      [
        { name: 'hook', webhook: { url: `${url}/hook` } },
        { name: 'am', alertmanager: { urls: [url] } },
      ],
      '--receiver',
      'hook',
    );
    expect(code).toBe(0);
    expect(out).not.toMatch(/am |ROUTE/);
    expect(seen.map((request) => request.url)).toEqual(['/hook', '/hook']);
  });
});

describe('invalid usage of `alert test`', () => {
  it('is a usage error without a configuration', async () => {
    const ports = testPorts();
    expect(await runCli(['alert', 'test'], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toContain('required option --config FILE not specified');
  });

  it('fails with an invalid configuration', async () => {
    const { code, stderr } = await tried([{ name: 'hook' }]);
    expect(code).toBe(2);
    expect(stderr).toContain('needs exactly one of');
  });

  it('suggests a similar name for an unknown receiver', async () => {
    const hook = { name: 'hook', webhook: { url: 'http://127.0.0.1:9/x' } };
    const { code, stderr } = await tried([hook], '--receiver', 'hok');
    expect(code).toBe(2);
    expect(stderr).toContain("unknown receiver 'hok': did you mean 'hook'?");
    expect((await tried([hook], '--receiver', 'zzzzzzzz')).stderr).toMatch(
      /unknown receiver 'zzzzzzzz': known receivers: hook\n/,
    );
  });

  it('fails with a configuration without receivers', async () => {
    const { code, stderr } = await tried([]);
    expect(code).toBe(1);
    expect(stderr).toContain('alerts.receivers');
  });
});

const settings: ReceiverSettings = {
  name: 'chat',
  heartbeat: false,
  kind: 'slack',
  options: {},
  secrets: { webhook_url: { file: 'slack.url' } },
};
const accepted: ReceiverResponse = { kind: 'accepted' };
const away: ReceiverResponse = {
  kind: 'unavailable',
  answered: false,
  timedOut: false,
  message: 'the connection was refused',
};

interface Sent {
  readonly request: NotificationRequest;
  readonly at: number;
}

async function testWith(...answers: readonly ReceiverResponse[]) {
  const clock = new FakeClock();
  const sent: Sent[] = [];
  const left = [...answers];
  const notifier: Notifier = {
    traits: slack.traits,
    send: async (request, detail, at) => {
      expect(detail).toBe('full');
      sent.push({ request, at });
      const answer = left.shift();
      if (answer === undefined) throw new Error('one request too many');
      return answer;
    },
    recipient: async () => 'someone',
    close: () => Promise.resolve(),
  };
  const trial = testReceiver(settings, notifier, 'k'.repeat(64), clock);
  await clock.advance(1000);
  const result = await trial;
  expect([left, clock.sleeping]).toEqual([[], 0]);
  return { result, sent };
}

describe('test of a receiver', () => {
  it('sends a trigger and, after the minimum interval, a resolve', async () => {
    const { result, sent } = await testWith(accepted, accepted);
    expect(result).toEqual({ receiver: 'chat', kind: 'slack', trigger: 'accepted', resolve: 'accepted', message: '' });
    expect(hasPassed(result)).toBe(true);
    const [trigger, resolve] = sent.map(({ request }) => (request.kind === 'alerts' ? request.alerts[0] : undefined));
    expect([trigger?.status, resolve?.status]).toEqual(['firing', 'resolved']);
    expect([resolve?.key, resolve?.episode, resolve?.labels]).toEqual([
      trigger?.key,
      trigger?.episode,
      trigger?.labels,
    ]);
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBe(1000);
    expect(resolve?.endsAt).toBe(sent[1]?.at);
    expect(trigger).toMatchObject({ severity: 'info', annotations: { summary: expect.stringContaining('test') } });
  });

  it.each<ReceiverResponse>([
    { kind: 'broken', message: 'why' },
    { kind: 'refused', message: 'why' },
    { kind: 'limited', wait: 1000, message: 'why' },
  ])('sends no resolve for a rejected trigger: $kind', async (answer) => {
    const { result } = await testWith(answer);
    expect(result).toMatchObject({ trigger: answer.kind, resolve: 'not sent', message: 'why' });
    expect(hasPassed(result)).toBe(false);
  });

  it('sends a resolve if the trigger may have been accepted', async () => {
    const { result } = await testWith(away, accepted);
    expect(result).toMatchObject({
      trigger: 'unavailable',
      resolve: 'accepted',
      message: 'the connection was refused',
    });
    expect(hasPassed(result)).toBe(false);
  });

  it('fails if only the trigger was accepted', async () => {
    const { result } = await testWith(accepted, away);
    expect(result).toMatchObject({ trigger: 'accepted', resolve: 'unavailable', message: away.message });
    expect(hasPassed(result)).toBe(false);
  });

  it('times out after 30 s, like the daemon', async () => {
    const clock = new FakeClock();
    const aborted: boolean[] = [];
    const notifier: Notifier = {
      traits: { ...slack.traits, minInterval: 0 },
      send: (_, __, ___, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(signal.aborted);
            resolve({ kind: 'broken', message: 'late' });
          });
        }),
      recipient: async () => 'someone',
      close: () => Promise.resolve(),
    };
    const trial = testReceiver(settings, notifier, 'k', clock);
    await clock.advance(29_000);
    expect(aborted).toEqual([]);
    await clock.advance(1000);
    expect((await trial).message).toBe('late');
  });
});

it('table has a row for each receiver and no control characters', () => {
  const trial = { receiver: 'chat', kind: 'slack', trigger: 'accepted', resolve: 'accepted', message: '' } as const;
  const bad = { ...trial, receiver: 'oncall', trigger: 'broken', resolve: 'not sent', message: 'a\u001B[2J' } as const;
  expect(receiverTestTable([trial, bad])).toBe(
    [
      'RECEIVER  KIND   TRIGGER   RESOLVE   RESPONSE',
      'chat      slack  accepted  accepted',
      'oncall    slack  broken    not sent  a [2J',
      '',
    ].join('\n'),
  );
});
