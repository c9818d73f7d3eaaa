import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import type { Alert } from '../../src/model/alert.ts';
import type { NotificationRequest, ReceiverResponse } from '../../src/notify/notifier.ts';
import { openNotifier } from '../../src/notify/receivers/all.ts';
import { webhookTemplateMeanings } from '../../src/notify/webhook-template.ts';
import { openHttpPool } from '../../src/runtime/http-pool.ts';
import { sendMail } from '../../src/runtime/mail.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { alertsNotification, firingAlert, resolvedAlert } from '../support/notifications.ts';
import { type SeenRequest, type StaticReply, startStaticServer } from '../support/static-server.ts';
import { type Vendor, type VendorReply, vendors } from './vendors.ts';

const folder = 'config/receivers';
const names = readdirSync(folder).map((file) => file.replace(/\.yml$/, ''));
const guide = readFileSync('docs/guides/receivers.md', 'utf8');

/** The clusters that a complete configuration needs beside the recipe. */
const clusters = 'clusters: [{ name: c, nodes: [{ name: m1, url: "http://127.0.0.1:1" }] }]\n';

function textOf(name: string): string {
  return readFileSync(`${folder}/${name}.yml`, 'utf8');
}

function vendorOf(name: string): Vendor {
  const vendor = vendors[name];
  if (vendor === undefined) throw new Error(`${name} is not simulated`);
  return vendor;
}

function asReply({ status, headers = {}, body }: VendorReply): StaticReply {
  return { status, headers, body: body === undefined ? '' : JSON.stringify(body) };
}

/** A server that checks what the vendor documents, and the recipe with its address replaced by that of the server. */
async function recipeAt(name: string, answer?: VendorReply) {
  const vendor = vendorOf(name);
  const kept: string[] = [];
  const respond = (request: SeenRequest): StaticReply => {
    const isJson = request.headers['content-type'] === 'application/json';
    if (!isJson || request.headers.authorization !== vendor.authorization) return { status: 401, body: '' };
    if (answer !== undefined) return asReply(answer);
    const reply = vendor.handle(request);
    if (reply.kept !== undefined) kept.push(reply.kept);
    return asReply(reply);
  };
  const server = await startStaticServer(new Proxy({}, { get: () => respond }));
  const url = server.url + vendor.path;
  const files = new FakeFiles({ ...Object.fromEntries(credentialFiles(textOf(name), vendor)), url });
  const settings = settingsOf(textOf(name));
  const moved = { ...settings, secrets: { ...settings.secrets, url: { file: 'url' } } };
  const notifier = openNotifier({ openPool: openHttpPool, sendMail, digest, files })(moved, {});
  onTestFinished(() => notifier.close());
  const send = (
    request: NotificationRequest,
    detail: 'full' | 'short' | 'minimal' = 'full',
  ): Promise<ReceiverResponse> => notifier.send(request, detail, Date.UTC(2026, 8, 22, 5), AbortSignal.timeout(30_000));
  return { send, kept, requests: server.seen };
}

function settingsOf(text: string) {
  const loaded = loadConfig(clusters + text, 'graphwarden.yml', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const [settings] = loaded.value.alerts.receivers;
  if (settings === undefined) throw new Error('no receiver');
  return settings;
}

/** Files with the credential after the scheme. */
function credentialFiles(text: string, { authorization = '' }: Vendor): readonly (readonly [string, string])[] {
  const files = [...text.matchAll(/credentials_file: ([^ }\n]+)/g)].map(([, file = '']) => file);
  return files.map((file) => [file, authorization.replace(/^\S+ /, '')]);
}

const hostile = 'ä€😀"\\\n<&@everyone {{summary}}'.repeat(900);
const severities = ['critical', 'warning', 'info'] as const;

it('each service has a recipe, and the guide contains it unchanged', () => {
  expect(names.toSorted()).toEqual(Object.keys(vendors).toSorted());
  for (const name of names) expect(guide).toContain(`\`\`\`yaml\n${textOf(name)}\`\`\``);
});

