import type { ReceivedNotification } from '../../../src/model/simulated-receiver.ts';
import { type DaemonRun, type Evidence, type LoggedNotification, runAt } from '../evidence.ts';

/** Part of a notification that concerns one incident, in the same form for each kind of receiver. */
export interface IncidentNotification {
  readonly notification: LoggedNotification;
  readonly run: number;
  readonly action: 'trigger' | 'resolve' | 'folded';
  /** Key of the alert, in the form of this receiver. */
  readonly key: string;
  readonly episode: number;
  /** Id of the incident: key and number. It is the same for all receivers except Alertmanager. */
  readonly incident: string;
  /** Service instance; `''` if the notification does not name it. */
  readonly instance: string;
}

/**
 * Returns the incidents in all notifications to one receiver, accepted or not, in order. It skips reminders and headings,
 * which name no incident.
 */
export function notificationsTo(
  receiver: string,
  notifications: readonly LoggedNotification[],
  runs: readonly DaemonRun[],
): readonly IncidentNotification[] {
  return notifications
    .filter((notification) => notification.receiver === receiver)
    .flatMap((notification) =>
      notification.notifications.flatMap((reported) => {
        const read = notification.kind === 'slack' ? parseSlackLine(reported) : incidentOf(notification, reported);
        return read === undefined ? [] : [{ ...read, notification: notification, run: runAt(runs, notification.at) }];
      }),
    );
}

type ParsedNotification = Omit<IncidentNotification, 'notification' | 'run'>;

/** Parses a line of a Slack message: its prefix is the action, and the incident id is at its end. */
function parseSlackLine({ summary, episode }: ReceivedNotification): ParsedNotification | undefined {
  const action = [...actionsByPrefix].find(([begin]) => summary.startsWith(begin))?.[1];
  return action === undefined || episode === ''
    ? undefined
    : { action, ...parseIncidentId(episode), instance: parseSummary(summary) };
}

const actionsByPrefix: ReadonlyMap<string, IncidentNotification['action']> = new Map([
  ['FIRING ', 'trigger'],
  ['RESOLVED ', 'resolve'],
  ['• ', 'folded'],
]);

function incidentOf(
  { kind }: LoggedNotification,
  { action, key, episode, summary }: ReceivedNotification,
): ParsedNotification | undefined {
  if (action === 'message' || action === 'acknowledge') return undefined;
  const instance = parseSummary(summary);
  if (kind === 'alertmanager') {
    return { action, key, episode: Number(episode), incident: `${key} ${episode}`, instance };
  }
  return { action, ...parseIncidentId(kind === 'pagerduty' ? key : `${key}-${episode}`), instance };
}

/** Parses `KEY-EPISODE`. Texts for people contain only the first twelve characters of the key. */
function parseIncidentId(id: string): Pick<ParsedNotification, 'key' | 'episode' | 'incident'> {
  const end = id.lastIndexOf('-');
  const key = id.slice(0, end).slice(0, 12);
  return { key, episode: Number(id.slice(end + 1)), incident: `${key}-${id.slice(end + 1)}` };
}

function parseSummary(summary: string): string {
  return /(\S+) of c is /.exec(summary)?.[1] ?? '';
}

/** Whether the receiver knows alerts and not incidents: all incidents of an alert are one there. */
export function isLevelTriggered({ kind }: LoggedNotification): boolean {
  return kind === 'alertmanager';
}

/** Returns the service instances with an open incident at a receiver, one entry per incident, sorted by name. */
export function openIncidentsAt(
  receiver: string,
  { notifications, runs }: Pick<Evidence, 'notifications' | 'runs'>,
): readonly string[] {
  const open = new Map<string, string>();
  for (const { notification, action, incident, key, instance } of notificationsTo(receiver, notifications, runs)) {
    if (!notification.isAccepted) continue;
    const name = isLevelTriggered(notification) ? key : incident;
    if (action === 'trigger') open.set(name, instance);
    else open.delete(name);
  }
  return [...open.values()].toSorted();
}
