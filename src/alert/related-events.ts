import { formatElapsed } from '../kernel/duration.ts';
import type { Millis } from '../kernel/time.ts';
import type { RecentEvent } from './alerting.ts';
import type { Incident } from './incident.ts';

/** Time before an incident in which an event may explain it. */
const window: Millis = 300_000;
/** Most events that are kept: the newest ones. */
export const maxRecentEvents = 100;
const maxListed = 8;
/** Subjects that a line names: the services of a host. */
const maxSubjects = 16;

/** Returns events with further ones, without those that are too old at `wall`; at most the newest 100. */
export function withRecentEvents(
  events: readonly RecentEvent[],
  added: readonly RecentEvent[],
  wall: number,
): readonly RecentEvent[] {
  if (added.length === 0) return events;
  // An alert can fire minutes after its problem began.
  return [...events.filter(({ at }) => wall - at < 2 * window), ...added].slice(-maxRecentEvents);
}

/**
 * Returns the events from five minutes before an incident until it fires, the oldest first: `m2 failed its health check 4s
 * before`. The same event of several subjects is one line, so that the services of a host do not hide other events.
 */
export function relatedEvents(
  events: readonly RecentEvent[],
  { cluster, startsAt, identity, facts }: Pick<Incident, 'cluster' | 'startsAt' | 'identity' | 'facts'>,
): string {
  const own = new Set([identity.node, facts.instance]);
  const related = events.filter(
    (event) =>
      (event.cluster === '' || event.cluster === cluster) && !own.has(event.subject) && startsAt - event.at <= window,
  );
  const sorted = related.toSorted((one, other) => one.at - other.at);
  const lines = Map.groupBy(sorted, (event) => lineEnd(event, startsAt));
  return [...lines]
    .map(([end, same]) => `${nameSubjects(same)}${end}`)
    .slice(-maxListed)
    .join('\n');
}

/** Returns the line of an event without the subject at its beginning. */
function lineEnd({ subject, text, at }: RecentEvent, startsAt: number): string {
  const rest = text.startsWith(`${subject} `) ? text.slice(subject.length) : text;
  return `${rest} ${describeDistance(startsAt - at)}`;
}

function nameSubjects(events: readonly RecentEvent[]): string {
  const subjects = events.flatMap(({ subject, text }) => (text.startsWith(`${subject} `) ? [subject] : []));
  const named = [...new Set(subjects)];
  const more = named.length - maxSubjects;
  return named.slice(0, maxSubjects).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function describeDistance(before: Millis): string {
  if (Math.abs(before) < 1000) return 'at the same time';
  return before > 0 ? `${formatElapsed(before)} before` : `${formatElapsed(-before)} after`;
}

/**
 * Returns the events of incidents that began or ended: a node fails or passes its health check, or a query is aborted.
 */
export function eventsOfChanges(
  before: ReadonlyMap<string, Incident>,
  after: ReadonlyMap<string, Incident>,
  cluster: string,
  wall: number,
): readonly RecentEvent[] {
  const begun = [...after.values()].filter((one) => one.cluster === cluster && !before.has(one.identityKey));
  const ended = [...before.values()].filter((one) => one.cluster === cluster && !after.has(one.identityKey));
  return [
    ...begun.flatMap((one) => eventOf(one, one.startsAt, beginnings[one.rule])),
    ...ended.flatMap((one) => eventOf(one, wall, endings[one.rule])),
  ];
}

type Describe = (incident: Incident) => string;

const beginnings: Readonly<Record<string, Describe>> = {
  node_unreachable: ({ identity }) => `${identity.node} failed its health check`,
  query_aborted: ({ identity }) => `${identity.query} of ${identity.graph} was aborted on ${identity.node}`,
};

const endings: Readonly<Record<string, Describe>> = {
  node_unreachable: ({ identity }) => `${identity.node} passed its health check again`,
};

function eventOf(incident: Incident, at: number, describe: Describe | undefined): readonly RecentEvent[] {
  const { cluster, identity } = incident;
  return describe === undefined ? [] : [{ at, cluster, subject: identity.node ?? '', text: describe(incident) }];
}
