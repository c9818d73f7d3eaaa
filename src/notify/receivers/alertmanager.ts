import { z } from 'zod';
import { urlField } from '../../graphdb/settings-fields.ts';
import { parseJson } from '../../kernel/json.ts';
import type { Millis } from '../../kernel/time.ts';
import { formatTimestamp } from '../../kernel/timestamp.ts';
import type { Alert } from '../../model/alert.ts';
import {
  type HandledRequest,
  jsonReply,
  type ReceivedNotification,
  textReply,
} from '../../model/simulated-receiver.ts';
import { annotationsWithEffects } from '../alert-text.ts';
import { evaluateReply } from '../evaluate-reply.ts';
import { httpReceiver } from '../http-receiver.ts';
import { headline, isHttpUrl, toJson } from '../notification-text.ts';
import type { Detail, NotificationRequest, ReceiverResponse } from '../notifier.ts';

/** Alertmanager. Its API is level-triggered: it resolves an alert that is not sent again until `endsAt`. */
export const alertmanager = httpReceiver({
  kind: 'alertmanager',
  about: 'Alertmanager, API v2.',
  connection: 'http_credentials',
  fields: {
    urls: z
      .array(
        urlField('http://am-0:9093').refine((url) => !/\/api\/v[12](\/alerts)?$/.test(url), {
          error: 'must be the base URL; remove `/api/v2/alerts`',
        }),
      )
      .min(1)
      .describe('Base URL of each Alertmanager peer, not of a load balancer; a path is used as a prefix.')
      .meta({ examples: [['http://am-0:9093', 'http://am-1:9093']] }),
  },
  secrets: {},
  limits: { maxBatch: 256, isLevelTriggered: true },
  format: ({ alerts }, { detail, now, options }) => ({
    url: options.urls.map((url) => `${url}/api/v2/alerts`),
    body: toJson(alerts.flatMap(withFormerLabels).map((alert) => postable(alert, detail, now))),
  }),
  evaluate: (reply, context) => withRejectedIndexes(evaluateReply(reply, context), context.request),
  simulated: {
    demo: { name: 'am', route: 'all', config: (url) => ({ urls: [url] }) },
    urlPath: '',
    requestPath: '/api/v2/alerts',
    isLevelTriggered: true,
    handle: handleAlerts,
  },
});

/** How long Alertmanager keeps an open alert that is not sent again. */
const resolveAfter: Millis = 15 * 60_000;

function postable(alert: Alert, detail: Detail, now: number): Readonly<Record<string, unknown>> {
  const endsAt = alert.status === 'firing' ? now + resolveAfter : Math.min(alert.endsAt ?? now, now);
  return {
    labels: Object.fromEntries(Object.entries(alert.labels).filter(([, value]) => value !== '')),
    annotations: annotationsOf(alert, detail),
    // Alertmanager rejects an alert that ends before it starts, which a backward step of the clock could cause.
    startsAt: formatTimestamp(Math.min(alert.startsAt, endsAt)),
    endsAt: formatTimestamp(endsAt),
    ...(isHttpUrl(alert.generatorUrl) ? { generatorURL: alert.generatorUrl } : {}),
  };
}

/**
 * Alertmanager identifies an alert by its labels. If these changed within the incident, the former ones are sent as well:
 * as firing while they still apply, so that Alertmanager announces no end of a problem that lasts.
 */
function withFormerLabels(alert: Alert): readonly Alert[] {
  const former = (alert.formerLabels ?? []).map(({ labels, endsAt = alert.endsAt }): Alert => {
    const { endsAt: _, ...rest } = { ...alert, labels };
    return endsAt === undefined ? { ...rest, status: 'firing' } : { ...rest, status: 'resolved', endsAt };
  });
  return [alert, ...former];
}

function annotationsOf(alert: Alert, detail: Detail): Readonly<Record<string, string>> {
  const episode = String(alert.episode);
  if (detail === 'full') return { ...annotationsWithEffects(alert), episode };
  return detail === 'short' ? { summary: headline(alert, detail, 250), episode } : { episode };
}

/** Alertmanager stores the valid alerts of a request that it rejects and does not name the invalid ones; some are recognizable. */
function withRejectedIndexes(response: ReceiverResponse, request: NotificationRequest): ReceiverResponse {
  if (response.kind !== 'refused' || request.kind !== 'alerts') return response;
  const rejectedIndexes = request.alerts.flatMap((alert, at) => (hasValidLabels(alert) ? [] : [at]));
  return rejectedIndexes.length === 0 ? response : { ...response, rejectedIndexes };
}

const labelName = /^[A-Za-z_][A-Za-z0-9_]*$/;

function hasValidLabels({ labels }: Alert): boolean {
  const names = Object.keys(labels).filter((name) => labels[name] !== '');
  return names.length > 0 && names.every((name) => labelName.test(name));
}

const instant = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const texts = z.record(z.string(), z.string());
const postableAlert = z.object({
  labels: texts,
  annotations: texts.default({}),
  startsAt: instant.optional(),
  endsAt: instant.optional(),
  generatorURL: z.string().optional(),
});
type PostableAlert = z.infer<typeof postableAlert>;

/** The real API keeps the valid alerts of a request that contains invalid ones. */
function handleAlerts(body: string, now: number): HandledRequest {
  const alerts = z.array(postableAlert).safeParse(parseJson(body));
  if (!alerts.success) return unreadableBody(alerts.error.issues);
  const problems = alerts.data.flatMap((alert) => validationError(alert) ?? []);
  const kept = alerts.data
    .filter((alert) => validationError(alert) === undefined)
    .map((alert) => receivedAlert(alert, now));
  return { kept, reply: problems.length === 0 ? textReply('') : jsonReply(problems.join('; '), 400) };
}

/** The API reports a missing member with another code than an invalid one. */
function unreadableBody(issues: readonly z.core.$ZodIssue[]): HandledRequest {
  const text = issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
  const isMissing = issues.every((issue) => issue.code === 'invalid_type' && issue.path.at(-1) === 'labels');
  if (isMissing) return { kept: [], reply: jsonReply({ code: 602, message: text }, 422) };
  const message = `parsing alerts body from "" failed, because ${text}`;
  return { kept: [], reply: jsonReply({ code: 400, message }, 400) };
}

function validationError({ labels, startsAt, endsAt }: PostableAlert): string | undefined {
  const named = Object.entries(labels).filter(([, value]) => value !== '');
  if (named.length === 0) return 'at least one label pair required';
  const wrong = named.find(([name]) => !labelName.test(name));
  if (wrong !== undefined) return `invalid label set: invalid name "${wrong[0]}"`;
  if (startsAt !== undefined && endsAt !== undefined && endsAt < startsAt) return 'start time must be before end time';
  return undefined;
}

/** Alertmanager's `resolve_timeout`, used for an alert without `endsAt`. */
const resolveTimeout: Millis = 5 * 60_000;

function receivedAlert({ labels, annotations, endsAt }: PostableAlert, now: number): ReceivedNotification {
  const received = {
    key: labelKey(labels),
    episode: annotations.episode ?? '',
    summary: annotations.summary ?? labels.alertname ?? '',
  };
  if (endsAt !== undefined && endsAt <= now) return { action: 'resolve', ...received };
  return { action: 'trigger', ...received, until: endsAt ?? now + resolveTimeout };
}

function labelKey(labels: PostableAlert['labels']): string {
  return Object.entries(labels)
    .filter(([, value]) => value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(',');
}
