import { z } from 'zod';
import { urlField } from '../../graphdb/settings-fields.ts';
import type { HttpReply } from '../../kernel/http.ts';
import { parseJson } from '../../kernel/json.ts';
import { type HandledRequest, jsonReply } from '../../model/simulated-receiver.ts';
import { bodyText, evaluateReply, isSuccess, type ReplyContext } from '../evaluate-reply.ts';
import type { ReceiverRequest } from '../http-peers.ts';
import { httpReceiver } from '../http-receiver.ts';
import { isHttpUrl, toJson } from '../notification-text.ts';
import type { AlertsRequest, Detail, ReceiverResponse } from '../notifier.ts';
import { receivedLines, type SlackMessage, slackDigest, slackMessage } from './slack.ts';

/**
 * Slack bot: one message for each incident. Reminders, updates and the resolve change this message and reply in its thread.
 * The reference of an incident is `CHANNEL:TS`, which identifies the message.
 */
export const slackBot = httpReceiver({
  kind: 'slack_bot',
  about: 'Slack, bot token: a thread for each incident.',
  fields: {
    url: urlField('https://slack.com/api').prefault('https://slack.com/api').describe('Base URL of the Web API.'),
    channel: z
      .string()
      .regex(/^[CDG][A-Z0-9]{6,20}$/, { error: 'must be the ID of a channel, such as C0123456789' })
      .describe('ID of the channel, which the bot must be a member of.')
      .meta({ examples: ['C0123456789'] }),
  },
  secrets: {
    token: {
      about: 'Bot token (`xoxb-…`) with the scope `chat:write`.',
      example: 'SLACK_BOT_TOKEN',
      exampleFile: '/run/secrets/slack-bot',
    },
  },
  // Slack accepts about one message a second and channel.
  limits: { maxBatch: 1, minInterval: 1000, summarizes: true, recipientKeys: ['channel'] },
  format: (request, { detail, options, secrets }) =>
    requestFor(request, detail, { ...options, token: secrets.token.reveal() }),
  formatDigest: (digest, { options, secrets }) => {
    const bot = { ...options, token: secrets.token.reveal() };
    return call('chat.postMessage', bot, { channel: options.channel, ...slackDigest(digest) });
  },
  evaluate: evaluateBotReply,
  simulated: {
    demo: {
      name: 'threads',
      route: 'page',
      config: (url) => ({ url, token: 'simulated', channel: 'C0123456789' }),
    },
    urlPath: '/api',
    requestPath: '/api/chat.postMessage',
    otherPaths: ['/api/chat.update'],
    handle: handleCall,
  },
});

interface Bot {
  readonly url: string;
  readonly channel: string;
  readonly token: string;
}

/** After a rejection, the notification is a plain message in the channel: the thread may be the reason. */
function requestFor(request: AlertsRequest, detail: Detail, bot: Bot): ReceiverRequest {
  const message = withButton(slackMessage(request, detail), request, detail);
  const [channel = '', ts] = (request.reference ?? '').split(':');
  if (ts === undefined || detail !== 'full') {
    return call('chat.postMessage', bot, { channel: bot.channel, ...message, unfurl_links: false });
  }
  const reply = { channel, ...message, thread_ts: ts, unfurl_links: false };
  const broadcast = request.isReminder ? { reply_broadcast: true } : {};
  return {
    ...call('chat.update', bot, { channel, ts, ...message }),
    next: call('chat.postMessage', bot, { ...reply, ...broadcast }),
  };
}

function call(method: string, { url, token }: Bot, body: object): ReceiverRequest {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' };
  return { url: `${url}/${method}`, headers, body: toJson(body) };
}

/** Slack accepts 3,000 characters in the address of a button. */
const maxButtonUrlLength = 3000;

/** Adds a button that opens the incident in graphwarden, where a person acknowledges it. */
function withButton(message: SlackMessage, request: AlertsRequest, detail: Detail): SlackMessage {
  const [alert] = request.alerts;
  if (alert?.status !== 'firing' || detail !== 'full' || request.isSummary === true) return message;
  const { generatorUrl: url, annotations } = alert;
  const isAcknowledged = (annotations.acknowledgement ?? '') !== '';
  if (isAcknowledged || !isHttpUrl(url) || url.length > maxButtonUrlLength) return message;
  const text = { type: 'plain_text', text: 'Acknowledge' };
  const actions = { type: 'actions', elements: [{ type: 'button', action_id: 'acknowledge', text, url }] };
  return { ...message, blocks: [...(message.blocks ?? []), actions] };
}

