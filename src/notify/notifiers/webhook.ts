import type { SecretReader } from '../../graphdb/secret-reader.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { OpenHttpPool } from '../../kernel/http.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Alert } from '../../model/alert.ts';
import type { Answer, Detail, Letter, Notifier, NotifierTraits } from '../notifier.ts';
import { excerpt, pathParts } from './excerpt.ts';
import { openHttpWay } from './http-way.ts';
import { judge, type Reading } from './judge.ts';
import { headline, incidentId, isoTime, jsonOf } from './texts.ts';
import { withAddress } from './with-address.ts';
import { withSecret } from './with-secret.ts';

/** What delivery has to know of a service that takes Alertmanager's webhook: it knows alerts alone. */
export const webhookTraits: NotifierTraits = {
  batch: 100,
  spacing: 0,
  takesDigests: false,
  forgets: false,
};

/** A letter with alerts. */
export type Alerts = Extract<Letter, { readonly kind: 'alerts' }>;

/** What Alertmanager writes where there is no end yet. */
const noEnd = '0001-01-01T00:00:00Z';

/** Who sends it, for the payload. */
export interface WebhookSender {
  readonly receiver: string;
  readonly externalUrl: string;
}

/** Alertmanager's webhook payload, version 4. */
export function formatWebhook({ group, alerts }: Alerts, detail: Detail, sender: WebhookSender): string {
  const told = alerts.map((alert) => ({ ...alert, annotations: annotationsOf(alert, detail) }));
  return jsonOf({
    version: '4',
    groupKey: groupKey(group),
    truncatedAlerts: 0,
    status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    receiver: sender.receiver,
    groupLabels: group,
    commonLabels: common(told.map(({ labels }) => labels)),
    commonAnnotations: common(told.map(({ annotations }) => annotations)),
    externalURL: sender.externalUrl,
    alerts: told.map((alert) => ({
      status: alert.status,
      labels: alert.labels,
      annotations: alert.annotations,
      startsAt: isoTime(alert.startsAt),
      endsAt: alert.endsAt === undefined ? noEnd : isoTime(alert.endsAt),
      generatorURL: alert.generatorUrl,
      fingerprint: alert.key,
    })),
  });
}

function annotationsOf(alert: Alert, detail: Detail): Readonly<Record<string, string>> {
  const episode = String(alert.episode);
  if (detail === 'full') return { ...alert.annotations, episode };
  return { summary: headline(alert, detail, 250), episode };
}

/** In the form of Alertmanager: receivers take it as a name, whatever it says. */
function groupKey(group: Alerts['group']): string {
  const pairs = Object.entries(group).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{}:{${pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')}}`;
}

function common(all: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>> {
  const [first = {}, ...others] = all;
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((other) => other[name] === value)),
  );
}

/** The same for every try of one letter. Reminders say the same again and again: when they were due tells them apart. */
export function idempotencyKey(letter: Alerts, receiver: string, digest: Digest): string {
  const said = letter.alerts.map((alert) => `${incidentId(alert)} ${alert.status}`).toSorted();
  const due = letter.due === undefined ? [] : [String(letter.due)];
  return digest.sha256([receiver, ...said, ...due].join('\n'));
}

/** `t=SECONDS,v1=HEX`: HMAC-SHA-256 over `SECONDS.BODY`, so that an old letter cannot be sent again by others. */
export function signature(body: string, key: Secret, now: number, digest: Digest): string {
  const seconds = String(Math.floor(now / 1000));
  return `t=${seconds},v1=${digest.hmacSha256(key.reveal(), `${seconds}.${body}`)}`;
}

/** What a webhook is made of. */
export interface WebhookParts {
  readonly url: SecretReader;
  readonly hmacKey: SecretReader | undefined;
  readonly openPool: OpenHttpPool;
  readonly digest: Digest;
}

/** Posts alerts to somebody's own service. */
export function openWebhook({ url, hmacKey, openPool, digest }: WebhookParts, sender: WebhookSender): Notifier {
  const way = openHttpWay(openPool);
  return {
    traits: webhookTraits,
    async send(letter, detail, now, signal) {
      if (letter.kind !== 'alerts') return { kind: 'refused', message: 'takes alerts alone' };
      const body = formatWebhook(letter, detail, sender);
      const id = idempotencyKey(letter, sender.receiver, digest);
      const post = async (address: string, key?: Secret): Promise<Answer> => {
        const signed = key === undefined ? {} : { 'x-graphwarden-signature': signature(body, key, now, digest) };
        const reply = await way.post(address, body, { 'idempotency-key': id, ...signed }, signal);
        return judge(reply, now, readingOf(address, key));
      };
      return await withAddress(url, (address) =>
        hmacKey === undefined ? post(address) : withSecret(hmacKey, (key) => post(address, key)),
      );
    },
    close: () => way.close(),
  };
}

function readingOf(url: string, key: Secret | undefined): Reading {
  const hidden = [key?.reveal() ?? '', ...pathParts(url)];
  return { accept: () => ({ kind: 'accepted' }), explain: (reply) => excerpt(reply, hidden) };
}
