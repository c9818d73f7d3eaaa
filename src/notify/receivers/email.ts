import { z } from 'zod';
import type { MailFailure, MailMessage, MailServer } from '../../kernel/mail.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Digest } from '../../kernel/system.ts';
import { type Alert, shortIncidentId } from '../../model/alert.ts';
import {
  describeMissed,
  formatLabels,
  formatPeriod,
  headline,
  incidentCount,
  incidentId,
  missedLines,
  singleLine,
  stateLabel,
  truncate,
} from '../notification-text.ts';
import type { AlertsRequest, Detail, NotificationRequest, ReceiverResponse } from '../notifier.ts';
import { receiver } from '../receiver.ts';

const example = 'smtps://mail.example.org:465';

const server = z
  .string()
  .transform((text, context) => {
    const url = URL.parse(text);
    const message = addressError(text, url);
    if (url !== null && message === undefined) return serverAddress(url);
    context.issues.push({ code: 'custom', message, input: '', params: { hint: `for example ${example}` } });
    return z.NEVER;
  })
  .meta({ title: 'URL', examples: [example] });

const mailbox = z
  .string()
  .regex(/^([^\p{Cc}<>,;]*<[^\s\p{Cc}<>@,;]+@[^\s\p{Cc}<>@,;]+>|[^\s\p{Cc}<>@,;]+@[^\s\p{Cc}<>@,;]+)$/u, {
    error: 'must be an e-mail address, such as a@example.org or Name <a@example.org>',
  });

const traits = { maxBatch: 50, minInterval: 0, acceptsDigests: true, isLevelTriggered: false };

/** E-mail by SMTP. The message id is the same in each retry, and the resolve is a reply to the trigger. */
export const email = receiver({
  kind: 'email',
  about: 'E-mail by SMTP.',
  fields: {
    smtp: server.describe(
      'Mail server. `smtps://` is TLS from the start; `smtp://` uses STARTTLS if the server offers it.',
    ),
    username: z
      .string()
      .min(1)
      .optional()
      .describe('SMTP user. Requires TLS unless the server is on loopback.')
      .meta({ examples: ['graphwarden'] }),
    from: mailbox.describe('The sender.').meta({ examples: ['graphwarden@example.org'] }),
    to: z
      .array(mailbox)
      .min(1)
      .describe('The recipients.')
      .meta({ examples: [['oncall@example.org']] }),
  },
  secrets: {
    password: {
      about: 'Password of the SMTP user.',
      optional: true,
      example: 'SMTP_PASSWORD',
      exampleFile: '/run/secrets/smtp',
    },
  },
  check({ username }, secrets) {
    if (username !== undefined && !secrets.has('password')) return 'username needs one of password and password_file';
    return username === undefined && secrets.has('password') ? 'a password needs a username' : undefined;
  },
  traits,
  open: ({ options, withSecrets }, { sendMail, digest }) => ({
    traits,
    async send(request, detail, _now, signal) {
      const message = formatEmail(request, detail, options, digest);
      return await withSecrets(async ({ password }) => {
        const sent = await sendMail(message, mailServer(options, password), signal);
        return sent.ok ? acceptedResponse(sent.value) : evaluateMailFailure(sent.error);
      });
    },
    close: () => Promise.resolve(),
  }),
});

function addressError(text: string, url: URL | null): string | undefined {
  if (!/^smtps?:\/\//.test(text) || url === null || url.hostname === '') {
    return 'must be an address that begins with smtp:// or smtps://';
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not contain a user or a password: use username and password';
  }
  return /^\/?$/.test(url.pathname) && !/[?#]/.test(text) ? undefined : 'must be a host and a port only';
}

/** Default ports: 465 is TLS from the first byte, 587 is mail submission. */
function serverAddress({ protocol, hostname, port }: URL): Pick<MailServer, 'host' | 'port' | 'secure'> {
  const secure = protocol === 'smtps:';
  const standard = secure ? 465 : 587;
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: port === '' ? standard : Number(port), secure };
}

interface EmailOptions {
  readonly smtp: Pick<MailServer, 'host' | 'port' | 'secure'>;
  readonly username?: string | undefined;
}

function mailServer({ smtp, username }: EmailOptions, password: Secret | undefined): MailServer {
  const user = username === undefined ? {} : { username };
  return { ...smtp, ...user, ...(password === undefined ? {} : { password: password.reveal() }) };
}

/** Mail clients cut longer subjects. */
const maxSubjectLength = 180;

