import { z } from 'zod';
import type { HttpReply } from '../../kernel/http.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Alert } from '../../model/alert.ts';
import { type HandledRequest, jsonReply, textReply } from '../../model/simulated-receiver.ts';
import { bodyText, evaluateReply, isSuccess, type ReplyContext } from '../evaluate-reply.ts';
import type { ReceiverRequest } from '../http-peers.ts';
import { httpReceiver } from '../http-receiver.ts';
import { toJson } from '../notification-text.ts';
import type { AlertsRequest, Detail, ReceiverResponse } from '../notifier.ts';
import {
  constantParts,
  constantPathParts,
  jsonTemplate,
  referencesIn,
  renderJson,
  renderText,
  type TemplateValues,
  templateText,
  templateValues,
} from '../webhook-template.ts';
import { idempotencyKey } from './webhook.ts';

const value = z.union([z.string(), z.number(), z.boolean()]);

const bySeverity = z
  .strictObject({
    critical: value.describe('Value for critical alerts.'),
    warning: value.describe('Value for warnings.'),
    info: value.describe('Value for informational alerts.'),
    resolved: value.optional().describe('Value for resolved alerts. Default: the value for their severity.'),
  })
  .meta({ examples: [{ critical: 'P1', warning: 'P3', info: 'P5' }] });

const method = z.enum(['POST', 'PUT', 'PATCH', 'DELETE']);

const resolveSection = z.strictObject({
  method: method.optional().describe('Method of a resolve. Default: the value of `method`.'),
  path: templateText.optional().describe('Path and query string of a resolve. Default: the value of `path`.'),
  body: jsonTemplate.optional().describe('Body of a resolve. Default: the value of `body`.'),
});

const fields = {
  method: method.prefault('POST').describe('HTTP method of the request.'),
  path: templateText
    .prefault('')
    .describe('Path and query string that are appended to `url`; values of placeholders are percent-encoded.')
    .meta({ examples: ['/v2/alerts'] }),
  body: jsonTemplate
    .describe(
      'JSON object to send, with placeholders such as `{{summary}}` or `{{summary | truncate 130}}` in its texts.',
    )
    .meta({ examples: [{ message: '{{state}} {{summary}}' }] }),
  resolve: resolveSection.optional().describe('Method, path and body of the request when an incident is resolved.'),
  by_severity: z
    .record(
      z.string().regex(/^[a-z][a-z0-9_]{0,40}$/, { error: 'must be a name of lower-case letters, digits and _' }),
      bySeverity,
    )
    .prefault({})
    .describe('Additional placeholders, each with one value per severity. A number in the template stays a number.')
    .meta({ examples: [{ priority: { critical: 'P1', warning: 'P3', info: 'P5' } }] }),
  valid_status_codes: z
    .array(z.int().min(200).max(299))
    .min(1)
    .optional()
    .describe('Response statuses that mean that the service accepted the request. Default: 2xx.')
    .meta({ examples: [[200]] }),
};

type WebhookOptions = Readonly<z.output<z.ZodObject<typeof fields>>>;

/** Webhook with a body of its own: one request for each alert, for any service with a JSON API. */
export const templatedWebhook = httpReceiver({
  kind: 'templated_webhook',
  about: 'Any service with a JSON API: method, headers and body from a template.',
  connection: 'http_credentials',
  fields,
  secrets: {
    url: {
      about: 'URL of the service.',
      form: 'url',
      example: 'https://api.example.org',
      exampleFile: '/run/secrets/service-url',
    },
  },
  warnings: ({ path, body }) =>
    referencesIn({ path, body }).length > 0
      ? []
      : [
          {
            key: 'body',
            message: 'has no placeholder, so all notifications are equal',
            hint: 'write for example `{{state}}: {{summary}}`',
          },
        ],
  limits: { maxBatch: 1, minInterval: 1000, recipientKeys: ['url'] },
  // A service may find the recipient in any of them, such as `chat_id`. Texts with placeholders are about the alert.
  recipientParts: ({ path, body }) => [constantPathParts(path), constantParts(body)],
  format: (request, { detail, name, options, secrets, digest }) => ({
    ...requestOf(request, { detail, name, options, url: secrets.url.reveal() }),
    headers: { 'idempotency-key': idempotencyKey(request, name, digest) },
  }),
  evaluate: evaluateStatus,
  simulated: {
    demo: {
      name: 'service',
      route: 'page',
      config: (url) => ({
        url,
        body: { status: '{{status}}', key: '{{incident}}', episode: '{{incident_short}}', text: '{{summary}}' },
      }),
    },
    urlPath: '/service',
    requestPath: '/service',
    handle: handleBody,
  },
});

