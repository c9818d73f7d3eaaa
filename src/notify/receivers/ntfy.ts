import { z } from 'zod';
import { urlField } from '../../graphdb/settings-fields.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Secret } from '../../kernel/secret.ts';
import { type HandledRequest, jsonReply } from '../../model/simulated-receiver.ts';
import { alertTexts, furtherAlerts, requestState, sortAlerts, withEnd } from '../alert-text.ts';
import { evaluateReply } from '../evaluate-reply.ts';
import type { ReceiverRequest } from '../http-peers.ts';
import { httpReceiver } from '../http-receiver.ts';
import { type AlertText, describeMissed, endedUnsent, missedLines, toJson, truncate } from '../notification-text.ts';
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
  warnings: ({ url, topic }) =>
    url.endsWith(`/${topic}`)
      ? [{ key: 'url', message: 'ends with the topic, so ntfy replies with 404', hint: 'remove the topic from `url`' }]
      : [],
  // ntfy.sh accepts a burst of 60 requests, then one every 5 seconds.
  limits: { maxBatch: 10, minInterval: 1000, summarizes: true, recipientKeys: ['url', 'topic'] },
  format: (request, { detail, options, secrets }) =>
    publish(options.url, secrets.token, { topic: options.topic, ...alertsMessage(request, detail) }),
  formatDigest: (digest, { options, secrets }) =>
    publish(options.url, secrets.token, {
      topic: options.topic,
      title: endedUnsent(digest.count),
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

/** ntfy turns a message of more than 4,096 bytes into an attachment; a UTF-16 unit takes up to 3 bytes of UTF-8. */
const maxMessageLength = 1300;
const maxTitleLength = 200;

function publish(url: string, token: Secret | undefined, message: Message): ReceiverRequest {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` };
  return {
    url: `${url}/`,
    headers,
    body: toJson({ ...message, message: truncate(message.message, maxMessageLength) }),
  };
}

const priorities = { critical: 5, warning: 4, info: 3 } as const;
const symbols = { critical: 'rotating_light', warning: 'warning', info: 'information_source' } as const;

function alertsMessage(request: AlertsRequest, detail: Detail): Omit<Message, 'topic'> {
  const sorted = sortAlerts(request.alerts);
  const [first] = sorted;
  const worst = first?.status === 'firing' ? first.severity : undefined;
  const [text] = alertTexts(request, detail);
  const title = text === undefined ? '' : `${requestState(request)}: ${truncate(text.headline, maxTitleLength)}`;
  const [link] = text?.links ?? [];
  return {
    title: withEnd(title, furtherAlerts(request), maxTitleLength),
    message: messageOf(request, detail),
    // An acknowledgement must not wake anyone.
    priority: worst === undefined || request.acknowledgement !== undefined ? 3 : priorities[worst],
    tags: [worst === undefined ? 'white_check_mark' : symbols[worst]],
    ...(link === undefined ? {} : { click: link.url }),
  };
}

/** One alert or a summary in full, or one line for each of several. */
function messageOf(request: AlertsRequest, detail: Detail): string {
  const isOneText = request.alerts.length === 1 || request.isSummary === true;
  const texts = alertTexts(request, isOneText ? detail : 'short');
  return texts.map((text) => (texts.length === 1 && detail === 'full' ? paragraph(text) : line(text))).join('\n');
}

function line({ state, headline: title, id }: AlertText): string {
  return withEnd(`${state}: ${title}`, ` (${id})`, 120);
}

function paragraph({ paragraphs, lists, labels, period, id }: AlertText): string {
  const lines = [
    ...paragraphs.map((text) => truncate(text, 700)),
    ...lists.flatMap(({ title, items }) => [`${title}:`, ...items.map((item) => `• ${item}`)]),
    truncate(labels, 300),
  ];
  return withEnd(lines.filter((one) => one !== '').join('\n'), `\n${period} (${id})`, maxMessageLength);
}

const published = z.object({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().optional(),
  message: z.string().optional(),
  priority: z.int().min(1).max(5).optional(),
  tags: z.array(z.string()).optional(),
  click: z.url().optional(),
});

/** Keeps the title and the incident ids of the message, because ntfy has no incidents of its own. */
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
