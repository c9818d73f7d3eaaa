import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Failure, failure } from '../../src/kernel/failure.ts';
import type { HttpReply, HttpRequest } from '../../src/kernel/http.ts';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import { Secret } from '../../src/kernel/secret.ts';
import type { Detail, NotificationRequest, ReceiverResponse } from '../../src/notify/notifier.ts';
import type { Receiver } from '../../src/notify/receiver.ts';
import type { ReceiverSettings } from '../../src/notify/settings.ts';
import { digest } from '../../src/runtime/system-ports.ts';
import { anyCharacter } from '../support/any-character.ts';
import { FakeFiles } from '../support/fake-files.ts';
import { alertsNotification, digestNotification, firingAlert, resolvedAlert } from '../support/notifications.ts';

/** The secret of every receiver under test. */
const canary = 'canary0123456789abcdef0123456789';
const now = Date.UTC(2026, 8, 22, 4, 53, 20);
const details: readonly Detail[] = ['full', 'short', 'minimal'];

/** Settings as the demo writes them, with the canary for each secret. */
function settingsOf(unit: Receiver, prefix = ''): ReceiverSettings {
  const { urlPath = '', demo } = unit.simulated ?? {};
  const url = `http://receiver.test${prefix}${urlPath}`;
  const parsed = unit.section.parse(demo?.config(url) ?? {});
  const secrets = Object.entries(unit.secrets).map(([name, { form = 'text' }]) => {
    const text = form === 'text' ? canary : `${url}/${canary}?token=${canary}`;
    return [name, { value: new Secret(text) }] as const;
  });
  return { name: 'one', heartbeat: false, ...parsed, secrets: Object.fromEntries(secrets) };
}

type Respond = (request: HttpRequest) => Result<HttpReply, Failure>;

function reply(status: number, body = '', headers: HttpReply['headers'] = {}): Result<HttpReply, Failure> {
  return ok({ status, headers, body: new TextEncoder().encode(body) });
}

/** Sends one request, to which `respond` replies. */
async function sent(unit: Receiver, respond: Respond, request: NotificationRequest, detail: Detail = 'full') {
  const requests: HttpRequest[] = [];
  const openPool = () => ({
    request: async (one: HttpRequest) => {
      requests.push(one);
      return respond(one);
    },
    sockets: () => 0,
    close: () => Promise.resolve(),
  });
  const ports = { openPool, sendMail, digest, files: new FakeFiles() };
  const notifier = unit.open(settingsOf(unit, `/${canary}`), 'https://warden.example.org', ports);
  const response = await notifier.send(request, detail, now, new AbortController().signal);
  await notifier.close();
  return { response, requests };
}

async function responseTo(unit: Receiver, respond: Respond): Promise<ReceiverResponse> {
  return (await sent(unit, respond, alertsNotification(firingAlert()))).response;
}

/** The reply of the simulated twin. */
function twinReply(unit: Receiver): Respond {
  return ({ body = '' }) => {
    const { reply: given } = unit.simulated?.handle(body, now) ?? { reply: { status: 404, headers: {}, body: '' } };
    return reply(given.status, given.body, given.headers);
  };
}

function expectedKind(status: number): ReceiverResponse['kind'] {
  if (status >= 300 && status < 400) return 'broken';
  if ([401, 403, 404, 410].includes(status)) return 'broken';
  if (status === 429) return 'limited';
  return status >= 500 || [408, 425].includes(status) ? 'unavailable' : 'refused';
}

/** Requests of each kind that a receiver of this kind gets. */
function requestsOf({ traits }: Receiver): readonly NotificationRequest[] {
  const many = Array.from({ length: traits.maxBatch }, (_, at) => firingAlert({ episode: at + 1 }));
  const one = alertsNotification(firingAlert());
  return [
    one,
    alertsNotification(resolvedAlert()),
    { ...one, isReminder: true, due: now },
    alertsNotification(...many),
    ...(traits.acceptsDigests ? [digestNotification(1), digestNotification(60)] : []),
  ];
}

/** Checks what every receiver has in common. */
export function receiverSuite(unit: Receiver): void {
  describe(`receiver ${unit.kind}`, () => {
    it('declares its documentation', () => {
      expect(unit.kind).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(unit.about).toMatch(/\.$/);
      for (const { about, example, exampleFile } of Object.values(unit.secrets)) {
        expect(about).toMatch(/^[A-Z].*\.$/);
        expect([example, exampleFile].every((text) => text !== '')).toBe(true);
      }
      expect(unit.traits.maxBatch).toBeGreaterThan(0);
    });

    it('rejects unknown keys', () => {
      const problems = unit.section.safeParse({ unknown_key: canary }).error?.issues ?? [];
      expect(problems.some(({ code }) => code === 'unrecognized_keys')).toBe(true);
    });

    if (unit.simulated !== undefined) describeHttp(unit);
  });
}

