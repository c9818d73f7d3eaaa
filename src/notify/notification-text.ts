import { formatMoment } from '../kernel/timestamp.ts';
import { replaceControlCharacters, replaceReversing } from '../kernel/visible-text.ts';
import { type Alert, shortIncidentId } from '../model/alert.ts';
import type { Detail, DigestRequest, MissedIncident } from './notifier.ts';

/** Link of a notification. */
export interface AlertLink {
  readonly text: string;
  readonly url: string;
}

/** Titled list of a notification. */
export interface AlertList {
  readonly title: string;
  readonly items: readonly string[];
}

/** Text about one alert for people, which each receiver lays out. All texts are plain and not escaped. */
export interface AlertText {
  /** State and severity: `FIRING critical`, `RESOLVED critical after 12m 5s`. */
  readonly state: string;
  readonly headline: string;
  /** Sentences: who acknowledged it, what is wrong and what to do, or the state after the incident. */
  readonly paragraphs: readonly string[];
  /** Effects of the cause, and what happened shortly before; empty for a resolved alert. */
  readonly lists: readonly AlertList[];
  /** `since …`, for a resolved alert also until when. */
  readonly period: string;
  readonly labels: string;
  readonly links: readonly AlertLink[];
  /** ID of the incident. */
  readonly id: string;
}

/** Returns the id of an incident, the same in every retry: the key that receivers deduplicate by. */
export function incidentId({ key, episode }: Pick<Alert, 'key' | 'episode'>): string {
  return `${key.slice(0, 200)}-${episode}`;
}

/** Cuts a text to `most` UTF-16 units without splitting a character; a cut text ends with an ellipsis. */
export function truncate(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** Returns the text as one line: text of the monitored server may contain any character. */
export function singleLine(text: string): string {
  return replaceControlCharacters(text).replace(/\s+/gu, ' ').trim();
}

/** Returns the summary of an alert in one line, never empty. */
export function headline({ labels, annotations, rule }: Alert, detail: Detail, most: number): string {
  const name = [labels.alertname ?? rule, labels.cluster_name ?? ''].filter((part) => part !== '').join(' ');
  const summary = detail === 'minimal' ? '' : singleLine(annotations.summary ?? '');
  return truncate(summary === '' ? name : summary, detail === 'full' ? most : Math.min(most, 250));
}

/**
 * Returns JSON that every receiver can parse and show. In texts, which may come from the server, it replaces unpaired
 * surrogates, which are not valid UTF-8, and characters that change the text direction.
 */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string' ? replaceReversing(part.toWellFormed()) : part,
  );
}

/** Returns the length of a text in bytes of UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Whether a text is an http or https address, without invisible characters. */
export function isHttpUrl(text: string | undefined): text is string {
  return /^https?:\/\/[^\s<>|\p{Cc}\p{Bidi_Control}]+$/u.test(text ?? '');
}

/** Returns a number of incidents in words. */
function incidentCount(count: number): string {
  return count === 1 ? '1 incident' : `${count} incidents`;
}

/** Returns the title of a digest: `2 incidents ended before their notifications were sent`. */
export function endedUnsent(count: number): string {
  return `${incidentCount(count)} ended before ${count === 1 ? 'its notification was' : 'their notifications were'} sent`;
}

/** Returns the first line of a digest: how many incidents the receiver missed, and why. */
export function describeMissed({ count, open, since }: DigestRequest): string {
  if (since === undefined) return `${incidentCount(count)} began and ended before a notification could be sent.`;
  const outage = `No notification was accepted here since ${formatMoment(since)}; ${incidentCount(count)} began and ended meanwhile.`;
  if (open === 0) return outage;
  return `${outage} ${open === 1 ? 'One open incident follows' : `${open} open incidents follow`}.`;
}

/** Returns the lines of a digest after the first: one for each missed incident. `bullet` begins each. */
export function missedLines({ missed, count }: DigestRequest, bullet: string, most = 1000): readonly string[] {
  const line = ({ severity, summary, startsAt, endsAt, ...id }: MissedIncident): string => {
    const period = `${formatMoment(startsAt)} to ${formatMoment(endsAt)}`;
    return `${bullet} ${severity}: ${truncate(singleLine(summary), most)} (${shortIncidentId(id)}, ${period})`;
  };
  return [...missed.map(line), ...(count > missed.length ? [`… and ${count - missed.length} older`] : [])];
}

/** Returns labels as a list `a=1, b=2`, except those in `without`. */
export function formatLabels(labels: Alert['labels'], without: readonly string[] = []): string {
  return Object.entries(labels)
    .filter(([name, value]) => value !== '' && !without.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${singleLine(value)}`)
    .join(', ');
}
