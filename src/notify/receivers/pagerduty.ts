import { z } from 'zod';
import { urlField } from '../../graphdb/settings-fields.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Secret } from '../../kernel/secret.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { AcknowledgementChange, Alert } from '../../model/alert.ts';
import { type HandledRequest, jsonReply, type ReceivedNotification } from '../../model/simulated-receiver.ts';
import { alertText, annotationsWithEffects } from '../alert-text.ts';
import { evaluateReply } from '../evaluate-reply.ts';
import { httpReceiver } from '../http-receiver.ts';
import { byteLength, headline, incidentId, isHttpUrl, toJson, truncate } from '../notification-text.ts';
import type { Detail } from '../notifier.ts';

const keyLength = 32;

/** PagerDuty Events API v2: one event for each alert; a reminder has the key of its incident and never opens another. */
export const pagerduty = httpReceiver({
  kind: 'pagerduty',
  about: 'PagerDuty, Events API v2.',
  fields: {
    url: urlField('https://events.eu.pagerduty.com')
      .refine((url) => !/\/v2(\/enqueue)?$/.test(url), { error: 'must be the base URL; remove `/v2/enqueue`' })
      .prefault('https://events.pagerduty.com')
      .describe('Base URL of the Events API: the European service region, or a proxy.'),
  },
  secrets: {
    routing_key: {
      about: 'Integration key of a service (Events API v2).',
      example: 'PAGERDUTY_KEY',
      exampleFile: '/run/secrets/pagerduty',
    },
  },
  warnings: (_, secrets) =>
    (secrets.get('routing_key')?.reveal().trim().length ?? keyLength) === keyLength
      ? []
      : [
          {
            key: 'routing_key',
            message: `does not have the ${keyLength} characters of an integration key, so PagerDuty rejects each event`,
            hint: 'copy the key of an integration of the type Events API v2; for a path, use routing_key_file',
          },
        ],
  // PagerDuty accepts about 120 events a minute and key.
  // An event can acknowledge an incident, but not withdraw that.
  limits: { maxBatch: 1, maxPerMinute: 100, isPager: true, cannotUnacknowledge: true, recipientKeys: ['routing_key'] },
  format: ({ alerts: [alert], acknowledgement }, { detail, options, secrets }) => ({
    url: `${options.url}/v2/enqueue`,
    body: alert === undefined ? '' : eventOf({ alert, acknowledgement }, detail, secrets.routing_key),
  }),
  evaluate: evaluateReply,
  simulated: {
    demo: {
      name: 'oncall',
      route: 'page',
      config: (url) => ({ url, routing_key: 'simulated-routing-key-0000000000' }),
    },
    urlPath: '',
    requestPath: '/v2/enqueue',
    handle: handleEvent,
  },
});

/** PagerDuty accepts 512 KB; the rest is for what JSON and UTF-8 add. */
const maxEventBytes = 500 * 1024;
const maxSummaryLength = 1024;
const maxDetailLength = 4096;
const maxFieldLength = 255;

/** An alert, and the change of its acknowledgement if the event reports one. */
interface Reported {
  readonly alert: Alert;
  readonly acknowledgement: AcknowledgementChange | undefined;
}

function eventOf(reported: Reported, detail: Detail, routingKey: Secret): string {
  const { alert, acknowledgement } = reported;
  const event = { routing_key: routingKey.reveal(), dedup_key: incidentId(alert) };
  if (alert.status === 'resolved') return toJson({ ...event, event_action: 'resolve' });
  if (acknowledgement !== undefined) return toJson({ ...event, event_action: 'acknowledge' });
  const body = toJson({ ...event, event_action: 'trigger', ...triggerEvent(alert, detail) });
  return byteLength(body) > maxEventBytes && detail === 'full' ? eventOf(reported, 'short', routingKey) : body;
}

function triggerEvent(alert: Alert, detail: Detail): Readonly<Record<string, unknown>> {
  const { labels, severity, startsAt } = alert;
  const payload = {
    summary: headline(alert, detail, maxSummaryLength),
    source: truncate(labels.node || labels.host_id || labels.cluster_name || 'graphwarden', maxFieldLength),
    severity,
    timestamp: formatTimestamp(startsAt),
    custom_details: detail === 'full' ? customDetails(alert) : { episode: String(alert.episode) },
  };
  if (detail !== 'full') return { payload };
  const { service_name: component, cluster_name: group } = labels;
  const links = alertText(alert, { isReminder: false }, 'full').links.map(({ text, url: href }) => ({ href, text }));
  return {
    payload: { ...payload, ...nonEmptyFields({ component, group, class: alert.rule }) },
    ...(links.length === 0 ? {} : { links }),
    client: 'graphwarden',
    ...(isHttpUrl(alert.generatorUrl) ? { client_url: alert.generatorUrl } : {}),
  };
}

function customDetails(alert: Alert): Readonly<Record<string, string>> {
  const texts = { ...alert.labels, ...annotationsWithEffects(alert), episode: String(alert.episode) };
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, truncate(text, maxDetailLength)]));
}

function nonEmptyFields(fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, text = '']) =>
      text === '' ? [] : [[name, truncate(text, maxFieldLength)]],
    ),
  );
}

const envelope = { routing_key: z.string().length(keyLength), dedup_key: z.string().max(255).optional() };
const event = z.discriminatedUnion('event_action', [
  z.object({
    ...envelope,
    event_action: z.literal('trigger'),
    payload: z.object({
      summary: z.string().min(1).max(maxSummaryLength),
      source: z.string().min(1),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime({ offset: true }).optional(),
      custom_details: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
  z.object({ ...envelope, event_action: z.enum(['acknowledge', 'resolve']), dedup_key: z.string().min(1).max(255) }),
]);

function handleEvent(body: string): HandledRequest {
  if (byteLength(body) > 512 * 1024) return invalidEvent(413, ['the event is larger than 512 KB']);
  const parsed = event.safeParse(parseJson(body));
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => `'${path.join('.')}': ${message}`);
    return invalidEvent(400, errors);
  }
  const key = parsed.data.dedup_key ?? '';
  const reply = jsonReply({ status: 'success', message: 'Event processed', dedup_key: key }, 202);
  return { kept: receivedEvents(parsed.data, key), reply };
}

function invalidEvent(status: number, errors: readonly string[]): HandledRequest {
  return {
    kept: [],
    reply: jsonReply({ status: 'invalid event', message: 'Event object is invalid', errors }, status),
  };
}

function receivedEvents(received: z.infer<typeof event>, key: string): readonly ReceivedNotification[] {
  if (received.event_action !== 'trigger') {
    return [{ action: received.event_action, key, episode: '', summary: '' }];
  }
  const { summary, custom_details: details } = received.payload;
  const number = details?.episode;
  const episode = typeof number === 'string' || typeof number === 'number' ? String(number) : '';
  return [{ action: 'trigger', key, episode, summary }];
}
