import { z } from 'zod';
import { byteLength } from '../../src/notify/notification-text.ts';

/** A request as a vendor gets it. */
export interface VendorRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Reply of a vendor, and what it keeps: the key of an incident that it opened or closed, or a message. */
export interface VendorReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly kept?: string;
}

/** A vendor's API as its documentation describes it: required fields, types and limits. */
export interface Vendor {
  /** Path of the address in the recipe. */
  readonly path: string;
  /** Credential in a header; undefined if the address is the credential. */
  readonly authorization?: string;
  /** Reply to a request above the rate limit, and its retry time in ms; undefined if it names none. */
  readonly limited: { readonly reply: VendorReply; readonly wait?: number };
  handle(request: VendorRequest): VendorReply;
}

function parsed<Shape>(schema: z.ZodType<Shape>, { body }: VendorRequest): z.ZodSafeParseResult<Shape> {
  const value: unknown = JSON.parse(body);
  return schema.safeParse(value);
}

const opsgenieAlert = z.strictObject({
  message: z.string().min(1).max(130),
  alias: z.string().min(1).max(512),
  description: z.string().max(15_000).optional(),
  priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']).optional(),
  source: z.string().max(100).optional(),
  entity: z.string().max(512).optional(),
  tags: z.array(z.string().min(1).max(50)).max(20).optional(),
  details: z
    .record(z.string(), z.string())
    .refine((details) => JSON.stringify(details).length <= 8000)
    .optional(),
});
const opsgenieClose = z.strictObject({
  source: z.string().max(100).optional(),
  note: z.string().max(25_000).optional(),
  user: z.string().max(100).optional(),
});
const opsgenieAccepted = { result: 'Request will be processed', took: 0.1, requestId: 'r' };

/** Opsgenie: https://docs.opsgenie.com/docs/alert-api */
const opsgenie: Vendor = {
  path: '/v2/alerts',
  authorization: 'GenieKey key-of-opsgenie',
  limited: { reply: { status: 429, headers: { 'x-ratelimit-state': 'THROTTLED' }, body: { message: 'throttled' } } },
  handle(request) {
    const [, alias, query] = /^\/v2\/alerts\/([^/?]+)\/close\?(.*)$/.exec(request.url) ?? [];
    if (alias !== undefined) {
      const isAlias = query === 'identifierType=alias';
      if (!isAlias || !parsed(opsgenieClose, request).success) return { status: 422, body: { message: 'invalid' } };
      return { status: 202, body: opsgenieAccepted, kept: `close ${decodeURIComponent(alias)}` };
    }
    if (request.url !== '/v2/alerts') return { status: 404, body: { message: 'no handler' } };
    const alert = parsed(opsgenieAlert, request);
    if (!alert.success) return { status: 422, body: { message: alert.error.message } };
    return { status: 202, body: opsgenieAccepted, kept: `create ${alert.data.alias}` };
  },
};

const telegramMessage = z.strictObject({
  chat_id: z.union([z.int(), z.string().min(1)]),
  text: z.string().min(1).max(4096),
  link_preview_options: z.strictObject({ is_disabled: z.boolean() }).optional(),
});

/** Telegram: https://core.telegram.org/bots/api#sendmessage */
const telegram: Vendor = {
  path: '/bot123456:token-of-telegram/sendMessage',
  limited: {
    reply: {
      status: 429,
      body: {
        ok: false,
        error_code: 429,
        description: 'Too Many Requests: retry after 7',
        parameters: { retry_after: 7 },
      },
    },
    wait: 7000,
  },
  handle(request) {
    const message = parsed(telegramMessage, request);
    if (!message.success) return { status: 400, body: { ok: false, error_code: 400, description: 'Bad Request' } };
    return { status: 200, body: { ok: true, result: { message_id: 1 } }, kept: message.data.text };
  },
};

