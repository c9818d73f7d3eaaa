import type { Finding, TimelineEntry } from '../evidence.ts';
import type { Stretch } from './served.ts';

/** What the daemon says it could not see: a gap, and no status. */
const gap = 'unobserved';

/** A daemon that is short of time may ask again while the answer before waits to be looked at. */
const lateness = 250;

interface Interval {
  readonly status: string;
  readonly from: number;
  readonly until: number;
}

/** What was served, and is not in the timeline in the same order and at the same time. */
export function missingFromTimeline(
  instance: string,
  stretches: readonly Stretch[],
  timeline: readonly TimelineEntry[],
): readonly Finding[] {
  const intervals = intervalsOf(timeline.filter((entry) => entry.instance === instance));
  const findings: Finding[] = [];
  let at = 0;
  for (const stretch of stretches) {
    const found = intervals.findIndex((interval, index) => index >= at && covers(interval, stretch));
    if (found === -1) findings.push({ kind: 'not in the timeline', about: sentence(instance, stretch) });
    else at = found;
  }
  return [...findings, ...staleEnd(instance, stretches.at(-1), intervals.at(-1))];
}

/** A status lasts until another one is seen, also through times when nothing was. */
function intervalsOf(entries: readonly TimelineEntry[]): readonly Interval[] {
  const seen = entries.filter(({ to }) => to !== gap);
  return seen.map(({ to, at }, index) => ({
    status: to,
    from: at,
    until: seen[index + 1]?.at ?? Number.POSITIVE_INFINITY,
  }));
}

function covers(interval: Interval, { status, from, until }: Stretch): boolean {
  return interval.status === status && interval.from <= until + lateness && interval.until >= from - lateness;
}

function staleEnd(instance: string, stretch: Stretch | undefined, interval: Interval | undefined): readonly Finding[] {
  if (stretch === undefined || stretch.status === interval?.status) return [];
  const about = `${instance} is ${stretch.status} in the end, and ${interval?.status ?? 'nothing'} in the timeline`;
  return [{ kind: 'not in the timeline', about }];
}

function sentence(instance: string, { status, from, until }: Stretch): string {
  const end = Number.isFinite(until) ? new Date(until).toISOString() : 'the end';
  return `${instance} was ${status} in readings from ${new Date(from).toISOString()}, noticed by ${end}`;
}