interface TemplateContext {
  readonly detail: Detail;
  readonly name: string;
  readonly options: WebhookOptions;
  readonly url: string;
}

function requestOf(request: AlertsRequest, context: TemplateContext): ReceiverRequest {
  const { options, url } = context;
  const [alert] = request.alerts;
  if (alert === undefined) return { url, body: '' };
  const own = alert.status === 'resolved' ? options.resolve : undefined;
  const values = { ...templateValues(request, alert, context), ...severityValues(options, alert) };
  return {
    url: addressOf(url, own?.path ?? options.path, values),
    method: own?.method ?? options.method,
    body: toJson(renderJson(own?.body ?? options.body, values)),
  };
}

function severityValues({ by_severity: names }: WebhookOptions, { severity, status }: Alert): TemplateValues {
  const valueFor = (given: z.output<typeof bySeverity>) =>
    status === 'resolved' ? (given.resolved ?? given[severity]) : given[severity];
  return Object.fromEntries(Object.entries(names).map(([name, given]) => [name, valueFor(given)]));
}

/** Appends path and query to an address; the address may have a query of its own, such as a token. */
function addressOf(url: string, path: string, values: TemplateValues): string {
  const added = renderText(path, values, encodeURIComponent);
  if (added === '') return url;
  const [before = '', query = ''] = added.split('?', 2);
  const address = new URL(url);
  if (before !== '') address.pathname = `${address.pathname.replace(/\/+$/, '')}/${before.replace(/^\/+/, '')}`;
  address.search = [address.search.slice(1), query].filter((part) => part !== '').join('&');
  return address.href;
}

function evaluateStatus(
  reply: HttpReply,
  context: ReplyContext,
  { valid_status_codes: valid }: WebhookOptions,
): ReceiverResponse {
  if (isSuccess(reply) && valid?.includes(reply.status) === false)
    return { kind: 'broken', message: `status ${reply.status} is not in valid_status_codes` };
  const response = evaluateReply(reply, context);
  if (response.kind !== 'limited' || response.wait !== undefined) return response;
  const wait = bodyWait(reply);
  return wait === undefined ? response : { ...response, wait };
}

const retryAfter = z.number().min(0).max(86_400);
const limitedBody = z.object({
  retry_after: retryAfter.optional().catch(undefined),
  parameters: z
    .object({ retry_after: retryAfter.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

/** The time to wait in the body of a 429, in seconds, as Discord and Telegram state it. */
function bodyWait(reply: HttpReply): number | undefined {
  const parsed = limitedBody.safeParse(parseJson(bodyText(reply)));
  const seconds = parsed.data?.retry_after ?? parsed.data?.parameters?.retry_after;
  return seconds === undefined ? undefined : Math.min(Math.max(seconds * 1000, 1000), 15 * 60_000);
}

const received = z.object({
  status: z.enum(['firing', 'resolved']),
  key: z.string().min(1),
  episode: z.string(),
  text: z.string().min(1),
});

function handleBody(body: string): HandledRequest {
  const parsed = received.safeParse(parseJson(body));
  if (!parsed.success) return { kept: [], reply: jsonReply({ error: z.prettifyError(parsed.error) }, 400) };
  const { status, key, episode, text } = parsed.data;
  const action = status === 'firing' ? ('trigger' as const) : ('resolve' as const);
  return { kept: [{ action, key, episode, summary: text }], reply: textReply('') };
}