it('the guide lists every name of a template', () => {
  for (const [name, meaning] of webhookTemplateMeanings) expect(guide).toContain(`| \`${name}\` | ${meaning} |`);
});

describe.each(names)('the recipe for %s', (name) => {
  it('is accepted for a trigger, a reminder and a resolve of every severity, in every detail', async () => {
    const { send, kept } = await recipeAt(name);
    for (const severity of severities) {
      const labels = { ...firingAlert().labels, severity };
      const requests: NotificationRequest[] = [
        alertsNotification(firingAlert({ severity, labels })),
        { ...alertsNotification(firingAlert({ severity, labels })), isReminder: true, due: 1 },
        alertsNotification(resolvedAlert({ severity, labels })),
      ];
      for (const request of requests) {
        for (const detail of ['full', 'short', 'minimal'] as const) {
          const result = await send(request, detail);
          expect([severity, detail, result.kind]).toEqual([severity, detail, 'accepted']);
        }
      }
    }
    expect(kept).toHaveLength(27);
    expect(kept.every((text) => text !== '')).toBe(true);
  });

  it('stays within the limits for texts of any length, including empty ones', async () => {
    const { send } = await recipeAt(name);
    const annotations = { summary: hostile, description: hostile, runbook_url: hostile };
    const long: Alert = firingAlert({
      annotations,
      labels: { alertname: 'A'.repeat(300), node: hostile, graph: hostile },
    });
    const bare: Alert = firingAlert({ annotations: {}, labels: { alertname: 'A' }, generatorUrl: '' });
    for (const alert of [long, bare, { ...long, status: 'resolved' as const, endsAt: long.startsAt + 1 }]) {
      expect(await send(alertsNotification(alert))).toMatchObject({ kind: 'accepted' });
    }
  });

  it('has the same idempotency key in a retry, and another one for the end', async () => {
    const { send, requests } = await recipeAt(name);
    for (const alert of [firingAlert(), firingAlert(), resolvedAlert()]) await send(alertsNotification(alert));
    const [first, retry, end] = requests.map(({ headers }) => headers['idempotency-key']);
    expect([retry === first, end === first, first !== undefined]).toEqual([true, false, true]);
  });

  it('waits for the retry time of the vendor', async () => {
    const { reply, wait } = vendorOf(name).limited;
    const { send } = await recipeAt(name, reply);
    const response = await send(alertsNotification(firingAlert()));
    expect(response).toMatchObject({ kind: 'limited', ...(wait === undefined ? {} : { wait }) });
    expect('wait' in response).toBe(wait !== undefined);
  });

  it.each([
    [401, 'broken'],
    [404, 'broken'],
    [400, 'refused'],
    [413, 'refused'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ] as const)('maps status %d to %s and shows no secret', async (status, kind) => {
    const { send, requests } = await recipeAt(name, { status, body: { message: 'token-of key-of signature-of' } });
    const response = await send(alertsNotification(firingAlert()));
    expect(response).toMatchObject({ kind });
    expect(requests).toHaveLength(1);
    const secret = /(token|key|signature)-of-[a-z]+/;
    expect(secret.exec(JSON.stringify(response))).toBeNull();
  });
});

describe('a vendor with keys', () => {
  it('Opsgenie closes the alert that it opened', async () => {
    const { send, kept } = await recipeAt('opsgenie');
    await send(alertsNotification(firingAlert()));
    await send(alertsNotification(resolvedAlert()));
    const alias = `${firingAlert().key}-3`;
    expect(kept).toEqual([`create ${alias}`, `close ${alias}`]);
  });

  it('Apprise without a configuration is broken, although it replies with 204', async () => {
    const { send } = await recipeAt('apprise', { status: 204 });
    expect(await send(alertsNotification(firingAlert()))).toMatchObject({
      kind: 'broken',
      message: 'status 204 is not in valid_status_codes',
    });
  });
});
