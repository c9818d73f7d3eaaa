import { formatElapsed } from '../kernel/duration.ts';
import type { Millis } from '../kernel/time.ts';
import type { RecentEvent } from './alerting.ts';
import type { Incident } from './incident.ts';

/** Time before an incident in which an event may explain it. */
const window: Millis = 300_000;
/** Most events that are kept: the newest ones. */
export const maxRecentEvents = 100;
const maxListed = 8;

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
 * Returns the events from five minutes before an incident until it fires, one a line and the oldest first:
 * `m2 failed its health check 4s before`.
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
  const sorted = related.toSorted((one, other) => one.at - other.at).slice(-maxListed);
  return sorted.map((event) => `${event.text} ${describeDistance(startsAt - event.at)}`).join('\n');
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
