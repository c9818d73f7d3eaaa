import { type NotificationReport, notificationSchema } from '../../api/notifications.ts';
import { queryNotifications } from '../../app/api/notification-route.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { ok } from '../../kernel/result.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { notificationResults } from '../../model/delivery.ts';
import { notificationColumns } from '../../notify/outbox/notification-rows.ts';
import type { Command } from '../command.ts';
import { type History, historyFlags, printHistory } from '../history.ts';
import { formatTable, formatTimeCell, type Terminal } from '../table.ts';

const history: History<NotificationReport> = {
  path: '/api/v1/notifications',
  item: notificationSchema,
  since: '24h',
  ofAnyAge: 'incident',
  filters: [
    { name: 'receiver', value: 'NAME', about: 'only this receiver' },
    { name: 'result', value: 'NAME', about: 'only this result', values: notificationResults },
    { name: 'incident', value: 'ID', about: 'only this incident, by the ID in its notifications' },
    { name: 'alertname', value: 'NAME', about: 'only this alert, such as GraphdbNodeUnreachable' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
  ],
  columns: notificationColumns,
  read: async (store, where) => {
    const page = await queryNotifications(store, where);
    return page.ok ? ok(page.value.items) : page;
  },
};

/** Lists the notifications that were sent, or could not be sent, and their results. */
export const notifications: Command = {
  flags: historyFlags(history),
  details:
    'Oldest result first, times in UTC; notifications that were not attempted yet are at the end. A failed ' +
    'notification has one line for all attempts with the same result.',
  examples: [
    'notifications',
    'notifications --receiver oncall --since 2d',
    'notifications --result deferred',
    'notifications --state-dir state --json',
  ],
  run: (given, ports) =>
    printHistory(history, given, ports, { order: (found) => found.toReversed(), text: notificationTable }),
};

const header = ['TIME', 'RECEIVER', 'RESULT', 'ACTION', 'ALERT', 'DETAILS', 'INCIDENT', 'CLUSTER', 'ATTEMPTS'];

/** Notifications as a table, in the given order. */
export function notificationTable(reports: readonly NotificationReport[], terminal?: Terminal): string {
  return reports.length === 0 ? 'no notifications\n' : formatTable([header, ...reports.map(toRow)], terminal);
}

function toRow(report: NotificationReport): readonly string[] {
  const { at, receiver, action, result, alertname, cluster, incident, attempts } = report;
  const cell = action === 'digest' ? '-' : cluster;
  return [
    formatTimeCell(at),
    receiver,
    result,
    action,
    alertname === '' ? '-' : alertname,
    details(report),
    incident === '' ? '-' : incident,
    cell === '' ? '(graphwarden)' : cell,
    String(attempts),
  ].map(replaceControlCharacters);
}

/** Why a notification is not accepted and when it is tried again, or what the receiver answered. */
function details({ result, status, reason, proof, nextAttemptAt, queuedAt, acceptedAt }: NotificationReport): string {
  const next = nextAttemptAt === null ? '' : `next attempt ${formatTimeCell(nextAttemptAt)}`;
  if (result !== 'accepted') return [reason, next].filter(Boolean).join(', ');
  const delay = Date.parse(acceptedAt ?? '') - Date.parse(queuedAt ?? '');
  const answer = [status === null ? '' : `status ${status}`, proof].filter(Boolean).join(': ');
  const late = delay >= minReportedDelay ? `after ${formatElapsed(delay)}` : '';
  return [answer, late, reason, next].filter(Boolean).join(', ');
}

/** Delay from which an accepted notification shows how late it is, in ms. */
const minReportedDelay = 5000;
