import { evaluateBudgets } from '../../crash/guard/oracle/budgets.ts';
import { isAbort } from '../environment.ts';
import type {
  Evidence,
  Finding,
  InjectedFault,
  LoggedNotification,
  LoggedRequest,
  Outage,
  StartedQuery,
} from '../evidence.ts';
import { breakerLimit, guardLimits } from '../settings.ts';
import { LeaseHistory } from './lease-history.ts';

/** Time after a takeover in which a request of the earlier owner may still arrive; polls have no effect. */
const pollMargin = 1000;
/** Time in which a replica that wakes up notices that it lost its leases. */
const wakeUpTime = 1500;
/** Time in which a replica without the database learns from the others that one of them owns a cluster. */
const peerTime = 8000;
/** The same time while another fault affects the other replicas. */
const overlappedPeerTime = 20_000;
/** Time in which a replica connects to the database again. */
const reconnectTime = 3000;
/** Time after an outage in which its notification may still be sent. */
const notificationDelay = 20_000;
/** Time after the end of a lease within which its cluster must be polled again on a machine that is busy with other work. */
const takeoverTime = 15_000;

/** Minimum age of leases in seconds that indicates that the database is unavailable. */
const minAge = 3;

/** Tables to which each replica may write: operators' actions, logs and numbers. */
const sharedTables: ReadonlySet<string> = new Set(['silences', 'guard_actions', 'notifications', 'counters']);

interface LoggedAbort extends LoggedRequest {
  readonly id: string;
}

/** Evaluates the logs of the simulated clusters, the receiver and the database. */
export function evaluate(evidence: Evidence): readonly Finding[] {
  const aborts = abortsOf(evidence);
  const findings = [
    ...doubleAborts(aborts),
    ...overBudget(evidence),
    ...overBreaker(aborts, evidence.startedQueries),
    ...lostNotifications(evidence),
    ...openNotifications(evidence.notifications),
    ...missingEnds(evidence),
    ...latePolls(evidence),
    ...unstatedOutages(evidence),
  ];
  if (evidence.leases.length === 0) return findings;
  const history = new LeaseHistory(evidence.leases);
  return [...findings, ...effectsWithoutLease(evidence, aborts, history), ...secondOwners(evidence, history)];
}

/** Returns the aborts, one for each id of a request. */
export function abortsOf({ requests }: Pick<Evidence, 'requests'>): readonly LoggedAbort[] {
  return requests
    .filter(isAbort)
    .flatMap((request) => new URLSearchParams(request.query).getAll('requestid').map((id) => ({ ...request, id })));
}

function doubleAborts(aborts: readonly LoggedAbort[]): readonly Finding[] {
  const first = new Map<string, LoggedAbort>();
  return aborts.flatMap((abort): readonly Finding[] => {
    const name = `${abort.id} of ${abort.cluster}`;
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, abort);
      return [];
    }
    const about = `${name}: by replica ${earlier.replica} at ${earlier.at}, by replica ${abort.replica} at ${abort.at}`;
    return [{ kind: 'double abort', about }];
  });
}

function overBudget({ requests }: Evidence): readonly Finding[] {
  return [...new Set(requests.map(({ cluster }) => cluster))].flatMap((cluster) => {
    const calls = requests
      .filter((one) => one.cluster === cluster && isAbort(one))
      .map(({ path, query, at }) => ({ node: cluster, method: 'GET', path, query, at, status: undefined }));
    const { findings } = evaluateBudgets({ limits: guardLimits, calls });
    return findings.map(({ about }): Finding => ({ kind: 'over budget', about: `${cluster}: ${about}` }));
  });
}

function overBreaker(aborts: readonly LoggedAbort[], started: readonly StartedQuery[]): readonly Finding[] {
  const names = new Map(started.map(({ cluster, id, name }) => [`${id} of ${cluster}`, name]));
  const counts = new Map<string, number>();
  for (const { id, cluster } of aborts) {
    const name = names.get(`${id} of ${cluster}`) ?? 'unknown';
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > breakerLimit)
    .map(([name, count]): Finding => ({ kind: 'over breaker', about: `${count} aborts of ${name}` }));
}

