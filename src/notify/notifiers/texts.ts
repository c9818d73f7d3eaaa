import type { Alert } from '../../model/alert.ts';
import type { Detail, Letter } from '../notifier.ts';

/** Which incident it is, the same in every repeat: what receivers deduplicate by. */
export function incidentId({ key, episode }: Pick<Alert, 'key' | 'episode'>): string {
  return `${key.slice(0, 200)}-${episode}`;
}

/** The same for people to read and search for. */
export function shortId({ key, episode }: Pick<Alert, 'key' | 'episode'>): string {
  return `${key.slice(0, 12)}-${episode}`;
}

/** At most `most` UTF-16 units, without cutting a character in two; what was cut shows by its last sign. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** One line: what came from the watched server may hold anything. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

/** What an alert says in one line. It always says something. */
export function headline({ labels, annotations, rule }: Alert, detail: Detail, most: number): string {
  const name = [labels.alertname ?? rule, labels.cluster_name ?? ''].filter((part) => part !== '').join(' ');
  const summary = detail === 'minimal' ? '' : oneLine(annotations.summary ?? '');
  return shorten(summary === '' ? name : summary, detail === 'full' ? most : Math.min(most, 250));
}

/** JSON that every receiver can read: half of a character, which our own texts may hold, is no UTF-8 at theirs. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? part.toWellFormed() : part));
}

/** An instant as people and machines read it. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

/** Without milliseconds, for people. */
export function timeInWords(at: number): string {
  return `${isoTime(at).slice(0, 19).replace('T', ' ')} UTC`;
}

/** So many incidents. */
export function incidents(count: number): string {
  return count === 1 ? '1 incident' : `${count} incidents`;
}

/** How a digest begins: what was missed, and why. */
export function missedInWords({ count, open, since }: Extract<Letter, { readonly kind: 'digest' }>): string {
  if (since === undefined) return `${incidents(count)} began and ended before this could be told.`;
  const away = `Nothing could be delivered here since ${timeInWords(since)}; ${incidents(count)} began and ended meanwhile.`;
  return open === 0 ? away : `${away} What is open follows (${open}).`;
}

/** Names as they are read in a list: `a=1, b=2`, without those that are said elsewhere. */
export function labelsInWords(labels: Alert['labels'], without: readonly string[] = []): string {
  return Object.entries(labels)
    .filter(([name, value]) => value !== '' && !without.includes(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${oneLine(value)}`)
    .join(', ');
}
