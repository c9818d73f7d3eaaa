import { describe, expect, it } from 'vitest';
import { jsonSchemaOf } from '../../src/config/json-schema.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { receiversSection } from '../../src/notify/receivers-section.ts';

const hush = 'canary-of-a-secret';

function read(receiver: Readonly<Record<string, unknown>>) {
  return receiversSection.safeParse([{ name: 'one', ...receiver }]);
}

function problemsOf(receiver: Readonly<Record<string, unknown>>): readonly string[] {
  return read(receiver).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('the receivers of a configuration', () => {
  it('are empty by default', () => {
    expect(receiversSection.parse(undefined)).toEqual([]);
  });

  it('may be every peer of an Alertmanager, below a path too', () => {
    expect(read({ alertmanager: { urls: ['http://am-0:9093', 'http://am-1:9093/alerts/'] } }).data).toEqual([
      {
        name: 'one',
        heartbeat: false,
        kind: 'alertmanager',
        options: { urls: ['http://am-0:9093', 'http://am-1:9093/alerts'] },
        secrets: {},
      },
    ]);
  });

  it('may be PagerDuty, by default at its public address', () => {
    expect(read({ pagerduty: { routing_key_file: 'pd.key' } }).data?.[0]).toMatchObject({
      kind: 'pagerduty',
      options: { url: 'https://events.pagerduty.com' },
      secrets: { routing_key: { file: 'pd.key' } },
    });
    const elsewhere = read({ pagerduty: { routing_key: hush, url: 'http://127.0.0.1:8080/pd' } }).data?.[0];
    expect(elsewhere).toMatchObject({
      options: { url: 'http://127.0.0.1:8080/pd' },
      secrets: { routing_key: { value: new Secret(hush) } },
    });
  });

  it.each(['slack', 'teams'])('may be %s, whose address is a secret', (kind) => {
    expect(read({ [kind]: { webhook_url_file: 'chat.url' } }).data?.[0]).toMatchObject({
      kind,
      secrets: { webhook_url: { file: 'chat.url' } },
    });
    const inline = read({ [kind]: { webhook_url: `https://hooks.example.org/${hush}` } });
    expect(inline.data?.[0]).toMatchObject({ kind, secrets: { webhook_url: { value: expect.any(Secret) } } });
    expect(JSON.stringify(inline)).not.toContain(hush);
  });

  it('may be ntfy, with and without a token', () => {
    expect(read({ ntfy: { topic: 'graph' } }).data?.[0]).toMatchObject({
      kind: 'ntfy',
      options: { url: 'https://ntfy.sh', topic: 'graph' },
      secrets: {},
    });
    const own = read({ ntfy: { url: 'https://ntfy.example.org/', topic: 'graph', token_file: 't' } }).data?.[0];
    expect(own).toMatchObject({ options: { url: 'https://ntfy.example.org' }, secrets: { token: { file: 't' } } });
  });

  it('may be a webhook with and without a key, and get the heartbeat', () => {
    const url = 'https://hooks.example.org/graph';
    expect(read({ heartbeat: true, webhook: { url } }).data).toEqual([
      { name: 'one', heartbeat: true, kind: 'webhook', options: {}, secrets: { url: { value: new Secret(url) } } },
    ]);
    const inFile = { webhook: { url_file: 'u', hmac_key_file: 'k' } };
    expect(read(inFile).data?.[0]?.secrets).toEqual({ url: { file: 'u' }, hmac_key: { file: 'k' } });
    expect(read({ webhook: { url, hmac_key_file: 'k' } }).data?.[0]?.secrets).toMatchObject({
      hmac_key: { file: 'k' },
    });
  });

  it('may not be PagerDuty for the heartbeat, which would be an incident without end', () => {
    const problems = problemsOf({ heartbeat: true, pagerduty: { routing_key_file: 'pd.key' } });
    expect(problems).toEqual([expect.stringContaining('an incident that never ends')]);
  });

  it.each([
    ['smtps://mail:4650', { host: 'mail', port: 4650, secure: true }],
    ['smtps://mail', { host: 'mail', port: 465, secure: true }],
    ['smtp://mail', { host: 'mail', port: 587, secure: false }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525, secure: false }],
  ])('may be e-mail: %s', (smtp, server) => {
    const email = { smtp, username: 'u', password_file: 'p', from: 'Graph <a@b>', to: ['c@d', 'e@f'] };
    expect(read({ email }).data?.[0]).toMatchObject({
      kind: 'email',
      options: { smtp: server, username: 'u', from: 'Graph <a@b>', to: ['c@d', 'e@f'] },
      secrets: { password: { file: 'p' } },
    });
  });

  const mail = { smtp: 'smtp://mail', from: 'a@b', to: ['c@d'] };
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['no way', {}, '0: needs exactly one of alertmanager, pagerduty, slack, '],
    ['two ways', { slack: { webhook_url_file: 's' }, email: mail }, '0: needs exactly one of'],
    ['no peers', { alertmanager: { urls: [] } }, '0.alertmanager.urls: '],
    [
      'a peer that is no address',
      { alertmanager: { urls: ['am-0:9093'] } },
      '0.alertmanager.urls.0: must be an address',
    ],
    ['no key', { pagerduty: {} }, '0.pagerduty: needs one of routing_key and routing_key_file'],
    ['two keys', { pagerduty: { routing_key: 'x', routing_key_file: 'y' } }, '0.pagerduty: needs one of'],
    ['no address', { slack: {} }, '0.slack: needs one of webhook_url and webhook_url_file'],
    ['what is no address', { slack: { webhook_url: hush } }, '0.slack.webhook_url: must be an address'],
    ['a webhook that is nowhere', { webhook: { hmac_key_file: 'k' } }, '0.webhook: needs one of url and url_file'],
    ['two addresses', { webhook: { url: 'http://h', url_file: 'u' } }, '0.webhook: needs one of url and url_file'],
    ['a query in the open', { webhook: { url: `https://h/?token=${hush}` } }, '0.webhook.url: must not have a query'],
    ['two hmac keys', { webhook: { url: 'http://h', hmac_key: 'x', hmac_key_file: 'y' } }, '0.webhook: takes one of'],
    ['a wrong scheme', { email: { ...mail, smtp: 'https://mail' } }, '0.email.smtp: must be an address'],
    ['a password in it', { email: { ...mail, smtp: `smtp://u:${hush}@mail` } }, '0.email.smtp: must not contain'],
    ['a path behind it', { email: { ...mail, smtp: 'smtp://mail/x' } }, '0.email.smtp: must be a host and a port'],
    ['a user without password', { email: { ...mail, username: 'u' } }, '0.email: username needs one of'],
    ['a password without user', { email: { ...mail, password: hush } }, '0.email: a password needs a username'],
    ['a sender with a line break', { email: { ...mail, from: 'a@b\nBcc: x@y' } }, '0.email.from: must be an e-mail'],
    ['two recipients in one', { email: { ...mail, to: ['c@d, e@f'] } }, '0.email.to.0: must be an e-mail'],
    ['a topic with a slash', { ntfy: { topic: 'a/b' } }, '0.ntfy.topic: must be 1 to 64'],
    ['no topic', { ntfy: {} }, '0.ntfy.topic: '],
    ['no recipient', { email: { ...mail, to: [] } }, '0.email.to: '],
    ['a name with a blank', { name: 'on call', slack: { webhook_url_file: 's' } }, '0.name: must be 1 to 63'],
    ['a key that is not known', { slack: { webhook_url_file: 's', channel: '#x' } }, '0.slack: '],
  ])('are refused with %s', (_, receiver, problem) => {
    const problems = problemsOf(receiver);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain(hush);
  });

  it('can be described to an editor', () => {
    expect(JSON.stringify(jsonSchemaOf(receiversSection))).toContain('"routing_key_file"');
  });
});