function describeHttp(unit: Receiver): void {
  const names = Object.keys(unit.secrets);

  it.each(names)('reads %s inline or from a file, not both', (name) => {
    const given: Readonly<Record<string, unknown>> = { ...unit.simulated?.demo.config('http://receiver.test/x') };
    const both = unit.section.safeParse({ ...given, [name]: 'https://receiver.test/x', [`${name}_file`]: 'file' });
    expect(both.error?.issues.map(({ message }) => message)).toEqual([
      expect.stringContaining(`one of ${name} and ${name}_file`),
    ]);
    const { [name]: _, ...others } = given;
    const parsed = unit.section.parse({ ...others, [`${name}_file`]: 'file' });
    expect(parsed.secrets[name]).toEqual({ file: 'file' });
    expect(unit.section.safeParse(others).success).toBe(unit.secrets[name]?.optional === true);
  });

  it('sends every kind of request in every detail, and its simulated API accepts it', async () => {
    for (const request of requestsOf(unit)) {
      for (const detail of details) {
        const { response, requests } = await sent(unit, twinReply(unit), request, detail);
        expect(response).toMatchObject({ kind: 'accepted' });
        expect(requests).toHaveLength(1);
      }
    }
  });

  it('sends less in shorter forms, and always the id of the incident', async () => {
    const long = { summary: 'x'.repeat(3000), description: 'y'.repeat(3000), episode: '3' };
    const request = alertsNotification(firingAlert({ annotations: long }));
    const bodies: string[] = [];
    for (const detail of details) {
      const { requests } = await sent(unit, twinReply(unit), request, detail);
      bodies.push(requests[0]?.body ?? '');
    }
    const lengths = bodies.map((body) => body.length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => other - one));
    expect(lengths[2]).toBeLessThan(1200);
    for (const body of bodies) expect(body).toMatch(/"episode":"3"|a1b2c3d4e5f6-3/);
  });

  it('stays within the limits of its API for texts of any length', async () => {
    const text = 'ä€😀"\\\n<&'.repeat(9000);
    const annotations = { summary: text, description: text };
    const alerts = Array.from({ length: Math.min(20, unit.traits.maxBatch) }, (_, at) =>
      firingAlert({ episode: at + 1, annotations, labels: { alertname: 'A', node: text } }),
    );
    const { response } = await sent(unit, twinReply(unit), alertsNotification(...alerts));
    expect(response).toMatchObject({ kind: 'accepted' });
  });

  it('sends well-formed JSON for any text', async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 60 });
    const texts = fc.record({ summary: text, description: text, runbook_url: text, node: text, service_name: text });
    await fc.assert(
      fc.asyncProperty(texts, async ({ node, service_name, ...annotations }) => {
        const alert = firingAlert({ annotations, labels: { alertname: 'A', node, service_name } });
        const { response, requests } = await sent(unit, twinReply(unit), alertsNotification(alert));
        expect(response).toMatchObject({ kind: 'accepted' });
        const body = requests[0]?.body ?? '';
        expect(JSON.stringify(JSON.parse(body)).isWellFormed()).toBe(true);
        expect(body).not.toMatch(/\\u[dD][89a-fA-F]/);
      }),
      { numRuns: 25 },
    );
  });

  it('maps every HTTP status to a result and shows no secret that the reply repeats', async () => {
    const echo = `no such key ${canary} at http://receiver.test/${canary}`;
    for (let status = 300; status < 600; status += 1) {
      const response = await responseTo(unit, () => reply(status, echo, { 'content-type': 'text/plain' }));
      expect(response).toMatchObject({
        kind: expectedKind(status),
        message: expect.stringContaining(`status ${status}`),
      });
      expect(JSON.stringify(response)).not.toContain(canary);
    }
  });

  it.each([429, 503])('honors Retry-After of a %d, in seconds and as a date', async (status) => {
    const waitOf = async (text: string) => responseTo(unit, () => reply(status, '', { 'retry-after': text }));
    expect(await waitOf('42')).toMatchObject({ kind: 'limited', wait: 42_000 });
    expect(await waitOf('Tue, 22 Sep 2026 04:54:20 GMT')).toMatchObject({ kind: 'limited', wait: 60_000 });
    expect(await waitOf('86400')).toMatchObject({ kind: 'limited', wait: 900_000 });
  });

  it('maps a request without a reply to a result', async () => {
    const refused = failure('unreachable', 'the connection was refused');
    const late = failure('timeout', 'no complete response within the deadline');
    const redirect = failure('unreachable', 'the server sent a redirect, which is not followed', { status: 307 });
    expect(await responseTo(unit, () => err(refused))).toMatchObject({ kind: 'unavailable', answered: false });
    expect(await responseTo(unit, () => err(late))).toMatchObject({ kind: 'unavailable', timedOut: true });
    expect(await responseTo(unit, () => err(redirect))).toMatchObject({ kind: 'broken' });
  });

  it('shows no secret in its settings and problems', () => {
    expect(JSON.stringify(settingsOf(unit))).not.toContain(canary);
    for (const name of names) {
      const given = { ...unit.simulated?.demo.config('http://receiver.test/x'), [name]: `${canary} \u0007` };
      expect(JSON.stringify(unit.section.safeParse(given).error?.issues ?? [])).not.toContain(canary);
    }
  });

  it('rejects a digest unless it accepts digests', async () => {
    if (unit.traits.acceptsDigests) return;
    const { response } = await sent(unit, twinReply(unit), digestNotification(1));
    expect(response).toMatchObject({ kind: 'refused' });
  });
}

function sendMail(): Promise<never> {
  return Promise.reject(new Error('unexpected mail'));
}
