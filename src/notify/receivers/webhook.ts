import { z } from 'zod';
import { parseJson } from '../../kernel/json.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Digest } from '../../kernel/system.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { Alert } from '../../model/alert.ts';
import { type HandledRequest, jsonReply, textReply } from '../../model/simulated-receiver.ts';
import { annotationsWithEffects } from '../alert-text.ts';
import { evaluateReply, isSuccess } from '../evaluate-reply.ts';
import { httpReceiver } from '../http-receiver.ts';
import { headline, incidentId, toJson } from '../notification-text.ts';
import type { AlertsRequest, Detail } from '../notifier.ts';

/** Services that reject the payload, with the receiver for them. */
const services: readonly {
  readonly name: string;
  readonly receiver: string;
  readonly is: (address: URL) => boolean;
}[] = [
  { name: 'Slack', receiver: '`slack`', is: ({ host }) => host === 'hooks.slack.com' },
  { name: 'PagerDuty', receiver: '`pagerduty`', is: ({ host }) => /^events\.(eu\.)?pagerduty\.com$/.test(host) },
  { name: 'Alertmanager', receiver: '`alertmanager`', is: ({ pathname }) => /\/api\/v[12]\/alerts\/?$/.test(pathname) },
  {
    name: 'Microsoft Teams',
    receiver: '`teams`',
    is: ({ host }) => host.endsWith('.webhook.office.com'),
  },
  { name: 'ntfy', receiver: '`ntfy`', is: ({ host }) => host === 'ntfy.sh' },
  {
    name: 'Discord',
    receiver: '`templated_webhook`',
    is: ({ host, pathname }) => /^(\w+\.)?discord(app)?\.com$/.test(host) && !pathname.endsWith('/slack'),
  },
  { name: 'Telegram', receiver: '`templated_webhook`', is: ({ host }) => host === 'api.telegram.org' },
  { name: 'Opsgenie', receiver: '`templated_webhook`', is: ({ host }) => /^api\.(eu\.)?opsgenie\.com$/.test(host) },
];

/** Webhook of any service, with Alertmanager's payload, an idempotency key and an optional signature. */
export const webhook = httpReceiver({
  kind: 'webhook',
  about: "Any service that accepts Alertmanager's webhook payload.",
  connection: 'http_credentials',
  fields: {},
  secrets: {
    url: {
      about: "URL to which Alertmanager's webhook payload, version 4, is posted.",
      form: 'url',
      example: 'https://hooks.example.org/graph',
      exampleFile: '/run/secrets/hook-url',
    },
    hmac_key: {
      about: 'Key that signs each request (HMAC-SHA-256).',
      optional: true,
      example: 'HOOK_KEY',
      exampleFile: '/run/secrets/hook',
    },
  },
  warnings(_, secrets) {
    const address = URL.parse(secrets.get('url')?.reveal() ?? '');
    const service = address === null ? undefined : services.find(({ is }) => is(address));
    if (service === undefined) return [];
    const message = `is an address of ${service.name}, which rejects the payload of a webhook`;
    return [{ key: 'url', message, hint: `use the receiver ${service.receiver}` }];
  },
  limits: { maxBatch: 100, recipientKeys: ['url'] },
  format(request, { detail, now, name, externalUrl, secrets, digest }) {
    const body = toJson(payloadOf(request, detail, { name, externalUrl }));
    const key = secrets.hmac_key;
    const signed = key === undefined ? {} : { 'x-graphwarden-signature': signature(body, key, now, digest) };
    const headers = { 'idempotency-key': idempotencyKey(request, name, digest), ...signed };
    return { url: secrets.url.reveal(), headers, body };
  },
  evaluate: (reply, context) => (isSuccess(reply) ? { kind: 'accepted' } : evaluateReply(reply, context)),
  simulated: {
    demo: { name: 'hook', route: 'all', heartbeat: true, config: (url) => ({ url }) },
    urlPath: '/hook',
    requestPath: '/hook',
    handle: handlePayload,
  },
});

