import type { Evidence, Finding } from '../evidence.ts';
import { type IncidentNotification, notificationsTo } from './notified-incidents.ts';

/** Deliveries to a receiver, with the duplicates that a crash explains. */
export interface Deliveries {
  readonly receiver: string;
  readonly findings: readonly Finding[];
  /** Incidents in accepted notifications. */
  readonly delivered: number;
  /** Incidents that were under way to the receiver when the daemon was killed, or answered just before. */
  readonly inFlight: number;
  /** Incidents among them without a response. */
  readonly unansweredAtKill: number;
  /** Accepted a second time because they were under way when the daemon was killed. */
  readonly duplicates: number;
  /**
   * Maximum time from the response to one of these until the kill: an upper bound of the time to store the response.
   */
  readonly slowestStoring: number;
  /** Accepted a second time because the receiver did not confirm them. */
  readonly unanswered: number;
  /** Accepted digest lines. */
  readonly folded: number;
  /** Daemon runs in which a receiver accepted a notification. */
  readonly runsWithDelivery: ReadonlySet<number>;
}

/**
 * Maximum time from the reply until the daemon has stored it. A daemon that is killed meanwhile must send again. The clock
 * of the receiver does not show when the reply is stored.
 */
const maxStoreDelay = 1000;

/** Checks the deliveries to one receiver. */
export function checkDeliveries(receiver: string, evidence: Evidence): Deliveries {
  const tellings = notificationsTo(receiver, evidence.notifications, evidence.runs);
  const flying = inFlight(tellings, evidence);
  const repeats = duplicateFindings(tellings, flying);
  const taken = tellings.filter(({ notification }) => notification.taken);
  return {
    receiver,
    findings: [...orderFindings(tellings), ...repeats.findings, ...missingDeliveries(tellings)],
    delivered: taken.length,
    inFlight: flying.size,
    unansweredAtKill: [...flying].filter((telling) => answeredBeforeKill(telling, evidence) === undefined).length,
    duplicates: repeats.duplicates.length,
    slowestStoring: Math.max(0, ...repeats.duplicates.map((telling) => answeredBeforeKill(telling, evidence) ?? 0)),
    unanswered: repeats.unanswered,
    folded: taken.filter(({ action }) => action === 'folded').length,
    runsWithDelivery: new Set(taken.map(({ run }) => run)),
  };
}

/**
 * The last notification of a run, if it was answered so late, or never, that the daemon cannot have stored the answer
 * for sure.
 */
function inFlight(tellings: readonly IncidentNotification[], { runs }: Evidence): ReadonlySet<IncidentNotification> {
  const flying = new Set<IncidentNotification>();
  for (const [life, { killedAt }] of runs.entries()) {
    const own = tellings.filter((telling) => telling.run === life);
    const last = own.at(-1)?.notification;
    if (killedAt === undefined || last === undefined) continue;
    if (last.endedAt !== undefined && last.endedAt < killedAt - maxStoreDelay) continue;
    for (const telling of own) if (telling.notification === last) flying.add(telling);
  }
  return flying;
}

/** Returns the time from the response until the kill; undefined if there was no response. */
function answeredBeforeKill({ notification, run }: IncidentNotification, { runs }: Evidence): number | undefined {
  const killedAt = runs[run]?.killedAt;
  if (notification.answer !== 'sent' || notification.endedAt === undefined || killedAt === undefined) return undefined;
  return notification.endedAt <= killedAt ? killedAt - notification.endedAt : undefined;
}

/** Checks the order of notifications. A rejected incident does not affect the incidents before it. */
function* orderFindings(tellings: readonly IncidentNotification[]): Generator<Finding> {
  const known = new Set<string>();
  const ended = new Set<string>();
  const newest = new Map<string, number>();
  for (const telling of tellings) {
    const { action, key, episode, incident, notification } = telling;
    if (action === 'folded') continue;
    if (action === 'resolve' && !known.has(incident)) yield orderFinding(telling, 'before its trigger was taken');
    if (action === 'trigger' && ended.has(incident)) yield orderFinding(telling, 'after its own resolve');
    if (episode < (newest.get(key) ?? episode)) yield orderFinding(telling, `after incident ${newest.get(key)}`);
    const mayBeKnown = notification.taken || notification.answer !== 'sent';
    if (mayBeKnown) newest.set(key, Math.max(episode, newest.get(key) ?? episode));
    if (action === 'trigger' && notification.taken) known.add(incident);
    if (action === 'resolve') ended.add(incident);
  }
}

function orderFinding(telling: IncidentNotification, how: string): Finding {
  return { kind: 'disordered', about: `${nameOf(telling)} came ${how}` };
}

interface DuplicateFindings {
  readonly findings: readonly Finding[];
  /** Notification that was under way at the kill and accepted the first time. */
  readonly duplicates: readonly IncidentNotification[];
  readonly unanswered: number;
}

/** Finds duplicates. Alertmanager expects repeated notifications, so they are not duplicates there. */
function duplicateFindings(
  tellings: readonly IncidentNotification[],
  flying: ReadonlySet<IncidentNotification>,
): DuplicateFindings {
  const last = new Map<string, IncidentNotification>();
  const findings: Finding[] = [];
  const duplicates: IncidentNotification[] = [];
  let unanswered = 0;
  for (const telling of tellings) {
    if (!telling.notification.taken || telling.notification.kind === 'alertmanager') continue;
    const what = `${telling.incident} ${telling.action}`;
    const before = last.get(what);
    last.set(what, telling);
    if (before === undefined) continue;
    if (flying.has(before) && telling.run > before.run) duplicates.push(before);
    else if (before.notification.answer !== 'sent') unanswered += 1;
    else findings.push({ kind: 'repeated', about: `${nameOf(telling)} was taken again without a reason` });
  }
  return { findings, duplicates, unanswered };
}

/** What may have arrived has to be known to the receiver in the end, and to be over. */
function* missingDeliveries(tellings: readonly IncidentNotification[]): Generator<Finding> {
  for (const [incident, all] of Map.groupBy(tellings, (telling) => telling.incident)) {
    const triggers = all.filter(({ action }) => action === 'trigger');
    const first = triggers.find(mayHaveArrived);
    if (first === undefined) continue;
    if (!triggers.some(({ notification }) => notification.taken)) {
      yield { kind: 'lost', about: `${nameOf(first)} was sent, and never repeated until it was taken` };
    } else if (!all.some(({ action, notification }) => action === 'resolve' && notification.taken)) {
      yield { kind: 'left open', about: `${first.notification.receiver} never took the resolve of ${incident}` };
    }
  }
}

/** Whether the receiver may have accepted a notification. A 5xx response does not exclude that. */
function mayHaveArrived({ notification }: IncidentNotification): boolean {
  return notification.taken || notification.answer !== 'sent' || notification.status === 500;
}

function nameOf({ notification, action, incident, run }: IncidentNotification): string {
  return `${notification.receiver}: ${action} of ${incident} (life ${run + 1})`;
}
