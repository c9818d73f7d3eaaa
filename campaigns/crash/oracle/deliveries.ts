import type { Disturbance, Evidence, Finding } from '../evidence.ts';
import { type IncidentNotification, isLevelTriggered, notificationsTo } from './notified-incidents.ts';

/** Deliveries to a receiver, with the duplicates that a crash explains. */
export interface Deliveries {
  readonly receiver: string;
  readonly findings: readonly Finding[];
  /** Incidents in accepted notifications. */
  readonly delivered: number;
  /** Incidents that were in flight to the receiver when the daemon was killed, or answered just before. */
  readonly inFlight: number;
  /** Incidents among them without a response. */
  readonly unansweredAtKill: number;
  /** Accepted a second time because they were under way when the daemon was killed. */
  readonly duplicates: number;
  /**
   * Maximum time from the response of such a duplicate until the kill: an upper bound of the time to store the response.
   */
  readonly slowestStoring: number;
  /** Accepted a second time because the receiver did not confirm them. */
  readonly unanswered: number;
  /** Accepted a second time because the receiver was removed and added again. */
  readonly reloaded: number;
  /** Accepted digest lines. */
  readonly digestLines: number;
  /** Daemon runs in which a receiver accepted a notification. */
  readonly runsWithDelivery: ReadonlySet<number>;
}

/**
 * Maximum time in ms from the response until the daemon has stored it, on a busy machine; usually it takes some
 * milliseconds. A daemon that is killed before must send again. The log of the receiver does not show when the response is
 * stored.
 */
const maxStoreDelay = 3000;

/** Checks the deliveries to one receiver. */
export function checkDeliveries(receiver: string, evidence: Evidence): Deliveries {
  const notifications = notificationsTo(receiver, evidence.notifications, evidence.runs);
  const sentAtKill = inFlight(notifications, evidence);
  const disturbances = evidence.disturbances.filter((one) => one.kind === 'disk' || one.receiver === receiver);
  const repeats = duplicateFindings(notifications, sentAtKill, disturbances);
  const accepted = notifications.filter(({ notification }) => notification.isAccepted);
  return {
    receiver,
    findings: [...orderFindings(notifications, disturbances), ...repeats.findings, ...missingDeliveries(notifications)],
    delivered: accepted.length,
    inFlight: sentAtKill.size,
    unansweredAtKill: [...sentAtKill].filter((delivery) => answeredBeforeKill(delivery, evidence) === undefined).length,
    duplicates: repeats.duplicates.length,
    slowestStoring: Math.max(0, ...repeats.duplicates.map((delivery) => answeredBeforeKill(delivery, evidence) ?? 0)),
    unanswered: repeats.unanswered,
    reloaded: repeats.reloaded,
    digestLines: accepted.filter(({ action }) => action === 'folded').length,
    runsWithDelivery: new Set(accepted.map(({ run }) => run)),
  };
}

/**
 * Returns the last notification of each killed run, if its response came so late, or never, that the daemon may not have
 * stored it.
 */
function inFlight(
  notifications: readonly IncidentNotification[],
  { runs }: Evidence,
): ReadonlySet<IncidentNotification> {
  const sentAtKill = new Set<IncidentNotification>();
  for (const [run, { killedAt }] of runs.entries()) {
    const own = notifications.filter((delivery) => delivery.run === run);
    const last = own.at(-1)?.notification;
    if (killedAt === undefined || last === undefined) continue;
    if (last.endedAt !== undefined && last.endedAt < killedAt - maxStoreDelay) continue;
    for (const delivery of own) if (delivery.notification === last) sentAtKill.add(delivery);
  }
  return sentAtKill;
}

/** Returns the time from the response until the kill; undefined if there was no response. */
function answeredBeforeKill({ notification, run }: IncidentNotification, { runs }: Evidence): number | undefined {
  const killedAt = runs[run]?.killedAt;
  if (notification.answer !== 'sent' || notification.endedAt === undefined || killedAt === undefined) return undefined;
  return notification.endedAt <= killedAt ? killedAt - notification.endedAt : undefined;
}

/** Checks the order of notifications. A rejected incident does not affect the incidents before it. */
function* orderFindings(
  notifications: readonly IncidentNotification[],
  disturbances: readonly Disturbance[],
): Generator<Finding> {
  const known = new Set<string>();
  const ended = new Map<string, IncidentNotification>();
  const newest = new Map<string, number>();
  for (const delivery of notifications) {
    const { action, key, episode, incident, notification } = delivery;
    if (action === 'folded') continue;
    if (action === 'resolve' && !known.has(incident)) yield orderFinding(delivery, 'before its trigger was accepted');
    const end = ended.get(incident);
    if (action === 'trigger' && end !== undefined && !wasAddedAgain(disturbances, end, delivery))
      yield orderFinding(delivery, 'after its own resolve');
    const other = newest.get(key) ?? episode;
    if (episode < other && !cameLate(disturbances, episode, other, notification.at))
      yield orderFinding(delivery, `after incident ${other}`);
    const mayBeKnown = notification.isAccepted || notification.answer !== 'sent';
    if (mayBeKnown) newest.set(key, Math.max(episode, other));
    if (action === 'trigger' && notification.isAccepted) known.add(incident);
    if (action === 'resolve') ended.set(incident, delivery);
  }
}

