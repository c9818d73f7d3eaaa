import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { testPorts } from '../../support/cli-ports.ts';
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
  return { code, out: ports.stdout.text(), trouble: ports.stderr.text() };
}

describe('alert test', () => {
  it('proves the way to every receiver', async () => {
    const { url, seen } = await startStaticServer(good);
    const mail = await startMailServer();
    const { code, out, trouble } = await tried([
      { name: 'am', alertmanager: { urls: [url] } },
      { name: 'oncall', pagerduty: { url, routing_key: 'k'.repeat(32) } },
      { name: 'hook', webhook: { url: `${url}/hook` } },
      { name: 'mail', email: { smtp: `smtp://127.0.0.1:${mail.port}`, from: 'a@b', to: ['c@d'] } },
    ]);
    expect([code, trouble]).toEqual([0, '']);
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['RECEIVER', 'KIND', 'TRIGGER', 'RESOLVE', 'RESPONSE'],
      ['am', 'alertmanager', 'accepted', 'accepted'],
      ['oncall', 'pagerduty', 'accepted', 'accepted'],
      ['hook', 'webhook', 'accepted', 'accepted'],
      ['mail', 'email', 'accepted', 'accepted'],
      [''],
    ]);
    const events = seen.filter((request) => request.url === '/v2/enqueue').map(({ body }) => JSON.parse(body));
    expect(events.map((event) => event.event_action)).toEqual(['trigger', 'resolve']);
    expect(new Set(events.map((event) => event.dedup_key)).size).toBe(1);
    expect(mail.mails).toHaveLength(2);
  });

  it('is another incident each time', async () => {
    const { url, seen } = await startStaticServer(good);
    const receivers = [{ name: 'oncall', pagerduty: { url, routing_key: 'k'.repeat(32) } }];
    await tried(receivers);
    await tried(receivers);
    expect(new Set(seen.map(({ body }) => JSON.parse(body).dedup_key)).size).toBe(2);
  });

  it('says what is wrong with one, without its secret, and tries the others', async () => {
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

  it('may be for one receiver alone', async () => {
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
    expect(out).not.toContain('am ');
    expect(seen.map((request) => request.url)).toEqual(['/hook', '/hook']);
  });
});

describe('a wrong use', () => {
  it('without a configuration', async () => {
    const ports = testPorts();
    expect(await runCli(['alert', 'test'], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toContain('required option --config FILE not specified');
  });

  it('with one that is wrong', async () => {
    const { code, trouble } = await tried([{ name: 'hook' }]);
    expect(code).toBe(2);
    expect(trouble).toContain('needs exactly one of');
  });

  it('with a receiver that there is not: a near one is named', async () => {
    const hook = { name: 'hook', webhook: { url: 'http://127.0.0.1:9/x' } };
    const { code, trouble } = await tried([hook], '--receiver', 'hok');
    expect(code).toBe(2);
    expect(trouble).toContain("unknown receiver 'hok': did you mean 'hook'?");
    expect((await tried([hook], '--receiver', 'zzzzzzzz')).trouble).toMatch(
      /unknown receiver 'zzzzzzzz': known receivers: hook\n/,
    );
  });

  it('with a configuration that names none', async () => {
    const { code, trouble } = await tried([]);
    expect(code).toBe(1);
    expect(trouble).toContain('alerts.receivers');
  });
});
