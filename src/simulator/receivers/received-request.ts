import { formatTimeOfDay } from '../../kernel/timestamp.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import type { ReceivedNotification, SimulatedReceiverApi } from '../../model/simulated-receiver.ts';

/** Request that a receiver received, and its result. */
export interface ReceivedRequest {
  readonly receiver: string;
  /** Kind of the receiver, such as `slack`. */
  readonly kind: string;
  /** When its body was complete, ms since the epoch. */
  readonly at: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Notifications that the receiver stores, or would have stored if it had accepted the request. */
  readonly notifications: readonly ReceivedNotification[];
  /** Whether the receiver keeps the request, even if the sender gets no reply or an error. */
  readonly isAccepted: boolean;
  /** Status of the reply, or the status that it would have had. */
  readonly status: number;
  /** `sent`: the reply left as a whole; `lost`: it did not. Both are final. */
  readonly answer: 'pending' | 'sent' | 'lost';
}

const maxTextLength = 160;

/** Returns a line for each notification in a request, with the reply if it is not a plain success. */
export function requestLines(request: ReceivedRequest): readonly string[] {
  const time = formatTimeOfDay(request.at);
  const head = `${time}Z  ${request.receiver.padEnd(6)}  `;
  const { notifications, isAccepted } = request;
  if (notifications.length === 0) return [`${head}${isAccepted ? 'nothing' : 'unreadable'}${replyText(request)}`];
  return notifications.map((one) => `${head}${one.action.padEnd(7)}  ${notificationText(one)}${replyText(request)}`);
}

function notificationText({ summary, key, episode }: ReceivedNotification): string {
  const text = replaceControlCharacters(summary === '' ? key : summary);
  const short = text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
  return episode === '' || summary.includes(`(${episode}`)
    ? short
    : `${short} (incident ${replaceControlCharacters(episode)})`;
}

function replyText({ isAccepted, status, answer }: ReceivedRequest): string {
  if (answer === 'lost') return `  → ${isAccepted ? 'accepted' : 'not accepted'}, no reply`;
  return isAccepted && status < 300 ? '' : `  → ${status}${isAccepted ? ', accepted in part' : ''}`;
}

/**
 * Returns a filter that keeps the changes in requests: undefined for a request of a level-triggered receiver that repeats what
 * is known. A resolve without a summary, as for PagerDuty, gets the summary of its trigger.
 */
export function changesOnly(
  apis: ReadonlyMap<string, SimulatedReceiverApi>,
): (request: ReceivedRequest) => ReceivedRequest | undefined {
  const last = new Map<string, ReceivedNotification>();

  function isChange({ receiver, kind }: ReceivedRequest, one: ReceivedNotification): boolean {
    const isRepeated = apis.get(kind)?.isLevelTriggered === true;
    const incident = incidentKey(receiver, one);
    const before = last.get(incident);
    if (one.action === 'trigger' || isRepeated) last.set(incident, one);
    else last.delete(incident);
    return !isRepeated || before?.action !== one.action || before.episode !== one.episode;
  }

  return (request) => {
    const all = request.notifications.map((one): ReceivedNotification => {
      const summary = one.summary === '' ? last.get(incidentKey(request.receiver, one))?.summary : undefined;
      return summary === undefined ? one : { ...one, summary };
    });
    if (!request.isAccepted) return { ...request, notifications: all };
    const notifications = all.filter((one) => isChange(request, one));
    return notifications.length === 0 && all.length > 0 ? undefined : { ...request, notifications };
  };
}

function incidentKey(receiver: string, { key }: ReceivedNotification): string {
  return JSON.stringify([receiver, key]);
}

/**
 * Returns the incidents that are open at a receiver after these requests, oldest first. A trigger of an open incident changes
 * nothing, a resolve without an incident is ignored, and an incident whose end has passed is closed.
 */
export function openIncidents(
  requests: readonly ReceivedRequest[],
  receiver: string,
  now: number,
): readonly ReceivedNotification[] {
  const open = new Map<string, ReceivedNotification>();
  const accepted = requests
    .filter((request) => request.receiver === receiver && request.isAccepted)
    .flatMap(({ notifications }) => notifications);
  for (const [index, one] of accepted.entries()) {
    if (one.action === 'message') continue;
    // Without a key each trigger opens an incident of its own, which no request can close.
    const key = one.key === '' ? `\u0000${index}` : one.key;
    if (one.action === 'trigger') open.set(key, one);
    else open.delete(key);
  }
  return [...open.values()].filter(({ until }) => until === undefined || until > now);
}