const embedLimit = 6000;
const embed = z.strictObject({
  title: z.string().min(1).max(256),
  description: z.string().min(1).max(4096).optional(),
  url: z.url().optional(),
  color: z.int().min(0).max(0xff_ff_ff),
  timestamp: z.iso.datetime(),
  footer: z.strictObject({ text: z.string().min(1).max(2048) }),
});
const discordMessage = z.strictObject({
  username: z.string().min(1).max(80),
  // Without this, a text of the monitored server could mention everyone.
  allowed_mentions: z.strictObject({ parse: z.array(z.never()) }),
  embeds: z
    .array(embed)
    .min(1)
    .max(10)
    .refine((all) =>
      all.every((one) => one.title.length + (one.description ?? '').length + one.footer.text.length <= embedLimit),
    ),
});

/** Discord: https://discord.com/developers/docs/resources/webhook#execute-webhook */
const discord: Vendor = {
  path: '/api/webhooks/1234567890/token-of-discord',
  limited: {
    reply: {
      status: 429,
      headers: { 'retry-after': '2' },
      body: { message: 'You are being rate limited.', retry_after: 1.5, global: false },
    },
    wait: 2000,
  },
  handle(request) {
    const message = parsed(discordMessage, request);
    if (!message.success) return { status: 400, body: { code: 50_035, message: 'Invalid Form Body' } };
    return { status: 204, kept: message.data.embeds[0]?.title ?? '' };
  },
};

const ntfyMessage = z.strictObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().min(1),
  // A longer message becomes an attachment.
  message: z
    .string()
    .min(1)
    .refine((text) => byteLength(text) <= 4096),
  priority: z.int().min(1).max(5),
  tags: z.array(z.string().min(1)),
  click: z.url().optional(),
});

/** ntfy: https://docs.ntfy.sh/publish/#publish-as-json */
const ntfy: Vendor = {
  path: '/',
  authorization: 'Bearer token-of-ntfy',
  limited: { reply: { status: 429, body: { code: 42_901, http: 429, error: 'limit reached: too many requests' } } },
  handle(request) {
    const message = parsed(ntfyMessage, request);
    if (!message.success) return { status: 400, body: { code: 40_024, http: 400, error: 'invalid request' } };
    return { status: 200, body: { id: 'a', event: 'message' }, kept: message.data.title };
  },
};

const textRun = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string().min(1),
  weight: z.enum(['Default', 'Lighter', 'Bolder']).optional(),
  color: z.enum(['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention']).optional(),
});
const card = z.strictObject({
  $schema: z.url(),
  type: z.literal('AdaptiveCard'),
  version: z.enum(['1.2', '1.3', '1.4', '1.5']),
  body: z.array(z.strictObject({ type: z.literal('RichTextBlock'), inlines: z.array(textRun).min(1) })).min(1),
});
const teamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z
    .array(z.strictObject({ contentType: z.literal('application/vnd.microsoft.card.adaptive'), content: card }))
    .min(1),
});

/** Microsoft Teams: the schema of the workflow trigger, and the limit of a card. */
const teams: Vendor = {
  path: '/workflows/w/triggers/manual/paths/invoke?sig=signature-of-teams',
  limited: { reply: { status: 429, headers: { 'retry-after': '3' } }, wait: 3000 },
  handle(request) {
    if (byteLength(request.body) > 28 * 1024) return { status: 413 };
    const message = parsed(teamsMessage, request);
    if (!message.success) return { status: 400, body: { error: { code: 'TriggerInputSchemaMismatch' } } };
    return { status: 202, kept: message.data.attachments[0]?.content.body[0]?.inlines[0]?.text ?? '' };
  },
};

const appriseMessage = z.strictObject({
  title: z.string().optional(),
  body: z.string().min(1),
  type: z.enum(['info', 'success', 'warning', 'failure']),
  format: z.enum(['text', 'markdown', 'html']),
  tag: z.string(),
});

/** Apprise API: https://github.com/caronc/apprise-api */
const apprise: Vendor = {
  path: '/notify/KEY',
  limited: { reply: { status: 429 } },
  handle(request) {
    const message = parsed(appriseMessage, request);
    if (!message.success) return { status: 400, body: { error: 'Payload lacks minimum requirements' } };
    return { status: 200, body: { error: null, details: [] }, kept: message.data.title ?? '' };
  },
};

/** The vendors by the name of their recipe in `config/receivers`. */
export const vendors: Readonly<Record<string, Vendor>> = { teams, telegram, ntfy, discord, opsgenie, apprise };