const botReply = z.object({
  ok: z.boolean(),
  error: z.string().optional().catch(undefined),
  channel: z.string().max(100).optional().catch(undefined),
  ts: z.string().max(100).optional().catch(undefined),
});

/** Slack replies with status 200 to most errors and names them in the body. */
function evaluateBotReply(reply: HttpReply, context: ReplyContext): ReceiverResponse {
  const parsed = botReply.safeParse(parseJson(bodyText(reply)));
  const code = errorCode(parsed.data?.error);
  if (!isSuccess(reply)) return evaluateReply(reply, { ...context, excerpt: code });
  if (!parsed.success)
    return { kind: 'broken', message: 'status 200 without the member ok: this is not the Slack API' };
  const { ok, channel, ts } = parsed.data;
  if (!ok) return evaluateError(code);
  return channel === undefined || ts === undefined
    ? { kind: 'accepted' }
    : { kind: 'accepted', reference: `${channel}:${ts}` };
}

/** Errors of `chat.update` after which only the reply in the thread is sent. */
const fixedMessageErrors: ReadonlySet<string> = new Set([
  'cant_update_message',
  'edit_window_closed',
  'message_not_found',
  'block_mismatch',
]);
const limitErrors: ReadonlySet<string> = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded']);
const temporaryErrors: ReadonlySet<string> = new Set([
  'external_channel_migrating',
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
  'team_added_to_org',
  'update_failed',
]);
const brokenErrors: ReadonlySet<string> = new Set([
  'access_denied',
  'accesslimited',
  'account_inactive',
  'channel_not_found',
  'deprecated_endpoint',
  'ekm_access_denied',
  'enterprise_is_restricted',
  'invalid_auth',
  'is_archived',
  'is_inactive',
  'method_deprecated',
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'not_authed',
  'not_in_channel',
  'org_login_required',
  'restricted_action',
  'restricted_action_read_only_channel',
  'restricted_action_thread_only_channel',
  'team_access_not_granted',
  'team_not_found',
  'token_expired',
  'token_revoked',
  'two_factor_setup_required',
]);

function evaluateError(code: string): ReceiverResponse {
  if (fixedMessageErrors.has(code)) return { kind: 'accepted' };
  const message = `Slack replied with the error ${code === '' ? 'unknown' : code}`;
  if (limitErrors.has(code)) return { kind: 'limited', message };
  if (brokenErrors.has(code)) return { kind: 'broken', message };
  if (temporaryErrors.has(code)) return { kind: 'unavailable', answered: true, timedOut: false, message };
  return { kind: 'refused', message };
}

/** Any other text could contain the token. */
function errorCode(text = ''): string {
  return /^[a-z]+(_[a-z]+)*$/.test(text) && text.length <= 60 ? text : '';
}

const timestamp = z.string().regex(/^\d+\.\d{6}$/);
const received = z.object({
  channel: z.string().regex(/^[CDG][A-Z0-9]+$/),
  text: z.string().min(1).max(40_000),
  blocks: z
    .array(
      z.union([
        z.object({
          type: z.literal('section'),
          text: z.object({ type: z.literal('mrkdwn'), text: z.string().min(1).max(3000) }),
        }),
        z.object({
          type: z.literal('actions'),
          elements: z
            .array(z.object({ type: z.literal('button'), action_id: z.string().max(255), url: z.url().max(3000) }))
            .min(1)
            .max(25),
        }),
      ]),
    )
    .max(50)
    .optional(),
  ts: timestamp.optional(),
  thread_ts: timestamp.optional(),
});

/** Replies to both methods: an update repeats the `ts` of its message. */
function handleCall(body: string): HandledRequest {
  const parsed = received.safeParse(parseJson(body));
  if (!parsed.success) return { kept: [], reply: jsonReply({ ok: false, error: 'invalid_arguments' }) };
  const { channel, text, ts = '1503435956.000247' } = parsed.data;
  return { kept: receivedLines(text), reply: jsonReply({ ok: true, channel, ts }) };
}