interface Sender {
  readonly name: string;
  readonly externalUrl: string;
}

/** Alertmanager's `endsAt` of an alert that is not resolved. */
const noEnd = '0001-01-01T00:00:00Z';

function payloadOf({ group, alerts }: AlertsRequest, detail: Detail, { name, externalUrl }: Sender): object {
  const sent = alerts.map((alert) => ({ ...alert, annotations: annotationsOf(alert, detail) }));
  return {
    version: '4',
    groupKey: groupKey(group),
    truncatedAlerts: 0,
    status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    receiver: name,
    groupLabels: group,
    commonLabels: commonPairs(sent.map(({ labels }) => labels)),
    commonAnnotations: commonPairs(sent.map(({ annotations }) => annotations)),
    externalURL: externalUrl,
    alerts: sent.map((alert) => ({
      status: alert.status,
      labels: alert.labels,
      annotations: alert.annotations,
      startsAt: formatTimestamp(alert.startsAt),
      endsAt: alert.endsAt === undefined ? noEnd : formatTimestamp(alert.endsAt),
      generatorURL: alert.generatorUrl,
      fingerprint: alert.key,
    })),
  };
}

function annotationsOf(alert: Alert, detail: Detail): Readonly<Record<string, string>> {
  const episode = String(alert.episode);
  if (detail === 'full') return { ...annotationsWithEffects(alert), episode };
  return { summary: headline(alert, detail, 250), episode };
}

/** Same form as Alertmanager's, which receivers treat as an opaque name. */
function groupKey(group: AlertsRequest['group']): string {
  const pairs = Object.entries(group).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{}:{${pairs.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')}}`;
}

function commonPairs(all: readonly Readonly<Record<string, string>>[]): Readonly<Record<string, string>> {
  const [first = {}, ...others] = all;
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((other) => other[name] === value)),
  );
}

/**
 * Returns a key that is the same in every retry of a request. The due time distinguishes reminders, whose content is equal, and
 * the time of opening distinguishes the notifications before and after a resolve.
 */
export function idempotencyKey(request: AlertsRequest, receiver: string, digest: Digest): string {
  const { alerts, openedAt = [] } = request;
  const incidents = alerts.map((alert, at) => [incidentId(alert), alert.status, openedAt[at] ?? []].flat().join(' '));
  const due = request.due === undefined ? [] : [String(request.due)];
  return digest.sha256([receiver, ...incidents.toSorted(), ...due].join('\n'));
}

/** Returns `t=SECONDS,v1=HEX`, HMAC-SHA-256 over `SECONDS.BODY`, so that an old request cannot be replayed. */
export function signature(body: string, key: Secret, now: number, digest: Digest): string {
  const seconds = String(Math.floor(now / 1000));
  return `t=${seconds},v1=${digest.hmacSha256(key.reveal(), `${seconds}.${body}`)}`;
}

const texts = z.record(z.string(), z.string());
const payload = z.object({
  version: z.literal('4'),
  groupKey: z.string(),
  status: z.enum(['firing', 'resolved']),
  receiver: z.string(),
  alerts: z.array(
    z.object({
      status: z.enum(['firing', 'resolved']),
      labels: texts,
      annotations: texts,
      startsAt: z.string(),
      endsAt: z.string(),
      fingerprint: z.string(),
    }),
  ),
});

function handlePayload(body: string): HandledRequest {
  const parsed = payload.safeParse(parseJson(body));
  if (!parsed.success) return { kept: [], reply: jsonReply({ error: z.prettifyError(parsed.error) }, 400) };
  const kept = parsed.data.alerts.map(({ status, labels, annotations, fingerprint }) => ({
    action: status === 'firing' ? ('trigger' as const) : ('resolve' as const),
    key: fingerprint,
    episode: annotations.episode ?? '',
    summary: annotations.summary ?? labels.alertname ?? '',
  }));
  return { kept, reply: textReply('') };
}
