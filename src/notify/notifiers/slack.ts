import type { SecretReader } from '../../graphdb/secret-reader.ts';
import type { HttpReply, OpenHttpPool } from '../../kernel/http.ts';
import type { Alert } from '../../model/alert.ts';
import type { Detail, FoldedEpisode, Letter, Notifier, NotifierTraits } from '../notifier.ts';
import { textOf } from './excerpt.ts';
import { openHttpWay } from './http-way.ts';
import { judge, type Reading } from './judge.ts';
import { headline, jsonOf, labelsInWords, missedInWords, oneLine, shorten, shortId, timeInWords } from './texts.ts';
import { withAddress } from './with-address.ts';

/** What delivery has to know of a Slack webhook: about one message a second and channel. */
export const slackTraits: NotifierTraits = {
  batch: 20,
  spacing: 1000,
  takesDigests: true,
  forgets: false,
};

/**
 * Slack takes 40,000 characters of text, 3,000 of a section and 50 blocks. A character may become five of them (`&amp;`),
 * and still no line with the id of an incident may be lost.
 */
const longestText = 39_000;
const longestSection = 2950;
const longestLine = 300;
const longestFolded = 100;

type Section = Readonly<Record<string, unknown>>;

/** The body for an incoming webhook. Slack knows no incidents, so that each line carries the id of its own. */
export function formatSlack(letter: Letter, detail: Detail): string {
  const text = shorten(linesOf(letter, detail).join('\n'), longestText);
  const blocks =
    detail === 'full' && letter.kind === 'alerts' ? letter.alerts.map((one) => section(one, letter.again)) : [];
  return jsonOf(blocks.length === 0 ? { text } : { text, blocks });
}

function linesOf(letter: Letter, detail: Detail): readonly string[] {
  if (letter.kind === 'alerts') return letter.alerts.map((alert) => line(alert, letter.again, detail));
  return digestLines(letter);
}

function line(alert: Alert, again: boolean, detail: Detail): string {
  return escaped(`${stateInWords(alert, again)}: ${headline(alert, detail, longestLine)} (${shortId(alert)})`);
}

/** How an alert is, in words: what people look at first. */
function stateInWords({ status, severity }: Alert, again: boolean): string {
  if (status === 'resolved') return `RESOLVED ${severity}`;
  return `${again ? 'STILL FIRING' : 'FIRING'} ${severity}`;
}

function section(alert: Alert, again: boolean): Section {
  const { annotations, labels, startsAt, endsAt } = alert;
  const said = ['alertname', 'severity'];
  const lines = [
    `*${stateInWords(alert, again)}* ${escaped(headline(alert, 'full', longestLine), 1000)}`,
    escaped(annotations.description ?? '', 1000),
    escaped(labelsInWords(labels, said), 500),
    `since ${timeInWords(startsAt)}${endsAt === undefined ? '' : `, until ${timeInWords(endsAt)}`} · ${shortId(alert)}`,
    link(annotations.runbook_url, 'what to do'),
  ];
  const text = lines.filter((one) => one !== '').join('\n');
  return { type: 'section', text: { type: 'mrkdwn', text: shorten(text, longestSection) } };
}

function link(address = '', text = ''): string {
  const isGood = /^https?:\/\/[^\s<>|]{1,300}$/.test(address);
  return isGood ? `<${escaped(address)}|${text}>` : '';
}

function digestLines(digest: Extract<Letter, { readonly kind: 'digest' }>): readonly string[] {
  const { folded, count } = digest;
  const more = count > folded.length ? [`… and ${count - folded.length} older`] : [];
  return [missedInWords(digest), ...folded.map(foldedLine), ...more];
}

function foldedLine(episode: FoldedEpisode): string {
  const { severity, summary, startsAt, endsAt } = episode;
  const when = `${timeInWords(startsAt)} to ${timeInWords(endsAt)}`;
  return escaped(`• ${severity}: ${shorten(oneLine(summary), longestFolded)} (${shortId(episode)}, ${when})`);
}

/** Without what Slack reads as markup: else a text could call everybody in the channel. */
function escaped(text: string, most = longestText): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return shorten(safe, most).replace(/&[a-z]*…$/, '…');
}

const reading: Reading = {
  accept: (reply) =>
    textOf(reply).trim() === 'ok'
      ? { kind: 'accepted' }
      : { kind: 'broken', message: 'answered with status 200, but not with ok: this is no Slack webhook' },
  explain: word,
};

/** Slack answers with one word; anything else might be our address, which is the secret. */
function word(reply: HttpReply): string {
  const text = textOf(reply).trim();
  return /^[a-z]+(_[a-z]+)*$/.test(text) && text.length <= 40 ? text : '';
}

/** Posts to an incoming webhook, whose whole address is a secret. */
export function openSlack(webhookUrl: SecretReader, openPool: OpenHttpPool): Notifier {
  const way = openHttpWay(openPool);
  return {
    traits: slackTraits,
    send: (letter, detail, now, signal) =>
      withAddress(webhookUrl, async (address) =>
        judge(await way.post(address, formatSlack(letter, detail), {}, signal), now, reading),
      ),
    close: () => way.close(),
  };
}
