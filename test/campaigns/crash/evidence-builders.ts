import type { Evidence, LoggedNotification, StatusReply } from '../../../campaigns/crash/evidence.ts';
import { twinOf } from '../../support/simulated-receivers.ts';

/** Start of the logs of these tests: 10:00:00 UTC on some day. */
export const logStart = Date.parse('2026-03-01T10:00:00Z');

/** Incident as notifications of each kind contain it. */
export interface NotifiedIncident {
  readonly action: 'trigger' | 'resolve';
  readonly episode: number;
  readonly instance?: string;
}

/** Returns daemon runs of ten seconds each. All but the last are killed. */
export function runsOf(count: number): Evidence['runs'] {
  return Array.from({ length: count }, (_, index) => {
    const from = logStart + index * 10_000;
    return index === count - 1 ? { from } : { from, killedAt: from + 9000 };
  });
}

/** Returns an empty log. */
export function evidenceOf(part: Partial<Evidence> = {}): Evidence {
  return { runs: runsOf(3), statusReplies: [], notifications: [], timeline: [], disturbances: [], ...part };
}

/** Returns a notification of PagerDuty at `at` ms, accepted and answered after 10 ms by default. */
export function pagerdutyNotification(
  at: number,
  { action, episode, instance = 'GPE_1#1' }: NotifiedIncident,
  rest: Partial<LoggedNotification> = {},
): LoggedNotification {
  const event = { routing_key: 'k'.repeat(32), dedup_key: `${keyOf(instance)}-${episode}`, event_action: action };
  const payload = { summary: `${instance} of c is Down`, source: 'c', severity: 'warning' };
  return loggedNotification('pagerduty', at, JSON.stringify({ ...event, payload }), rest);
}

/** Returns a notification of Slack with these lines. */
export function slackNotification(
  at: number,
  lines: readonly string[],
  rest: Partial<LoggedNotification> = {},
): LoggedNotification {
  const blocks = lines.map((one) => ({ type: 'section', text: { type: 'mrkdwn', text: one.split(' @ ')[1] ?? '' } }));
  const text = lines.map((one) => one.split(' @ ')[0]).join('\n');
  return loggedNotification('slack', at, JSON.stringify({ text, blocks }), rest);
}

/** Returns the line of an alert, and after an `@` the text of its block. */
export function line(
  { action, episode, instance = 'GPE_1#1' }: NotifiedIncident,
  since: string,
  until?: string,
): string {
  const id = `${keyOf(instance)}-${episode}`;
  const times = `since 2026-03-01 ${since} UTC${until === undefined ? '' : `, until 2026-03-01 ${until} UTC`}`;
  const word = action === 'trigger' ? 'FIRING' : 'RESOLVED';
  return `${word} warning: ${instance} of c is Down (${id}) @ ${times} · ${id}`;
}

/** Returns the line of a digest. */
export function digestLine(episode: number, since: string, until: string, instance = 'GPE_1#1'): string {
  const times = `2026-03-01 ${since} UTC to 2026-03-01 ${until} UTC`;
  return `• warning: ${instance} of c is Down (${keyOf(instance)}-${episode}, ${times})`;
}

/** Returns a notification of Alertmanager. */
export function alertmanagerNotification(
  at: number,
  { action, episode, instance = 'GPE_1#1' }: NotifiedIncident,
  rest: Partial<LoggedNotification> = {},
): LoggedNotification {
  const endsAt = new Date(logStart + at + (action === 'trigger' ? 900_000 : 0)).toISOString();
  const annotations = { episode: String(episode), summary: `${instance} of c is Down` };
  return loggedNotification('alertmanager', at, JSON.stringify([{ labels: { instance }, annotations, endsAt }]), rest);
}

/** Returns a response of the cluster at `at` ms about one instance. */
export function statusReply(run: number, at: number, status: string, instance = 'GPE_1#1'): StatusReply {
  return {
    run,
    node: 1,
    requestedAt: logStart + at,
    sentAt: logStart + at + 5,
    statuses: new Map([[instance, status]]),
  };
}

function keyOf(instance: string): string {
  return Buffer.from(instance.padEnd(12, '#')).toString('hex').slice(-12);
}

function loggedNotification(
  kind: string,
  after: number,
  body: string,
  rest: Partial<LoggedNotification>,
): LoggedNotification {
  const at = logStart + after;
  const { kept } = twinOf(kind).handle(body, at);
  const answered = { isAccepted: true, status: 202, answer: 'sent', endedAt: at + 10 } as const;
  return { receiver: kind, kind, at, headers: {}, body, notifications: kept, ...answered, ...rest };
}
