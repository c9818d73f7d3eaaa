import type { Millis } from '../kernel/time.ts';
import { type Transition, unobserved } from '../model/transition.ts';

/** Time window in ms since the epoch. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Time in which a status lasted; `''` while the replica did not exist. */
export interface StatusSpan extends TimeWindow {
  readonly status: string;
}

/** Availability in a time window. Unobserved time counts neither as available nor as unavailable. */
export interface Availability {
  readonly observed: Millis;
  readonly online: Millis;
  /** Number of outages, including one that began before the window. */
  readonly outages: number;
  /** Mean duration of the outages that began and ended in the window; undefined without any. */
  readonly timeToRecover: Millis | undefined;
}

/** Status of a partition of which no replica is online. */
export const unavailable = 'unavailable';

const online = 'Online';

/** Statuses in which a new replica is not online yet. */
const startStatuses: readonly string[] = ['Starting', 'Warmup'];

/**
 * Returns the statuses of one replica in a window. `transitions` are those in the window, oldest first. Without any, the
 * status `now` applies from its start.
 */
export function spansOf(
  transitions: readonly Pick<Transition, 'from' | 'to' | 'at'>[],
  window: TimeWindow,
  now?: { readonly status: string; readonly since: number },
): readonly StatusSpan[] {
  const [first] = transitions;
  const before = first === undefined ? now : { status: first.from, since: window.from };
  if (before === undefined) return [];
  const statuses = [before, ...transitions.map(({ to, at }) => ({ status: to, since: at }))];
  return statuses
    .map(({ status, since }, at) => {
      const to = statuses[at + 1]?.since ?? window.to;
      return { status, from: Math.max(since, window.from), to: Math.min(to, window.to) };
    })
    .filter(({ from, to }) => from < to);
}

/**
 * Returns the statuses of a partition from those of its replicas: online while a replica is, unobserved if that is unknown.
 * `combine` gives another status from the present ones.
 */
export function partitionSpans(
  replicas: readonly (readonly StatusSpan[])[],
  combine: (statuses: readonly string[]) => string = partitionStatus,
): readonly StatusSpan[] {
  const edges = [...new Set(replicas.flat().flatMap(({ from, to }) => [from, to]))].toSorted(
    (one, other) => one - other,
  );
  const cursors = replicas.map(() => 0);
  return edges.slice(1).map((to, at) => {
    const from = edges[at] ?? to;
    const statuses = replicas.map((spans, index) => statusAt(spans, from, { cursors, index }));
    const known = statuses.filter((status) => status !== '');
    return { from, to, status: known.length === 0 ? '' : combine(known) };
  });
}

/** Returns the availability for spans that are in order and do not overlap. */
export function availabilityOf(spans: readonly StatusSpan[]): Availability {
  const observed = spans.filter(({ status }) => status !== unobserved && status !== '');
  const recoveries = [];
  let outages = 0;
  // A replica that existed before the window counts as online until another status is observed. A new replica may start
  // first; any other first status than online is an outage.
  let wasOnline = spans[0]?.status !== '' || !startStatuses.includes(observed[0]?.status ?? '');
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
    observed: totalDuration(observed),
    online: totalDuration(observed.filter(({ status }) => status === online)),
    outages,
    timeToRecover: recoveries.length === 0 ? undefined : sum(recoveries) / recoveries.length,
  };
}

/**
 * Returns the status of a replica at an instant; `''` while it did not exist. Successive calls have ascending instants, so
 * that each cursor only moves forward.
 */
function statusAt(
  spans: readonly StatusSpan[],
  instant: number,
  { cursors, index }: { readonly cursors: number[]; readonly index: number },
): string {
  let at = cursors[index] ?? 0;
  while ((spans[at]?.to ?? Number.POSITIVE_INFINITY) <= instant) at += 1;
  cursors[index] = at;
  const span = spans[at];
  return span !== undefined && span.from <= instant ? span.status : '';
}

function partitionStatus(statuses: readonly string[]): string {
  if (statuses.includes(online)) return online;
  return statuses.includes(unobserved) ? unobserved : unavailable;
}

function totalDuration(spans: readonly StatusSpan[]): Millis {
  return sum(spans.map(({ from, to }) => to - from));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