/**
 * Whether the daemon did not know the older incident when the newer one began, because its state directory was absent at the
 * start. Incident numbers are the times at which the incidents began.
 */
function cameLate(disturbances: readonly Disturbance[], older: number, newer: number, at: number): boolean {
  return disturbances.some(
    (one) =>
      one.kind === 'disk' &&
      one.isLate &&
      older < one.from &&
      newer >= one.from &&
      newer <= one.until &&
      at >= one.from,
  );
}

/** Whether the receiver was removed and added again between two notifications: then it gets all firing alerts again. */
function wasAddedAgain(
  disturbances: readonly Disturbance[],
  { notification: { at: from } }: IncidentNotification,
  { notification: { at: until } }: IncidentNotification,
): boolean {
  return disturbances.some(
    (one) => one.kind === 'reload' && one.change === 'add' && one.until >= from && one.from <= until,
  );
}

function orderFinding(delivery: IncidentNotification, how: string): Finding {
  return { kind: 'disordered', about: `${nameOf(delivery)} arrived ${how}` };
}

interface DuplicateFindings {
  readonly findings: readonly Finding[];
  /** Notification that was under way at the kill and accepted the first time. */
  readonly duplicates: readonly IncidentNotification[];
  readonly unanswered: number;
  readonly reloaded: number;
}

/** Finds duplicates. Alertmanager expects repeated notifications, so they are not duplicates there. */
function duplicateFindings(
  notifications: readonly IncidentNotification[],
  sentAtKill: ReadonlySet<IncidentNotification>,
  disturbances: readonly Disturbance[],
): DuplicateFindings {
  const last = new Map<string, IncidentNotification>();
  const findings: Finding[] = [];
  const duplicates: IncidentNotification[] = [];
  let [unanswered, reloaded] = [0, 0];
  for (const delivery of notifications) {
    if (!delivery.notification.isAccepted || delivery.notification.kind === 'alertmanager') continue;
    const name = `${delivery.incident} ${delivery.action}`;
    const before = last.get(name);
    last.set(name, delivery);
    if (before === undefined) continue;
    if (sentAtKill.has(before) && delivery.run > before.run) duplicates.push(before);
    else if (before.notification.answer !== 'sent') unanswered += 1;
    else if (wasAddedAgain(disturbances, before, delivery)) reloaded += 1;
    else findings.push({ kind: 'repeated', about: `${nameOf(delivery)} was accepted again without a reason` });
  }
  return { findings, duplicates, unanswered, reloaded };
}

/** Finds triggers that may have arrived but were not accepted in the end, and triggers without an accepted resolve. */
function* missingDeliveries(notifications: readonly IncidentNotification[]): Generator<Finding> {
  for (const [incident, all] of Map.groupBy(notifications, (delivery) => delivery.incident)) {
    const triggers = all.filter(({ action }) => action === 'trigger');
    const first = triggers.find(mayHaveArrived);
    if (first === undefined) continue;
    const accepted = acceptedSince(first, all, notifications);
    if (!accepted.some(({ action }) => action === 'trigger')) {
      yield { kind: 'lost', about: `${nameOf(first)} was sent, but not retried until it was accepted` };
    } else if (accepted.at(-1)?.action !== 'resolve') {
      yield { kind: 'left open', about: `${first.notification.receiver} did not accept a resolve of ${incident}` };
    }
  }
}

/** Returns what the receiver accepted of an incident; of a level-triggered receiver, what it accepted of the alert since. */
function acceptedSince(
  { key, notification: first }: IncidentNotification,
  own: readonly IncidentNotification[],
  all: readonly IncidentNotification[],
): readonly IncidentNotification[] {
  const since = isLevelTriggered(first) ? all.filter((one) => one.key === key && one.notification.at >= first.at) : own;
  return since.filter(({ notification }) => notification.isAccepted);
}

/** Whether the receiver may have accepted a notification. A 5xx response does not exclude that. */
function mayHaveArrived({ notification }: IncidentNotification): boolean {
  return notification.isAccepted || notification.answer !== 'sent' || notification.status === 500;
}

function nameOf({ notification, action, incident, run }: IncidentNotification): string {
  return `${notification.receiver}: ${action} of ${incident} (run ${run + 1})`;
}
