import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSecretReader } from '../../../src/graphdb/secret-reader.ts';
import { Secret } from '../../../src/kernel/secret.ts';
import {
  formatWebhook,
  idempotencyKey,
  openWebhook,
  signature,
  webhookTraits,
} from '../../../src/notify/notifiers/webhook.ts';
import { digest } from '../../../src/runtime/digest.ts';
import { FakeFiles } from '../../support/fake-files.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';
import { alertOf, alertsLetter, began, resolvedOf } from '../../support/letters.ts';

const sender = { receiver: 'hook', externalUrl: 'https://warden.example.org' };
const now = began + 200_000;
const forever = new AbortController().signal;
const url = createSecretReader({ value: new Secret('http://hook.test/x') }, new FakeFiles());

describe('the payload', () => {
  it('is that of Alertmanager, version 4', () => {
    const other = resolvedOf({ key: 'other', labels: { ...alertOf().labels, node: 'm2' } });
    const { node: _, ...sharedLabels } = alertOf().labels;
    expect(JSON.parse(formatWebhook(alertsLetter(alertOf(), other), 'full', sender))).toEqual({
      version: '4',
      groupKey: '{}:{cluster_name="prod"}',
      truncatedAlerts: 0,
      status: 'firing',
      receiver: 'hook',
      groupLabels: { cluster_name: 'prod' },
      commonLabels: sharedLabels,
      commonAnnotations: alertOf().annotations,
      externalURL: 'https://warden.example.org',
      alerts: [
        {
          status: 'firing',
          labels: alertOf().labels,
          annotations: alertOf().annotations,
          startsAt: '2026-09-22T04:50:00.000Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://warden.example.org/alerts',
          fingerprint: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
        },
        {
          status: 'resolved',
          labels: other.labels,
          annotations: alertOf().annotations,
          startsAt: '2026-09-22T04:50:00.000Z',
          endsAt: '2026-09-22T04:53:00.000Z',
          generatorURL: 'https://warden.example.org/alerts',
          fingerprint: 'other',
        },
      ],
    });
  });

  it('is resolved when all of it is', () => {
    expect(JSON.parse(formatWebhook(alertsLetter(resolvedOf()), 'full', sender))).toMatchObject({ status: 'resolved' });
  });

  it('names its group the same whatever the order of its labels', () => {
    const letter = alertsLetter(alertOf());
    const keys = [
      { b: 'x"y', a: '1' },
      { a: '1', b: 'x"y' },
    ].map((group) => JSON.parse(formatWebhook({ ...letter, group }, 'full', sender)).groupKey);
    expect(keys).toEqual(['{}:{a="1", b="x\\"y"}', '{}:{a="1", b="x\\"y"}']);
  });

  it('after a refusal has short texts', () => {
    const long = alertOf({ annotations: { summary: 'x'.repeat(999), description: 'y' } });
    const { alerts } = JSON.parse(formatWebhook(alertsLetter(long), 'short', sender));
    expect(alerts[0].annotations).toEqual({ summary: `${'x'.repeat(249)}…`, episode: '3' });
  });

  it('always says which episode it is', () => {
    const { alerts } = JSON.parse(formatWebhook(alertsLetter(alertOf({ annotations: {} })), 'full', sender));
    expect(alerts[0].annotations).toEqual({ episode: '3' });
  });
});

const letter = alertsLetter(alertOf());

function keyOf(given = letter): string {
  return idempotencyKey(given, 'hook', digest);
}

describe('the idempotency key', () => {
  it('is the same in whatever order', () => {
    const two = alertsLetter(alertOf(), resolvedOf({ key: 'k' }));
    expect(keyOf({ ...two, alerts: two.alerts.toReversed() })).toBe(keyOf(two));
  });

  it('is another for another receiver, episode, end or reminder', () => {
    const keys = [
      keyOf(),
      idempotencyKey(letter, 'other', digest),
      keyOf(alertsLetter(alertOf({ episode: 4 }))),
      keyOf(alertsLetter(resolvedOf())),
      keyOf({ ...letter, again: true, due: now }),
      keyOf({ ...letter, again: true, due: now + 60_000 }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('the signature', () => {
  it('is over the time and the body, so that anybody with the key can check both', () => {
    const seconds = Math.floor(now / 1000);
    const expected = createHmac('sha256', 'the key').update(`${seconds}.the body`).digest('hex');
    expect(signature('the body', new Secret('the key'), now, digest)).toBe(`t=${seconds},v1=${expected}`);
  });

  it('goes along where there is a key, and not where there is none', async () => {
    const pool = new FakePool(['POST /x', answer('', 200)], ['POST /x', answer('', 200)]);
    const parts = { url, openPool: () => pool, digest };
    const hmacKey = createSecretReader({ value: new Secret('the key') }, new FakeFiles());
    await openWebhook({ ...parts, hmacKey }, sender).send(letter, 'full', now, forever);
    await openWebhook({ ...parts, hmacKey: undefined }, sender).send(letter, 'full', now, forever);
    const [signed, bare] = pool.requests;
    const key = idempotencyKey(letter, 'hook', digest);
    expect(signed?.headers).toMatchObject({
      'idempotency-key': key,
      'x-graphwarden-signature': signature(signed?.body ?? '', new Secret('the key'), now, digest),
    });
    expect(bare?.headers['idempotency-key']).toBe(key);
    expect(Object.keys(bare?.headers ?? {})).not.toContain('x-graphwarden-signature');
  });

  it('takes any body of a 2xx for good', async () => {
    const pool = new FakePool(['POST /x', answer('<html>thanks', 201, { 'content-type': 'text/html' })]);
    const parts = { url, openPool: () => pool, digest, hmacKey: undefined };
    expect(await openWebhook(parts, sender).send(letter, 'full', now, forever)).toEqual({
      kind: 'accepted',
    });
  });
});

it('a webhook gets alerts alone', () => {
  expect(webhookTraits).toMatchObject({ takesDigests: false, forgets: false });
});