function effectsWithoutLease(
  { notifications, writes, faults }: Evidence,
  aborts: readonly LoggedAbort[],
  history: LeaseHistory,
): readonly Finding[] {
  const isForeign = ({ cluster, replica, at }: { cluster: string; replica: number; at: number }): boolean =>
    history.ownerAt(cluster, at)?.replica !== replica;
  const about = ({ cluster, replica, at }: { cluster: string; replica: number; at: number }): string => {
    const owner = history.ownerAt(cluster, at);
    return `${cluster}: replica ${replica} at ${at}, owner ${owner === undefined ? 'none' : `${owner.replica} since ${owner.since}`}`;
  };
  // While no replica reaches the database, none of them can take a cluster over, and its owner continues to notify.
  const isFromMemory = ({ cluster, replica, at }: LoggedNotification): boolean =>
    history.ownerAt(cluster, at) === undefined &&
    history.latestOwner(cluster, at) === replica &&
    faults.some((one) => one.name.startsWith('database') && at >= one.at && at <= one.until + reconnectTime);
  return [
    ...aborts.filter(isForeign).map((one): Finding => ({ kind: 'abort without lease', about: about(one) })),
    ...notifications
      .filter((one) => isForeign(one) && !isFromMemory(one))
      .map((one): Finding => ({ kind: 'notification without lease', about: about(one) })),
    ...writes
      .filter(({ table }) => !sharedTables.has(table))
      .filter(({ cluster, replica, at }) => history.belongsToOther(cluster, replica, at))
      .map((one): Finding => ({ kind: 'write without lease', about: `${one.table}: ${about(one)}` })),
  ];
}

/**
 * Returns replicas that polled a cluster for longer than they need to notice that another one owns it. A replica without the
 * database learns it from the others, unless another fault hits them.
 */
function secondOwners({ requests, faults }: Evidence, history: LeaseHistory): readonly Finding[] {
  const late = new Map<string, { readonly first: number; last: number; count: number; allowed: number }>();
  for (const { cluster, replica, at } of requests) {
    const owner = history.ownerAt(cluster, at);
    if (owner === undefined || owner.replica === replica || at < owner.since + pollMargin) continue;
    const key = `${cluster}: replica ${replica} although replica ${owner.replica} owns it since ${owner.since}`;
    const known = late.get(key);
    const allowed = Math.max(known?.allowed ?? 0, noticeTime(faults, replica, at));
    late.set(key, { first: known?.first ?? at, last: at, count: (known?.count ?? 0) + 1, allowed });
  }
  return [...late]
    .filter(([, { first, last, allowed }]) => last - first > allowed)
    .map(([key, { first, last, count }]): Finding => {
      return { kind: 'two owners', about: `${key}: ${count} requests from ${first} to ${last}` };
    });
}

const cuttingFaults: ReadonlySet<string> = new Set([
  'cut',
  'partition',
  'delay',
  'lost replies',
  'late answer',
  'late commit',
]);

/** Returns the time in which a replica notices that another one owns a cluster. */
function noticeTime(faults: readonly InjectedFault[], replica: number, at: number): number {
  const cutting = faults.filter(
    (fault) => isCutting(fault, at) && (fault.replica === replica || fault.name.startsWith('database')),
  );
  if (cutting.length === 0) return wakeUpTime;
  return cutting.some(({ isOverlapped }) => isOverlapped) ? overlappedPeerTime : peerTime;
}

/** Returns clusters that were not polled for longer than a takeover takes. */
function latePolls({ faults, lease }: Evidence): readonly Finding[] {
  return faults.flatMap(({ name, moment, replica, at, gaps }) =>
    Object.entries(gaps)
      .filter(([, gap]) => gap > lease + takeoverTime)
      .map(([cluster, gap]): Finding => {
        const fault = `${name} (${moment}) of replica ${replica} at ${at}`;
        return { kind: 'polled too late', about: `${cluster}: not polled for ${gap} ms after ${fault}` };
      }),
  );
}

