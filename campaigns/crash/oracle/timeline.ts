import type { Finding, TimelineEntry } from '../evidence.ts';
import type { StatusSpan } from './served-statuses.ts';

/** Status of the timeline for a span without data. */
const gap = 'unobserved';

/** Tolerance for a busy daemon, which may send the next request before it processes the previous response. */
const maxDelay = 250;

interface Interval {
  readonly status: string;
  readonly from: number;
  readonly until: number;
}

/** Returns served statuses that the timeline does not contain in the same order and at the same time. */
export function missingFromTimeline(
  instance: string,
  spans: readonly StatusSpan[],
  timeline: readonly TimelineEntry[],
): readonly Finding[] {
  const intervals = intervalsOf(timeline.filter((entry) => entry.instance === instance));
  const findings: Finding[] = [];
  let at = 0;
  for (const span of spans) {
    const found = intervals.findIndex((interval, index) => index >= at && coversSpan(interval, span));
    if (found === -1) findings.push({ kind: 'not in the timeline', about: findingText(instance, span) });
    else at = found;
  }
  return [...findings, ...wrongEnd(instance, spans.at(-1), intervals.at(-1))];
}

/** Merges spans: a status lasts until a different status, also across spans without data. */
function intervalsOf(entries: readonly TimelineEntry[]): readonly Interval[] {
  const withData = entries.filter(({ to }) => to !== gap);
  return withData.map(({ to, at }, index) => ({
    status: to,
    from: at,
    until: withData[index + 1]?.at ?? Number.POSITIVE_INFINITY,
  }));
}

function coversSpan(interval: Interval, { status, from, until }: StatusSpan): boolean {
  return interval.status === status && interval.from <= until + maxDelay && interval.until >= from - maxDelay;
}

function wrongEnd(instance: string, span: StatusSpan | undefined, interval: Interval | undefined): readonly Finding[] {
  if (span === undefined || span.status === interval?.status) return [];
  const about = `${instance} is ${span.status} at the end, but ${interval?.status ?? 'missing'} in the timeline`;
  return [{ kind: 'not in the timeline', about }];
}

function findingText(instance: string, { status, from, until }: StatusSpan): string {
  const end = Number.isFinite(until) ? new Date(until).toISOString() : 'the end';
  return `${instance} was ${status} in poll results from ${new Date(from).toISOString()}, noticed by ${end}`;
}
