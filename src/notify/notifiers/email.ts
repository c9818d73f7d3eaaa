import type { SecretReader } from '../../graphdb/secret-reader.ts';
import type { Digest } from '../../kernel/digest.ts';
import type { MailMessage, MailServer, MailTrouble, SendMail } from '../../kernel/mail.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Alert } from '../../model/alert.ts';
import type { Answer, Detail, FoldedEpisode, Letter, Notifier, NotifierTraits } from '../notifier.ts';
import type { ReceiverWay } from '../settings.ts';
import {
  headline,
  incidentId,
  incidents,
  labelsInWords,
  missedInWords,
  oneLine,
  shorten,
  shortId,
  timeInWords,
} from './texts.ts';
import { withSecret } from './with-secret.ts';

/** What delivery has to know of e-mail. */
export const emailTraits: NotifierTraits = {
  batch: 50,
  spacing: 0,
  takesDigests: true,
  forgets: false,
};

/** Longer subjects are cut by mailers anyway. */
const longestSubject = 180;

type EmailWay = Extract<ReceiverWay, { readonly kind: 'email' }>;

/** What a letter is as mail. The id is the same in each try, and what ends an incident answers what began it. */
export function formatEmail(
  letter: Letter,
  detail: Detail,
  way: Pick<EmailWay, 'from' | 'to'>,
  digest: Digest,
): MailMessage {
  const { from, to } = way;
  const domain = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'graphwarden.invalid';
  const address = (name: string): string => `${name}@${domain}`;
  const root = rootOf(letter);
  return {
    from,
    to,
    subject: shorten(oneLine(subjectOf(letter, detail)), longestSubject),
    text: `${textOf(letter, detail)}\n`,
    id: address(nameOf(letter, digest)),
    ...(root === undefined ? {} : { inReplyTo: address(root) }),
  };
}

/** Of one incident alone the name is its own; of several, and of all else, a checksum of what is said. */
function nameOf(letter: Letter, digest: Digest): string {
  const isBeginning = letter.kind === 'alerts' && !letter.again && letter.alerts.length === 1;
  const [alert] = isBeginning ? letter.alerts : [];
  return alert?.status === 'firing' ? incidentId(alert) : digest.sha256(JSON.stringify(letter)).slice(0, 40);
}

function rootOf(letter: Letter): string | undefined {
  if (letter.kind === 'digest') return undefined;
  const [first] = letter.alerts;
  const isBeginning = !letter.again && letter.alerts.some(({ status }) => status === 'firing');
  return first === undefined || isBeginning ? undefined : incidentId(first);
}

function subjectOf(letter: Letter, detail: Detail): string {
  if (letter.kind === 'digest') return `[graphwarden] ${incidents(letter.count)} over before they could be told`;
  const firing = letter.alerts.filter(({ status }) => status === 'firing').length;
  const [first, ...others] = letter.alerts;
  const state = [
    firing === 0 ? '' : `${letter.again ? 'STILL FIRING' : 'FIRING'}${others.length === 0 ? '' : `:${firing}`}`,
    firing === letter.alerts.length ? '' : `RESOLVED${others.length === 0 ? '' : `:${letter.alerts.length - firing}`}`,
  ];
  const summary = first === undefined ? '' : headline(first, detail, longestSubject);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `[${state.filter((part) => part !== '').join(', ')}] ${summary}${more}`;
}

function textOf(letter: Letter, detail: Detail): string {
  if (letter.kind === 'digest') return digestText(letter);
  return letter.alerts.map((alert) => paragraph(alert, detail, stateInWords(alert, letter.again))).join('\n\n');
}

function stateInWords({ status, severity }: Alert, again: boolean): string {
  if (status === 'resolved') return `RESOLVED (${severity}): `;
  return `${again ? 'STILL FIRING' : 'FIRING'} (${severity}): `;
}

function paragraph(alert: Alert, detail: Detail, state: string): string {
  const { annotations, labels, startsAt, endsAt } = alert;
  const until = endsAt === undefined ? '' : `, until ${timeInWords(endsAt)}`;
  const lines = [`${state}${headline(alert, detail, 1000)}`, `since ${timeInWords(startsAt)}${until}`];
  if (detail !== 'full') return [...lines, `incident ${shortId(alert)}`].join('\n');
  return [
    ...lines,
    annotations.description ?? '',
    labelsInWords(labels),
    ...said('what to do', annotations.runbook_url),
    ...said('the cluster', annotations.dashboard_url),
    `incident ${shortId(alert)}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

function said(name: string, text: string | undefined): readonly string[] {
  return text === undefined || text === '' ? [] : [`${name}: ${text}`];
}

function digestText(digest: Extract<Letter, { readonly kind: 'digest' }>): string {
  const { folded, count } = digest;
  const more = count > folded.length ? [`and ${count - folded.length} older`] : [];
  return [missedInWords(digest), '', ...folded.map(foldedLine), ...more].join('\n');
}

function foldedLine(episode: FoldedEpisode): string {
  const { severity, summary, startsAt, endsAt } = episode;
  return `- ${severity}: ${oneLine(summary)} (${shortId(episode)}, ${timeInWords(startsAt)} to ${timeInWords(endsAt)})`;
}

/** Answers that are about the way and not about this message: no access, no such mailbox, no relaying. */
const closedWays: ReadonlySet<number> = new Set([521, 530, 534, 535, 538, 550, 551, 553]);

/** What a mail server's answer means: 4xx is for a while, 5xx for good. */
export function judgeMail({ reason, code, message }: MailTrouble): Answer {
  if (code !== undefined && code >= 400 && code < 500) {
    return { kind: 'unavailable', answered: true, timedOut: false, message };
  }
  if (reason === 'auth' || (code !== undefined && closedWays.has(code))) return { kind: 'broken', message };
  if (reason === 'refused') return { kind: 'refused', message };
  return { kind: 'unavailable', answered: false, timedOut: reason === 'timeout', message };
}

/** Sends mail. */
export function openEmail(
  way: EmailWay,
  password: SecretReader | undefined,
  ports: { readonly sendMail: SendMail; readonly digest: Digest },
): Notifier {
  return {
    traits: emailTraits,
    async send(letter, detail, _now, signal) {
      const message = formatEmail(letter, detail, way, ports.digest);
      const mail = async (secret?: Secret): Promise<Answer> => {
        const sent = await ports.sendMail(message, serverOf(way, secret?.reveal()), signal);
        return sent.ok ? accepted(sent.value) : judgeMail(sent.error);
      };
      return password === undefined ? await mail() : await withSecret(password, mail);
    },
    close: () => Promise.resolve(),
  };
}

function accepted(refused: readonly string[]): Answer {
  const but = `the mail server refused ${shorten(refused.map(oneLine).join(', '), 300)}`;
  return { kind: 'accepted', ...(refused.length === 0 ? {} : { but }) };
}

function serverOf({ host, port, secure, username }: EmailWay, password: string | undefined): MailServer {
  const user = username === undefined ? {} : { username };
  return { host, port, secure, ...user, ...(password === undefined ? {} : { password }) };
}