/** Returns answers of replicas that do not state that the database is unavailable, and missing answers. */
function unstatedOutages({ answers }: Evidence): readonly Finding[] {
  return answers
    .filter(({ durable, leaseAge = 0 }) => durable !== 0 || leaseAge < minAge)
    .map(({ replica, at, after, durable, leaseAge }): Finding => {
      const stated = `durable ${durable}, leases of ${leaseAge} s ago`;
      const about = after === undefined ? 'no answer' : stated;
      return { kind: 'outage not stated', about: `replica ${replica} at ${at}: ${about}` };
    });
}

function lostNotifications({ outages, notifications }: Evidence): readonly Finding[] {
  return outages
    .filter((outage) => !notifications.some((one) => isTriggerOf(one, outage)))
    .map(({ cluster, from, until }): Finding => {
      return { kind: 'lost notification', about: `${cluster}: service down from ${from} to ${until}` };
    });
}

function isTriggerOf({ cluster, service, at, status, isAccepted }: LoggedNotification, outage: Outage): boolean {
  if (!isAccepted || status !== 'firing' || cluster !== outage.cluster || service !== outage.service) return false;
  return at >= outage.from && at <= outage.until + notificationDelay;
}

/**
 * Returns alerts whose latest notification is firing, although all services are online when the scenario ends. Incidents are
 * compared by their labels, because the next owner does not know an incident that a replica notified without the database.
 */
export function openNotifications(notifications: readonly LoggedNotification[]): readonly Finding[] {
  const open = new Map<string, LoggedNotification>();
  for (const one of notifications.filter(({ isAccepted }) => isAccepted)) {
    const alert = `${one.cluster} ${one.alertname} ${one.service}`;
    if (one.status === 'firing') open.set(alert, one);
    else open.delete(alert);
  }
  return [...open.keys()].map((about): Finding => ({ kind: 'left open', about }));
}

/**
 * Returns incidents whose end the receiver did not get. Excluded are incidents that began while, or shortly before, a replica or
 * the database was cut off: only one replica may know them, and the next owner opens other incidents instead.
 */
export function missingEnds({ notifications, faults }: Pick<Evidence, 'notifications' | 'faults'>): readonly Finding[] {
  const accepted = notifications.filter(({ isAccepted }) => isAccepted);
  const ended = new Set(accepted.filter(({ status }) => status === 'resolved').map(incidentOf));
  const missing = accepted.filter((one) => one.status === 'firing' && !ended.has(incidentOf(one)));
  return [...new Map(missing.map((one) => [incidentOf(one), one]))]
    .filter(([, { at }]) => !faults.some((fault) => isCutting(fault, at) || isCutting(fault, at + takeoverTime)))
    .map(([about]): Finding => ({ kind: 'no end', about }));
}

/** Whether a fault keeps a replica from the database at a time. */
function isCutting({ name, at: from, until }: InjectedFault, at: number): boolean {
  return (cuttingFaults.has(name) || name.startsWith('database')) && at >= from && at <= until + reconnectTime;
}

/** Number of triggers that the receiver got again although it had accepted them and the sender got the reply. */
export function repeatedTriggers({ notifications }: Pick<Evidence, 'notifications'>): number {
  const accepted = new Set<string>();
  let repeated = 0;
  for (const one of notifications.filter(({ status }) => status === 'firing')) {
    const incident = incidentOf(one);
    if (accepted.has(incident)) repeated += 1;
    if (one.isAccepted) accepted.add(incident);
  }
  return repeated;
}

function incidentOf({ cluster, alertname, service, startsAt }: LoggedNotification): string {
  return `${cluster} ${alertname} ${service} ${startsAt}`;
}
