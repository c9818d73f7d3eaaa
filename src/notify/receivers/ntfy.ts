import { z } from 'zod';
import { urlField } from '../../graphdb/settings-fields.ts';
import type { Secret } from '../../kernel/secret.ts';
import { shortIncidentId } from '../../model/alert.ts';
import { type HandledRequest, jsonReply, parseJson } from '../../model/simulated-receiver.ts';
import { evaluateReply } from '../evaluate-reply.ts';
import type { PostRequest } from '../http-peers.ts';
import { httpReceiver } from '../http-receiver.ts';
import {
  describeMissed,
  formatLabels,
  formatPeriod,
  headline,
  incidentCount,
  isHttpUrl,
  missedLines,
  stateLabel,
  toJson,
  truncate,
} from '../notification-text.ts';
import type { AlertsRequest, Detail } from '../notifier.ts';

/** ntfy: push notifications to phones and desktops, by a public or an own server. */
export const ntfy = httpReceiver({
  kind: 'ntfy',
  about: 'ntfy, push notifications.',
  fields: {
    url: urlField('https://ntfy.example.org').prefault('https://ntfy.sh').describe('Base URL of the ntfy server.'),
    topic: z
      .string()
      .regex(/^[-_A-Za-z0-9]{1,64}$/, { error: 'must be 1 to 64 letters, digits, dashes or underscores' })
      .describe('Topic to publish to. On a public server, everyone who knows the topic can read it.')
      .meta({ examples: ['graph-alerts'] }),
  },
  secrets: {
    token: { about: 'Access token.', optional: true, example: 'NTFY_TOKEN', exampleFile: '/run/secrets/ntfy' },
  },
  // ntfy.sh accepts a burst of 60 requests, then one every 5 seconds.
  limits: { maxBatch: 10, minInterval: 1000 },
  format: (request, { detail, options, secrets }) =>
    publish(options.url, secrets.token, { topic: options.topic, ...alertsMessage(request, detail) }),
  formatDigest: (digest, { options, secrets }) =>
    publish(options.url, secrets.token, {
      topic: options.topic,
      title: `${incidentCount(digest.count)} ended before a notification was sent`,
      message: [describeMissed(digest), ...missedLines(digest, '-', 60)].join('\n'),
      priority: 3,
      tags: ['graphwarden'],
    }),
  evaluate: evaluateReply,
  simulated: {
    demo: { name: 'phone', route: 'page', config: (url) => ({ url, topic: 'simulated' }) },
    urlPath: '',
    requestPath: '/',
    handle: handleMessage,
  },
});

interface Message {
  readonly topic: string;
  readonly title: string;
  readonly message: string;
  /** 1 (lowest) to 5 (urgent). */
  readonly priority: number;
  readonly tags: readonly string[];
  /** Address that a click on the notification opens. */
  readonly click?: string;
}

/** ntfy turns a message of more than 4,096 bytes into an attachment; a character has up to 3 bytes in a UTF-16 unit. */
const maxMessageLength = 1300;
const maxTitleLength = 200;

function publish(url: string, token: Secret | undefined, message: Message): PostRequest {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };
  return {
    url: `${url}/`,
    headers,
    body: toJson({ ...message, message: truncate(message.message, maxMessageLength) }),
  };
}

const priorities = { critical: 5, warning: 4, info: 3 } as const;
const symbols = { critical: 'rotating_light', warning: 'warning', info: 'information_source' } as const;

function alertsMessage({ alerts, isReminder }: AlertsRequest, detail: Detail): Omit<Message, 'topic'> {
  const firing = alerts.filter(({ status }) => status === 'firing');
  const worst = (['critical', 'warning', 'info'] as const).find((one) =>
    firing.some(({ severity }) => severity === one),
  );
  const [first, ...others] = alerts;
  const title =
    first === undefined ? '' : `${stateLabel(first, isReminder)} ${headline(first, detail, maxTitleLength)}`;
  const click = first?.annotations.runbook_url;
  return {
    title: truncate(`${title}${others.length === 0 ? '' : ` (and ${others.length} more)`}`, maxTitleLength),
    message: alerts.map((alert) => paragraph(alert, isReminder, alerts.length === 1 ? detail : 'short')).join('\n'),
    priority: worst === undefined ? 3 : priorities[worst],
    tags: [worst === undefined ? 'white_check_mark' : symbols[worst]],
    ...(detail === 'full' && isHttpUrl(click) ? { click } : {}),
  };
}

function paragraph(alert: AlertsRequest['alerts'][number], isReminder: boolean, detail: Detail): string {
  const title = `${stateLabel(alert, isReminder)} ${alert.severity}: ${headline(alert, detail, 80)}`;
  if (detail !== 'full') return `${truncate(title, 100)} (${shortIncidentId(alert)})`;
  const { description = '' } = alert.annotations;
  const labels = truncate(formatLabels(alert.labels, ['alertname', 'severity']), 300);
  const lines = [truncate(description, 700), labels, `${formatPeriod(alert)} (${shortIncidentId(alert)})`];
  return lines.filter((line) => line !== '').join('\n');
}

const published = z.object({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().optional(),
  message: z.string().optional(),
  priority: z.int().min(1).max(5).optional(),
  tags: z.array(z.string()).optional(),
  click: z.url().optional(),
});

/** Keeps a title and the incident ids in the message; ntfy knows no incidents. */
function handleMessage(body: string, now: number): HandledRequest {
  const parsed = published.safeParse(parseJson(body));
  if (!parsed.success) {
    return {
      kept: [],
      reply: jsonReply({ code: 40024, http: 400, error: 'invalid request: request body must be message JSON' }, 400),
    };
  }
  const { topic, title = '', message = 'triggered' } = parsed.data;
  const ids = [...message.matchAll(/\(([^\s()]+-\d+)(?:,[^()]*)?\)$/gm)].map(([, id = '']) => id);
  const kept = (ids.length === 0 ? [''] : ids).map((episode) => ({
    action: 'message' as const,
    key: '',
    episode,
    summary: title,
  }));
  return {
    kept,
    reply: jsonReply({ id: 'simulated', time: Math.floor(now / 1000), event: 'message', topic, title, message }),
  };
}
