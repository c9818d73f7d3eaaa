import { z } from 'zod';
import type { HttpReply } from '../../kernel/http.ts';
import { parseJson } from '../../kernel/json.ts';
import { type HandledRequest, type ReceivedNotification, textReply } from '../../model/simulated-receiver.ts';
import { alertTexts } from '../alert-text.ts';
import { bodyText, evaluateReply, isSuccess } from '../evaluate-reply.ts';
import { httpReceiver } from '../http-receiver.ts';
import { type AlertText, describeMissed, missedLines, toJson, truncate } from '../notification-text.ts';
import type { AlertsRequest, Detail, DigestRequest } from '../notifier.ts';

const webhookPath = '/services/T00000000/B00000000/simulated';

/** Slack incoming webhook. Slack has no incidents, so each line contains the id of its incident. */
export const slack = httpReceiver({
  kind: 'slack',
  about: 'Slack, incoming webhook.',
  fields: {},
  secrets: {
    webhook_url: {
      about: 'Address of an incoming webhook; the whole address is a secret.',
      form: 'secret_url',
      example: 'SLACK_WEBHOOK',
      exampleFile: '/run/secrets/slack',
    },
  },
  // Slack accepts about one message a second and channel.
  limits: { maxBatch: 20, minInterval: 1000, summarizes: true, recipientKeys: ['webhook_url'] },
  format: (request, { detail, secrets }) => ({
    url: secrets.webhook_url.reveal(),
    body: toJson(slackMessage(request, detail)),
  }),
  formatDigest: (digest, { secrets }) => ({
    url: secrets.webhook_url.reveal(),
    body: toJson(slackDigest(digest)),
  }),
  evaluate(reply, context) {
    if (!isSuccess(reply)) return evaluateReply(reply, { ...context, excerpt: errorCode(reply) });
    if (bodyText(reply).trim() === 'ok') return { kind: 'accepted' };
    return { kind: 'broken', message: 'status 200 without the body ok: the address is not a Slack webhook' };
  },
  simulated: {
    demo: { name: 'chat', route: 'page', config: (url) => ({ webhook_url: url }) },
    urlPath: webhookPath,
    requestPath: webhookPath,
    handle: handleMessage,
  },
});

/**
 * Slack accepts 40,000 characters of text, 3,000 in a section and 50 blocks. Escaping turns one character into up to five
 * (`&amp;`), and a message must not lose a line with the id of an incident.
 */
const maxTextLength = 39_000;
const maxSectionLength = 2950;
const maxLineLength = 300;
const maxMissedLength = 100;

/** A message of Slack; `blocks` replace the text where Slack shows them. */
export interface SlackMessage {
  readonly text: string;
  readonly blocks?: readonly object[];
}

/** Returns a digest as a message. */
export function slackDigest(digest: DigestRequest): SlackMessage {
  const lines = [describeMissed(digest), ...missedLines(digest, '•', maxMissedLength)];
  return { text: truncate(lines.map((line) => escaped(line)).join('\n'), maxTextLength) };
}

/** Returns the alerts of a request as a message. */
export function slackMessage(request: AlertsRequest, detail: Detail): SlackMessage {
  const texts = alertTexts(request, detail);
  const line = ({ state, headline, id }: AlertText): string =>
    escaped(`${state}: ${truncate(headline, maxLineLength)} (${id})`);
  const text = truncate(texts.map(line).join('\n'), maxTextLength);
  return detail === 'full' ? { text, blocks: texts.map(section) } : { text };
}

function section({ state, headline, paragraphs, lists, period, labels, links, id }: AlertText): object {
  const body = [
    `*${escaped(state)}* ${escaped(truncate(headline, maxLineLength))}`,
    ...paragraphs.map((text) => escaped(text, 1000)),
    ...lists.flatMap(({ title, items }) => [`*${escaped(title)}*`, ...items.map((item) => `• ${escaped(item)}`)]),
    escaped(labels, 500),
  ];
  const linked = links.map((one) => link(one.url, one.text)).filter((one) => one !== '');
  const end = `\n${[`${period} · ${id}`, ...(linked.length === 0 ? [] : [linked.join(' · ')])].join('\n')}`;
  const text = `${cut(body.filter((one) => one !== '').join('\n'), maxSectionLength - end.length)}${end}`;
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

function link(address: string, text: string): string {
  return address.length <= 310 ? `<${escaped(address)}|${text}>` : '';
}

/** Escapes what Slack interprets as markup, so that a text cannot mention everyone in the channel. */
function escaped(text: string, most = maxTextLength): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return cut(safe, most);
}

/** Cuts an escaped text, but not within an entity. */
function cut(text: string, most: number): string {
  return truncate(text, most).replace(/&[a-z]*…$/, '…');
}

/** Slack replies with an error code; any other text could contain the address, which is the secret. */
function errorCode(reply: HttpReply): string {
  const text = bodyText(reply).trim();
  return /^[a-z]+(_[a-z]+)*$/.test(text) && text.length <= 40 ? text : '';
}

const message = z.object({ text: z.string().optional(), blocks: z.array(z.unknown()).optional() });

/** Keeps the text line by line. An id in parentheses at the end of a line is that of an incident. */
function handleMessage(body: string): HandledRequest {
  const parsed = message.safeParse(parseJson(body));
  if (!parsed.success) return { kept: [], reply: textReply('invalid_payload', 400) };
  const { text = '', blocks = [] } = parsed.data;
  if (text === '' && blocks.length === 0) return { kept: [], reply: textReply('no_text', 400) };
  return { kept: receivedLines(text), reply: { ...textReply('ok'), headers: { 'content-type': 'text/html' } } };
}

/** Returns the notifications in the text of a message: one for each line. */
export function receivedLines(text: string): readonly ReceivedNotification[] {
  return text.split('\n').map((line) => {
    const episode = /\(([^\s()]+-\d+)(?:,[^()]*)?\)$/.exec(line)?.[1] ?? '';
    return { action: 'message', key: '', episode, summary: line };
  });
}
