import { z } from 'zod';
import { parseJson } from '../../kernel/json.ts';
import type { Alert } from '../../model/alert.ts';
import { type HandledRequest, jsonReply, textReply } from '../../model/simulated-receiver.ts';
import { alertTexts, sortAlerts } from '../alert-text.ts';
import { evaluateReply } from '../evaluate-reply.ts';
import { httpReceiver } from '../http-receiver.ts';
import { type AlertText, byteLength, describeMissed, missedLines, toJson, truncate } from '../notification-text.ts';
import type { AlertsRequest, Detail } from '../notifier.ts';

const webhookPath = '/workflows/simulated/triggers/manual/paths/invoke';

/** Microsoft Teams: the webhook trigger of a workflow posts an Adaptive Card to a channel or chat. */
export const teams = httpReceiver({
  kind: 'teams',
  about: 'Microsoft Teams, Workflows webhook with an Adaptive Card.',
  fields: {},
  secrets: {
    webhook_url: {
      about: 'Address of the webhook trigger of a workflow; the whole address is a secret.',
      form: 'secret_url',
      example: 'TEAMS_WEBHOOK',
      exampleFile: '/run/secrets/teams',
    },
  },
  // A workflow accepts about four requests a second.
  limits: { maxBatch: 10, minInterval: 1000, summarizes: true, recipientKeys: ['webhook_url'] },
  format: (request, { detail, secrets }) => ({
    url: secrets.webhook_url.reveal(),
    body: alertsMessage(request, detail),
  }),
  formatDigest: (digest, { secrets }) => ({
    url: secrets.webhook_url.reveal(),
    body: toJson(
      message([
        text([{ text: describeMissed(digest), weight: 'Bolder' }]),
        ...missedLines(digest, '•', 100).map((line) => text([{ text: line }])),
      ]),
    ),
  }),
  evaluate: evaluateReply,
  simulated: {
    demo: { name: 'teams', route: 'page', config: (url) => ({ webhook_url: url }) },
    urlPath: webhookPath,
    requestPath: webhookPath,
    handle: handleMessage,
  },
});

/** Teams rejects messages larger than about 28 KB. */
const maxMessageBytes = 26 * 1024;
const maxHeadlineLength = 500;

function alertsMessage(request: AlertsRequest, detail: Detail): string {
  const sorted = sortAlerts(request.alerts);
  const body = toJson(message(alertTexts(request, detail).flatMap((one, at) => textBlocks(one, colorOf(sorted[at])))));
  return byteLength(body) > maxMessageBytes && detail === 'full' ? alertsMessage(request, 'short') : body;
}

function message(body: readonly object[]): object {
  const card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body,
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
  };
}

interface TextRun {
  readonly text: string;
  readonly weight?: 'Bolder';
  readonly color?: string;
  readonly isSubtle?: true;
  readonly selectAction?: object;
}

/** A text block would interpret Markdown in the texts of the monitored server; text runs do not. */
function text(runs: readonly TextRun[]): object {
  return { type: 'RichTextBlock', inlines: runs.map((run) => ({ type: 'TextRun', ...run })) };
}

function textBlocks(alertText: AlertText, color: string): readonly object[] {
  const { state, headline, paragraphs, lists, period, labels, links, id } = alertText;
  const title = [
    { text: `${state}: `, weight: 'Bolder' as const, color },
    { text: truncate(headline, maxHeadlineLength), weight: 'Bolder' as const },
  ];
  const actions = links.map((link) => ({
    text: ` ${link.text}`,
    selectAction: { type: 'Action.OpenUrl', url: link.url },
  }));
  return [
    text(title),
    ...paragraphs.map((paragraph) => text([{ text: truncate(paragraph, 1000) }])),
    ...lists.flatMap((list) => [
      text([{ text: list.title, weight: 'Bolder' }]),
      ...list.items.map((item) => text([{ text: `• ${item}` }])),
    ]),
    ...(labels === '' ? [] : [text([{ text: truncate(labels, 500), isSubtle: true }])]),
    text([{ text: `${period} (${id})`, isSubtle: true }, ...actions]),
  ];
}

function colorOf(alert: Alert | undefined): string {
  if (alert?.status === 'resolved') return 'Good';
  const { severity } = alert ?? {};
  return severity === 'critical' ? 'Attention' : severity === 'warning' ? 'Warning' : 'Accent';
}

const run = z.object({ text: z.string() });
const block = z.object({ type: z.literal('RichTextBlock'), inlines: z.array(run).min(1) });
const card = z.object({ type: z.literal('AdaptiveCard'), version: z.string(), body: z.array(block).min(1) });
const attachment = z.object({ contentType: z.literal('application/vnd.microsoft.card.adaptive'), content: card });
const received = z.object({ type: z.literal('message'), attachments: z.array(attachment).min(1) });

/** Keeps the text block by block, as a channel shows it; Teams has no incidents of its own. */
function handleMessage(body: string): HandledRequest {
  if (byteLength(body) > 28 * 1024)
    return { kept: [], reply: jsonReply({ error: { code: 'RequestEntityTooLarge' } }, 413) };
  const parsed = received.safeParse(parseJson(body));
  if (!parsed.success) {
    const error = { code: 'TriggerInputSchemaMismatch', message: z.prettifyError(parsed.error) };
    return { kept: [], reply: jsonReply({ error }, 400) };
  }
  const lines = parsed.data.attachments.flatMap(({ content }) =>
    content.body.map(({ inlines }) => inlines.map((inline) => inline.text).join('')),
  );
  const kept = lines.map((line) => {
    const episode = /\(([^\s()]+-\d+)(?:,[^()]*)?\)/.exec(line)?.[1] ?? '';
    return { action: 'message' as const, key: '', episode, summary: line };
  });
  return { kept, reply: textReply('', 202) };
}