/** Formats a notification as a mail. */
export function formatEmail(
  request: NotificationRequest,
  detail: Detail,
  { from, to }: { readonly from: string; readonly to: readonly string[] },
  digest: Digest,
): MailMessage {
  const domain = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'graphwarden.invalid';
  const address = (name: string): string => `${name}@${domain}`;
  const root = threadRoot(request);
  return {
    from,
    to,
    subject: truncate(singleLine(subjectOf(request, detail)), maxSubjectLength),
    text: `${textOf(request, detail)}\n`,
    id: address(messageId(request, digest)),
    ...(root === undefined ? {} : { inReplyTo: address(root) }),
  };
}

/** The trigger of one incident has the id of the incident; any other mail has a checksum of its content. */
function messageId(request: NotificationRequest, digest: Digest): string {
  const isTrigger = request.kind === 'alerts' && isStateRequest(request) && request.alerts.length === 1;
  const [alert] = isTrigger ? request.alerts : [];
  return alert?.status === 'firing' ? incidentId(alert) : digest.sha256(JSON.stringify(request)).slice(0, 40);
}

/** Whether the request is the first notification of its alerts, or of their end. */
function isStateRequest({ isReminder, isUpdate }: AlertsRequest): boolean {
  return !isReminder && isUpdate !== true;
}

function threadRoot(request: NotificationRequest): string | undefined {
  if (request.kind === 'digest') return undefined;
  const [first] = request.alerts;
  const isTrigger = isStateRequest(request) && request.alerts.some(({ status }) => status === 'firing');
  return first === undefined || isTrigger ? undefined : incidentId(first);
}

function subjectOf(request: NotificationRequest, detail: Detail): string {
  if (request.kind === 'digest')
    return `[graphwarden] ${incidentCount(request.count)} ended before a notification was sent`;
  const { alerts, isReminder } = request;
  const firing = alerts.filter(({ status }) => status === 'firing').length;
  const [first, ...others] = alerts;
  const state = [
    firing === 0 ? '' : `${isReminder ? 'STILL FIRING' : 'FIRING'}${others.length === 0 ? '' : `:${firing}`}`,
    firing === alerts.length ? '' : `RESOLVED${others.length === 0 ? '' : `:${alerts.length - firing}`}`,
  ];
  const summary = first === undefined ? '' : headline(first, detail, maxSubjectLength);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `[${state.filter((part) => part !== '').join(', ')}] ${summary}${more}`;
}

function textOf(request: NotificationRequest, detail: Detail): string {
  if (request.kind === 'digest') return [describeMissed(request), '', ...missedLines(request, '-')].join('\n');
  return request.alerts.map((alert) => paragraph(alert, detail, request.isReminder)).join('\n\n');
}

function paragraph(alert: Alert, detail: Detail, isReminder: boolean): string {
  const { annotations, labels, severity } = alert;
  const lines = [
    `${stateLabel(alert, isReminder)} (${severity}): ${headline(alert, detail, 1000)}`,
    formatPeriod(alert),
    ...(detail === 'full'
      ? [
          annotations.description ?? '',
          formatLabels(labels),
          ...labelledLine('runbook', annotations.runbook_url),
          ...labelledLine('dashboard', annotations.dashboard_url),
        ]
      : []),
    `incident ${shortIncidentId(alert)}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

function labelledLine(name: string, text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : [`${name}: ${text}`];
}

/** SMTP replies that concern the account or the mailbox, not this message. */
const rejectionCodes: ReadonlySet<number> = new Set([521, 530, 534, 535, 538, 550, 551, 553]);

/** Maps a failure of the mail server to a result: 4xx is temporary, 5xx is permanent. */
export function evaluateMailFailure({ reason, code, message }: MailFailure): ReceiverResponse {
  if (code !== undefined && code >= 400 && code < 500) {
    return { kind: 'unavailable', answered: true, timedOut: false, message };
  }
  if (reason === 'auth' || (code !== undefined && rejectionCodes.has(code))) return { kind: 'broken', message };
  if (reason === 'refused') return { kind: 'refused', message };
  return { kind: 'unavailable', answered: false, timedOut: reason === 'timeout', message };
}

function acceptedResponse(rejected: readonly string[]): ReceiverResponse {
  const but = `the mail server rejected ${truncate(rejected.map(singleLine).join(', '), 300)}`;
  return { kind: 'accepted', ...(rejected.length === 0 ? {} : { but }) };
}
