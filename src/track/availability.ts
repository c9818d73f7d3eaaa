import type { Millis } from '../kernel/time.ts';
import { type Transition, unobserved } from '../model/transition.ts';

/** A time, ms since the epoch. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** A time in which a status lasted; `''` while there was no such replica. */
export interface Span extends Window {
  readonly status: string;
}

/** What a timeline says of a time. What nobody observed counts neither for nor against. */
export interface Availability {
  readonly observed: Millis;
  readonly online: Millis;
  /** How often it was seen to be no longer online; one that lasts since before the time counts too. */
  readonly outages: number;
  /** Mean time from the beginning of an outage to the end of it; undefined where none began and ended. */
  readonly timeToRecover: Millis | undefined;
}

// The status of a partition of which no replica is online.
const unavailable = 'unavailable';

const online = 'Online';

/**
 * The statuses of one replica in a time. `transitions` are those of it, oldest first; where there is none, what is
 * known of it `now` has lasted all along, as far as its beginning is known.
 */
export function spansOf(
  transitions: readonly Transition[],
  window: Window,
  now?: { readonly status: string; readonly since: number },
): readonly Span[] {
  const [first] = transitions;
  const before = first === undefined ? now : { status: first.from, since: window.from };
  if (before === undefined) return [];
  const turns = [before, ...transitions.map(({ to, at }) => ({ status: to, since: at }))];
  return turns
    .map(({ status, since }, at) => {
      const to = turns[at + 1]?.since ?? window.to;
      return { status, from: Math.max(since, window.from), to: Math.min(to, window.to) };
    })
    .filter(({ from, to }) => from < to);
}

/** The statuses of a partition: online while one of its replicas is, unobserved where that is not sure. */
export function partitionSpans(replicas: readonly (readonly Span[])[]): readonly Span[] {
  const edges = [...new Set(replicas.flat().flatMap(({ from, to }) => [from, to]))].toSorted(
    (one, other) => one - other,
  );
  const cursors = replicas.map(() => 0);
  return edges.slice(1).map((to, at) => {
    const from = edges[at] ?? to;
    const statuses = replicas.map((spans, index) => statusAt(spans, from, { cursors, index }));
    const known = statuses.filter((status) => status !== '');
    return { from, to, status: known.length === 0 ? '' : together(known) };
  });
}

/** Sums spans up; they are in order and do not overlap. */
export function availabilityOf(spans: readonly Span[]): Availability {
  const observed = spans.filter(({ status }) => status !== unobserved && status !== '');
  const recoveries = [];
  let outages = 0;
  // Where a replica was there before the time, it was online until somebody saw that it is not.
  let wasOnline = spans[0]?.status !== '';
  let outSince: number | undefined;
  for (const { status, from } of observed) {
    const isOnline = status === online;
    if (wasOnline && !isOnline) {
      outages += 1;
      outSince = from === spans[0]?.from ? undefined : from;
    }
    if (isOnline && outSince !== undefined) recoveries.push(from - outSince);
    if (isOnline) outSince = undefined;
    wasOnline = isOnline;
  }
  return {
    observed: total(observed),
    online: total(observed.filter(({ status }) => status === online)),
    outages,
    timeToRecover: recoveries.length === 0 ? undefined : sum(recoveries) / recoveries.length,
  };
}

/** Edges only grow, so each replica's cursor does too. */
function statusAt(
  spans: readonly Span[],
  instant: number,
  { cursors, index }: { readonly cursors: number[]; readonly index: number },
): string {
  let at = cursors[index] ?? 0;
  while ((spans[at]?.to ?? Number.POSITIVE_INFINITY) <= instant) at += 1;
  cursors[index] = at;
  const span = spans[at];
  return span !== undefined && span.from <= instant ? span.status : '';
}

function together(statuses: readonly string[]): string {
  if (statuses.includes(online)) return online;
  return statuses.includes(unobserved) ? unobserved : unavailable;
}

function total(spans: readonly Span[]): Millis {
  return sum(spans.map(({ from, to }) => to - from));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
