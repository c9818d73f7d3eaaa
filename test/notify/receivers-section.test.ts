import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../src/config/shape.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { receiversSection } from '../../src/notify/receivers-section.ts';

const hush = 'canary-of-a-secret';

function read(receiver: Readonly<Record<string, unknown>>) {
  return receiversSection.safeParse([{ name: 'one', ...receiver }]);
}

function complaintsOf(receiver: Readonly<Record<string, unknown>>): readonly string[] {
  return read(receiver).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

describe('the receivers of a configuration', () => {
  it('are none where none are given', () => {
    expect(receiversSection.parse(undefined)).toEqual([]);
  });

  it('may be every peer of an Alertmanager, below a path too', () => {
    expect(read({ alertmanager: { urls: ['http://am-0:9093', 'http://am-1:9093/alerts/'] } }).data).toEqual([
      {
        name: 'one',
        heartbeat: false,
        way: { kind: 'alertmanager', urls: ['http://am-0:9093', 'http://am-1:9093/alerts'] },
      },
    ]);
  });

  it('may be PagerDuty, at its own address unless it is told another', () => {
    const way = { kind: 'pagerduty', url: 'https://events.pagerduty.com', routingKey: { file: 'pd.key' } };
    expect(read({ pagerduty: { routing_key_file: 'pd.key' } }).data?.[0]?.way).toEqual(way);
    const elsewhere = read({ pagerduty: { routing_key: hush, url: 'http://127.0.0.1:8080/pd' } }).data?.[0]?.way;
    expect(elsewhere).toMatchObject({ url: 'http://127.0.0.1:8080/pd', routingKey: { value: new Secret(hush) } });
  });

  it('may be Slack, whose address is a secret', () => {
    expect(read({ slack: { webhook_url_file: 'slack.url' } }).data?.[0]?.way).toEqual({
      kind: 'slack',
      webhookUrl: { file: 'slack.url' },
    });
    const inline = read({ slack: { webhook_url: `https://hooks.example.org/${hush}` } });
    expect(inline.data?.[0]?.way).toMatchObject({ kind: 'slack', webhookUrl: { value: expect.any(Secret) } });
    expect(JSON.stringify(inline)).not.toContain(hush);
  });

  it('may be a webhook with and without a key, and get the heartbeat', () => {
    const url = 'https://hooks.example.org/graph';
    expect(read({ heartbeat: true, webhook: { url } }).data).toEqual([
      { name: 'one', heartbeat: true, way: { kind: 'webhook', url: { value: new Secret(url) } } },
    ]);
    const inFile = { webhook: { url_file: 'u', hmac_key_file: 'k' } };
    expect(read(inFile).data?.[0]?.way).toEqual({ kind: 'webhook', url: { file: 'u' }, hmacKey: { file: 'k' } });
    expect(read({ webhook: { url, hmac_key_file: 'k' } }).data?.[0]?.way).toMatchObject({ hmacKey: { file: 'k' } });
  });

  it('may not be PagerDuty for the heartbeat, which would be an incident without end', () => {
    const complaints = complaintsOf({ heartbeat: true, pagerduty: { routing_key_file: 'pd.key' } });
    expect(complaints).toEqual([expect.stringContaining('an incident without end')]);
  });

  it.each([
    ['smtps://mail:4650', { host: 'mail', port: 4650, secure: true }],
    ['smtps://mail', { host: 'mail', port: 465, secure: true }],
    ['smtp://mail', { host: 'mail', port: 587, secure: false }],
    ['smtp://[::1]:2525', { host: '::1', port: 2525, secure: false }],
  ])('may be e-mail: %s', (smtp, place) => {
    const email = { smtp, username: 'u', password_file: 'p', from: 'Graph <a@b>', to: ['c@d', 'e@f'] };
    expect(read({ email }).data?.[0]?.way).toEqual({
      kind: 'email',
      ...place,
      username: 'u',
      password: { file: 'p' },
      from: 'Graph <a@b>',
      to: ['c@d', 'e@f'],
    });
  });

  const mail = { smtp: 'smtp://mail', from: 'a@b', to: ['c@d'] };
  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['no way', {}, '0: needs exactly one of alertmanager, pagerduty, slack, webhook or email'],
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
    ['a password in it', { email: { ...mail, smtp: `smtp://u:${hush}@mail` } }, '0.email.smtp: must not hold'],
    ['a path behind it', { email: { ...mail, smtp: 'smtp://mail/x' } }, '0.email.smtp: must be a host and a port'],
    ['a user without password', { email: { ...mail, username: 'u' } }, '0.email: username needs one of'],
    ['a password without user', { email: { ...mail, password: hush } }, '0.email: a password needs a username'],
    ['a sender with a line break', { email: { ...mail, from: 'a@b\nBcc: x@y' } }, '0.email.from: must be an e-mail'],
    ['two recipients in one', { email: { ...mail, to: ['c@d, e@f'] } }, '0.email.to.0: must be an e-mail'],
    ['nobody', { email: { ...mail, to: [] } }, '0.email.to: '],
    ['a name with a blank', { name: 'on call', slack: { webhook_url_file: 's' } }, '0.name: must be 1 to 63'],
    ['a key that is not known', { slack: { webhook_url_file: 's', channel: '#x' } }, '0.slack: '],
  ])('are refused with %s', (_, receiver, complaint) => {
    const complaints = complaintsOf(receiver);
    expect(complaints).toEqual([expect.stringContaining(complaint)]);
    expect(complaints.join()).not.toContain(hush);
  });

  it('can be described to an editor', () => {
    expect(JSON.stringify(shapeOf(receiversSection))).toContain('"routing_key_file"');
  });
});
