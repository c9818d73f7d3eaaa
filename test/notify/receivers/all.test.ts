import { describe, expect, it } from 'vitest';
import type { Notifier, ReceiverResponse } from '../../../src/notify/notifier.ts';
import { openNotifier } from '../../../src/notify/receivers/all.ts';
import type { ReceiverSettings } from '../../../src/notify/settings.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';
import { alertsNotification, firingAlert } from '../../support/notifications.ts';
import { receiverSettings } from '../../support/receiver-settings.ts';
import { portsOver } from './receiver-ports.ts';

const now = Date.UTC(2026, 8, 22, 4, 53, 20);
const hush = 'canary-0123456789abcdef';
const secret = { file: 'secret' } as const;

function openOver(settings: ReceiverSettings, pool: FakePool, files = new FakeFiles()): Notifier {
  return openNotifier(portsOver(pool, files))(settings, { externalUrl: 'https://warden.example.org' });
}

function notify(notifier: Notifier, signal = new AbortController().signal): Promise<ReceiverResponse> {
  return notifier.send(alertsNotification(firingAlert()), 'full', now, signal);
}

it('receivers › passes the deadline to the request, and closes its connections', async () => {
  const deadline = new AbortController();
  const signals: AbortSignal[] = [];
  const pool = new FakePool([
    'POST /x',
    (_, signal) => {
      signals.push(signal);
      return answer('', 200);
    },
  ]);
  const notifier = openOver(receiverSettings('webhook', {}, { url: 'http://receiver.test/x' }), pool);
  await notify(notifier, deadline.signal);
  expect(signals[0]?.aborted).toBe(false);
  deadline.abort();
  expect(signals[0]?.aborted).toBe(true);
  await notifier.close();
  expect(pool.closed).toBe(true);
});

it('receivers › throws for a kind that does not exist', () => {
  expect(() => openOver(receiverSettings('pigeon'), new FakePool())).toThrow("there is no kind of receiver 'pigeon'");
});

describe('a secret in a file', () => {
  const withSecretFile: readonly (readonly [string, ReceiverSettings, string])[] = [
    [
      'pagerduty',
      receiverSettings('pagerduty', { url: 'http://receiver.test' }, { routing_key: secret }),
      'POST /v2/enqueue',
    ],
    ['webhook', receiverSettings('webhook', {}, { url: 'http://receiver.test/x', hmac_key: secret }), 'POST /x'],
    ['ntfy', receiverSettings('ntfy', { url: 'http://receiver.test', topic: 't' }, { token: secret }), 'POST /'],
  ];

  it.each(withSecretFile)('of %s is read again when it changes', async (_, settings, request) => {
    const accepted = answer('', 202);
    const files = new FakeFiles({ secret: 'first\n' });
    const pool = new FakePool([request, accepted], [request, accepted], [request, accepted]);
    const notifier = openOver(settings, pool, files);
    await notify(notifier);
    await notify(notifier);
    expect(files.reads).toEqual(['secret']);
    files.write('secret', 'second');
    await notify(notifier);
    const [one, same, other] = pool.requests.map(({ headers, body }) => JSON.stringify([headers, body]));
    expect([one === same, one === other]).toEqual([true, false]);
  });

  const withUrlFile: readonly (readonly [string, ReceiverSettings])[] = [
    ['slack', receiverSettings('slack', {}, { webhook_url: secret })],
    ['teams', receiverSettings('teams', {}, { webhook_url: secret })],
    ['webhook', receiverSettings('webhook', {}, { url: secret })],
  ];

  it.each(withUrlFile)('of %s may move the address to another server', async (_, settings) => {
    const files = new FakeFiles({ secret: 'http://one.test/a\n' });
    const opened: string[] = [];
    const pools = [new FakePool(['POST /a', answer('ok')]), new FakePool(['POST /b', answer('ok')])];
    const openPool = ({ origin }: { readonly origin: string }) => pools[opened.push(origin) - 1] ?? new FakePool();
    const notifier = openNotifier({ ...portsOver(new FakePool(), files), openPool })(settings, {});
    await notify(notifier);
    files.write('secret', 'http://two.test/b');
    await notify(notifier);
    expect(opened).toEqual(['http://one.test', 'http://two.test']);
  });

  it.each([...withSecretFile.map(([name, settings]) => [name, settings] as const), ...withUrlFile])(
    'that cannot be read makes %s broken',
    async (_, settings) => {
      expect(await notify(openOver(settings, new FakePool()))).toEqual({
        kind: 'broken',
        message: "the secret is not available: cannot read 'secret': no such file",
      });
    },
  );

  it.each(withUrlFile)('of %s that is not an address is not shown', async (_, settings) => {
    const response = await notify(openOver(settings, new FakePool(), new FakeFiles({ secret: hush })));
    expect(response).toMatchObject({ kind: 'broken', message: expect.stringContaining('not an address') });
    expect(JSON.stringify(response)).not.toContain(hush);
  });
});
