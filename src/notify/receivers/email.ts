import { z } from 'zod';
import { loadTls } from '../../graphdb/reloading-pool.ts';
import type { TlsMaterial } from '../../kernel/http.ts';
import type { MailFailure, MailMessage, MailServer, RejectedRecipient } from '../../kernel/mail.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Digest } from '../../kernel/system.ts';
import type { Alert } from '../../model/alert.ts';
import { alertTexts, furtherAlerts, requestState, sortAlerts, withEnd } from '../alert-text.ts';
import { mailHtml } from '../mail-html.ts';
import {
  type AlertText,
  describeMissed,
  endedUnsent,
  headline,
  incidentId,
  missedLines,
  singleLine,
  truncate,
} from '../notification-text.ts';
import type { Detail, NotificationRequest, NotifierTraits, ReceiverResponse } from '../notifier.ts';
import { receiver } from '../receiver.ts';
import { summaryHeadline } from '../summary-text.ts';

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

const traits: NotifierTraits = {
  maxBatch: 50,
  minInterval: 0,
  acceptsDigests: true,
  isLevelTriggered: false,
  summarizes: true,
  recipientKeys: ['to'],
};

/** E-mail by SMTP. The message id is the same in each retry, and the resolve is a reply to the trigger. */
export const email = receiver({
  kind: 'email',
  about: 'E-mail by SMTP.',
  connection: 'tls',
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
    from: mailbox.describe('Address of the sender.').meta({ examples: ['graphwarden@example.org'] }),
    to: z
      .array(mailbox)
      .min(1)
      .describe('Addresses of the recipients.')
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
  warnings({ smtp: { secure, port } }) {
    const other = secure ? 587 : 465;
    if (port !== other) return [];
    const [used, expected] = secure ? ['smtps', 'smtp'] : ['smtp', 'smtps'];
    const message = `has a port that usually does not work with ${used}://`;
    return [{ key: 'smtp', message, hint: `port ${other} is that of ${expected}://` }];
  },
  traits,
  open: ({ options, http, withSecrets }, { sendMail, digest, files }) => ({
    traits,
    async send(request, detail, _now, signal) {
      const recipients = request.kind === 'alerts' ? request.recipients : undefined;
      const message = { ...formatEmail(request, detail, options, digest), recipients };
      return await withSecrets(async ({ password }) => {
        const tls = await loadTls({ tls: http.tls, files });
        if (!tls.ok) return { kind: 'broken', message: tls.error.message };
        const sent = await sendMail(message, mailServer(options, password, tls.value), signal);
        const response = sent.ok
          ? { ...acceptedResponse(sent.value.rejected), proof: sent.value.reply }
          : failureResponse(sent.error, recipients);
        return { ...response, request: { url: addressOf(options.smtp) } };
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

function addressOf({ host, port, secure }: EmailOptions['smtp']): string {
  return `${secure ? 'smtps' : 'smtp'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

interface EmailOptions {
  readonly smtp: Pick<MailServer, 'host' | 'port' | 'secure'>;
  readonly username?: string | undefined;
}

function mailServer(
  { smtp, username }: EmailOptions,
  password: Secret | undefined,
  tls: TlsMaterial | undefined,
): MailServer {
  const user = username === undefined ? {} : { username };
  return {
    ...smtp,
    ...user,
    ...(tls === undefined ? {} : { tls }),
    ...(password === undefined ? {} : { password: password.reveal() }),
  };
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
  const id = messageId(request, digest);
  const references = threadOf(request).filter((one) => one !== id);
  const [root] = isFirstNotification(request) ? [] : references;
  const subject = subjectOf(request, detail);
  return {
    from,
    to,
    subject,
    ...bodyOf(request, detail, subject),
    id: address(id),
    ...(root === undefined ? {} : { inReplyTo: address(root) }),
    ...(references.length === 0 ? {} : { references: references.map(address) }),
  };
}

/** The trigger of one incident has the id of the incident; any other mail has a checksum of its content. */
function messageId(request: NotificationRequest, digest: Digest): string {
  // The mail to some of the recipients is the same mail.
  const content = { ...request, recipients: undefined };
  const isRoot = request.kind === 'alerts' && request.alerts.length === 1 && isFirstNotification(request);
  const [alert] = isRoot ? request.alerts : [];
  return alert === undefined ? digest.sha256(JSON.stringify(content)).slice(0, 40) : incidentId(alert);
}

/** Whether a mail begins conversations: it reports the beginning of an incident. */
function isFirstNotification(request: NotificationRequest): boolean {
  if (request.kind === 'digest' || request.isReminder || request.isUpdate === true) return false;
  return request.acknowledgement === undefined && request.alerts.some(({ status }) => status === 'firing');
}

/**
 * All mails about an incident refer to its id. For a mail about several incidents, that connects their conversations. A
 * summary is about too many.
 */
function threadOf(request: NotificationRequest): readonly string[] {
  return request.kind === 'digest' || request.isSummary === true ? [] : sortAlerts(request.alerts).map(incidentId);
}

/** Mail clients compare subjects without the brackets, so the rest stays the same in all mails about an incident. */
function subjectOf(request: NotificationRequest, detail: Detail): string {
  if (request.kind === 'digest') return `[graphwarden] ${endedUnsent(request.count)}`;
  const [first] = sortAlerts(request.alerts);
  if (first === undefined) return '';
  const state = `[${requestState(request)}] `;
  const text = request.isSummary === true ? summaryHeadline(request.alerts) : titleOf(first, detail);
  return withEnd(`${state}${text}`, furtherAlerts(request), maxSubjectLength);
}

function titleOf(alert: Alert, detail: Detail): string {
  const title = detail === 'minimal' ? undefined : alert.annotations.title;
  return title === undefined ? headline(alert, detail, maxSubjectLength) : singleLine(title);
}

function bodyOf(
  request: NotificationRequest,
  detail: Detail,
  title: string,
): Pick<MailMessage, 'text'> & Partial<Pick<MailMessage, 'html'>> {
  if (request.kind === 'digest') {
    return { text: `${[describeMissed(request), '', ...missedLines(request, '-')].join('\n')}\n` };
  }
  const sections = alertTexts(request, detail);
  const text = `${sections.map(sectionText).join('\n\n* * *\n\n')}\n`;
  return detail === 'full' ? { text, html: mailHtml({ title, sections }) } : { text };
}

function sectionText({ state, headline: title, paragraphs, lists, period, labels, links, id }: AlertText): string {
  const lines = [
    `${state}: ${title}`,
    ...paragraphs,
    ...lists.map((list) => [`${list.title}:`, ...list.items.map((item) => `- ${item}`)].join('\n')),
    [period, labels, `incident ${id}`].filter((line) => line !== '').join('\n'),
    links.map((link) => `${link.text}: ${link.url}`).join('\n'),
  ];
  return lines.filter((line) => line !== '').join('\n\n');
}

/** SMTP replies to a message that concern the account or the mailbox, not this message. */
const rejectionCodes: ReadonlySet<number> = new Set([521, 530, 534, 535, 538, 550, 551, 553]);

/** Maps a failure of the mail server to a result: 4xx is temporary, 5xx is permanent. */
export function evaluateMailFailure({ reason, code, message }: MailFailure): ReceiverResponse {
  if (code !== undefined && code >= 400 && code < 500) {
    return { kind: 'unavailable', answered: true, timedOut: false, message };
  }
  if (
    reason === 'auth' ||
    reason === 'tls' ||
    reason === 'rejected' ||
    (code !== undefined && rejectionCodes.has(code))
  )
    return { kind: 'broken', message };
  if (reason === 'refused') return { kind: 'refused', message };
  return { kind: 'unavailable', answered: false, timedOut: reason === 'timeout', message };
}

/** If only some recipients get the mail, the others have accepted it: a rejection of these is not one of the mail. */
function failureResponse(failure: MailFailure, recipients: readonly string[] | undefined): ReceiverResponse {
  const { rejected } = failure;
  return recipients === undefined || rejected === undefined ? evaluateMailFailure(failure) : acceptedResponse(rejected);
}

function acceptedResponse(rejected: readonly RejectedRecipient[]): Extract<ReceiverResponse, { kind: 'accepted' }> {
  if (rejected.length === 0) return { kind: 'accepted' };
  const described = rejected.map(({ address, reply }) => singleLine(`${address} (${reply})`)).join(', ');
  const deferred = rejected.filter(({ isTemporary }) => isTemporary).map(({ address }) => address);
  return {
    kind: 'accepted',
    but: `the mail server rejected ${truncate(described, 300)}`,
    ...(deferred.length > 0 && { deferred }),
    ...(deferred.length < rejected.length && { rejectsRecipient: true }),
  };
}
