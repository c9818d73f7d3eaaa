import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ReceiverResponse } from '../../src/notify/notifier.ts';
import { openNotifier } from '../../src/notify/receivers/all.ts';
import { receiversSection } from '../../src/notify/receivers-section.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { sendMail } from '../../src/runtime/mail.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { addressOf, fakeReceivers } from '../support/alerting-cluster.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { alertsNotification, firingAlert } from '../support/notifications.ts';
import { simulatedKinds, twinOf } from '../support/simulated-receivers.ts';
import { startTcpRelay } from '../support/tcp-relay.ts';
import { authority, keyPair } from '../support/tls.ts';

const hush = 'canary-of-a-secret';
const client = keyPair('client');

afterEach(() => vi.unstubAllEnvs());

/** A simulated receiver that is configured with an address of its own, and with `http_config`. */
async function receiverAt(
  kind: string,
  files: FakeFiles,
  httpConfig: object,
  address: (url: URL) => URL | Promise<URL>,
) {
  const receivers = await fakeReceivers({ name: 'fake', kind });
  const url = await address(new URL(addressOf(receivers, 'fake')));
  const config = { ...twinOf(kind).demo.config(url.href.replace(/\/$/, '')), http_config: httpConfig };
  const [settings] = receiversSection.parse([{ name: 'fake', [kind]: config }]);
  if (settings === undefined) throw new Error('no receiver');
  const open = openNotifier({ openPool: openHttpPool, sendMail, digest, files });
  const notifier = open(settings, {});
  onTestFinished(() => notifier.close());
  const send = async (): Promise<ReceiverResponse> => {
    const request = alertsNotification(firingAlert());
    const response = await notifier.send(request, 'full', Date.now(), AbortSignal.timeout(30_000));
    expect(JSON.stringify(response)).not.toContain(hush);
    return response;
  };
  return { send, requests: () => receivers.requests() };
}

/** Puts TLS in front of the receiver; `secure` insists on a client certificate. */
function behindTls(secure = false) {
  const insisting = { ca: authority, requestCert: true, rejectUnauthorized: true };
  return async (url: URL): Promise<URL> => {
    const relay = await startTcpRelay(Number(url.port), { ...keyPair('server'), ...(secure ? insisting : {}) });
    return new URL(url.pathname, `https://127.0.0.1:${new URL(relay.url).port}`);
  };
}

/** The receiver by a name that only a proxy resolves. */
function byName(url: URL): URL {
  return new URL(url.pathname, `http://receiver.test:${url.port}`);
}

describe.each([...simulatedKinds])('%s', (kind) => {
  it('is reached over TLS with a client certificate, and again after the files were replaced', async () => {
    const files = new FakeFiles({ ca: authority, cert: client.cert, key: client.key });
    const tls = { ca_file: 'ca', cert_file: 'cert', key_file: 'key', server_name: 'localhost' };
    const { send } = await receiverAt(kind, files, { tls_config: tls }, behindTls(true));
    expect(await send()).toMatchObject({ kind: 'accepted' });
    files.write('ca', keyPair('other').cert);
    expect(await send()).toMatchObject({
      kind: 'broken',
      message:
        'the certificate of the server was issued by an unknown authority: set ca_file to the certificate of its authority',
    });
    files.write('ca', authority);
    files.write('cert', keyPair('expired').cert);
    expect(await send()).toMatchObject({
      kind: 'broken',
      message: 'the key in key_file does not belong to the certificate in cert_file',
    });
    files.write('cert', client.cert);
    expect(await send()).toMatchObject({ kind: 'accepted' });
  });

  it('is reached through a proxy with credentials from a file, and is broken without them', async () => {
    const authorization = `Basic ${Buffer.from(`warden:${hush}`).toString('base64')}`;
    const proxy = await startForwardProxy({ authorization });
    const files = new FakeFiles({ password: 'wrong' });
    const auth = { username: 'warden', password_file: 'password' };
    const config = { proxy_url: proxy.url, proxy_basic_auth: auth };
    const { send } = await receiverAt(kind, files, config, byName);
    expect(await send()).toMatchObject({
      kind: 'broken',
      message: 'the proxy requires authentication (status 407): check the credentials of the proxy',
    });
    files.write('password', `${hush}\n`);
    expect(await send()).toMatchObject({ kind: 'accepted' });
  });

  it('is reached through the proxy of the environment, and directly if NO_PROXY names it', async () => {
    const proxy = await startForwardProxy();
    vi.stubEnv('HTTP_PROXY', proxy.url);
    const { send } = await receiverAt(kind, new FakeFiles(), {}, byName);
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect(proxy.requests).toEqual([expect.stringMatching(/^POST http:\/\/receiver\.test:/)]);
    vi.stubEnv('NO_PROXY', 'receiver.test');
    const direct = await receiverAt(kind, new FakeFiles(), {}, byName);
    expect(await direct.send()).toMatchObject({ kind: 'unavailable', message: 'the host name is unknown' });
  });
});

describe.each(['alertmanager', 'webhook', 'templated_webhook'])('%s', (kind) => {
  it.each([
    [
      { basic_auth: { username: 'u', password_file: 'secret' } },
      { authorization: `Basic ${Buffer.from(`u:${hush}`).toString('base64')}` },
    ],
    [{ authorization: { credentials_file: 'secret' } }, { authorization: `Bearer ${hush}` }],
    [{ http_headers: { 'X-Api-Key': { files: ['secret'] } } }, { 'x-api-key': hush }],
  ])('sends %j', async (config, headers) => {
    const { send, requests } = await receiverAt(kind, new FakeFiles({ secret: `${hush}\n` }), config, (url) => url);
    expect(await send()).toMatchObject({ kind: 'accepted' });
    expect(requests()[0]?.headers).toMatchObject(headers);
  });

  it('is broken while a secret cannot be a header', async () => {
    const files = new FakeFiles({ secret: `${hush}\nX-Admin: 1` });
    const { send, requests } = await receiverAt(
      kind,
      files,
      { authorization: { credentials_file: 'secret' } },
      (url) => url,
    );
    expect(await send()).toEqual({
      kind: 'broken',
      message:
        'the value of the header authorization contains a line break or a character that a header cannot contain',
    });
    expect(requests()).toEqual([]);
  });
});
