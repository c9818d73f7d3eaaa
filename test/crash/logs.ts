import type { Evidence, Letter, Reading } from '../../crash/evidence.ts';
import { kinds } from '../../src/simulator/receivers/kinds/all.ts';
import type { ReceiverKind } from '../../src/simulator/receivers/letter.ts';

/** When the logs of these tests begin: 10:00:00 UTC on some day. */
export const begin = Date.parse('2026-03-01T10:00:00Z');

/** One incident as letters of every kind tell of it. */
export interface Incident {
  readonly action: 'trigger' | 'resolve';
  readonly episode: number;
  readonly instance?: string;
}

/** Lives of ten seconds each, all but the last of which are killed. */
export function livesOf(count: number): Evidence['lives'] {
  return Array.from({ length: count }, (_, index) => {
    const from = begin + index * 10_000;
    return index === count - 1 ? { from } : { from, killedAt: from + 9000 };
  });
}

/** A log without anything in it. */
export function evidenceOf(part: Partial<Evidence> = {}): Evidence {
  return { lives: livesOf(3), readings: [], letters: [], timeline: [], ...part };
}

/** A letter of PagerDuty `at` so many ms; taken and answered after 10 ms unless said otherwise. */
export function paged(
  at: number,
  { action, episode, instance = 'GPE_1#1' }: Incident,
  rest: Partial<Letter> = {},
): Letter {
  const event = { routing_key: 'k'.repeat(32), dedup_key: `${keyOf(instance)}-${episode}`, event_action: action };
  const payload = { summary: `${instance} of c is Down`, source: 'c', severity: 'warning' };
  return letter('pagerduty', at, JSON.stringify({ ...event, payload }), rest);
}

/** A letter of Slack with these lines. */
export function posted(at: number, lines: readonly string[], rest: Partial<Letter> = {}): Letter {
  const blocks = lines.map((one) => ({ type: 'section', text: { type: 'mrkdwn', text: one.split(' @ ')[1] ?? '' } }));
  const text = lines.map((one) => one.split(' @ ')[0]).join('\n');
  return letter('slack', at, JSON.stringify({ text, blocks }), rest);
}

/** The line of an alert, and after an `@` what stands in its block. */
export function line({ action, episode, instance = 'GPE_1#1' }: Incident, since: string, until?: string): string {
  const id = `${keyOf(instance)}-${episode}`;
  const times = `since 2026-03-01 ${since} UTC${until === undefined ? '' : `, until 2026-03-01 ${until} UTC`}`;
  const word = action === 'trigger' ? 'FIRING' : 'RESOLVED';
  return `${word} warning: ${instance} of c is Down (${id}) @ ${times} · ${id}`;
}

/** The line of a digest. */
export function foldedLine(episode: number, since: string, until: string, instance = 'GPE_1#1'): string {
  const times = `2026-03-01 ${since} UTC to 2026-03-01 ${until} UTC`;
  return `• warning: ${instance} of c is Down (${keyOf(instance)}-${episode}, ${times})`;
}

/** A letter of Alertmanager. */
export function alerted(
  at: number,
  { action, episode, instance = 'GPE_1#1' }: Incident,
  rest: Partial<Letter> = {},
): Letter {
  const endsAt = new Date(begin + at + (action === 'trigger' ? 900_000 : 0)).toISOString();
  const annotations = { episode: String(episode), summary: `${instance} of c is Down` };
  return letter('alertmanager', at, JSON.stringify([{ labels: { instance }, annotations, endsAt }]), rest);
}

/** An answer of the cluster `at` so many ms about one instance. */
export function reading(life: number, at: number, status: string, instance = 'GPE_1#1'): Reading {
  return { life, node: 1, askedAt: begin + at, sentAt: begin + at + 5, statuses: new Map([[instance, status]]) };
}

function keyOf(instance: string): string {
  return Buffer.from(instance.padEnd(12, '#')).toString('hex').slice(-12);
}

function letter(kind: ReceiverKind, after: number, body: string, rest: Partial<Letter>): Letter {
  const at = begin + after;
  const { kept } = kinds[kind].take(body, at);
  const answered = { taken: true, status: 202, answer: 'sent', endedAt: at + 10 } as const;
  return { receiver: kind, kind, at, headers: {}, body, told: kept, ...answered, ...rest };
}
