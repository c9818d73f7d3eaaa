import type { TransitionReport } from '../app/timeline.ts';
import { formatDuration } from '../kernel/duration.ts';
import { unobserved } from '../model/transition.ts';
import { aligned, printable } from './aligned.ts';

/** Instances that are named where many went the same way at once. */
const mostNamed = 3;

/** A timeline as people read it: the oldest first, and one line for what happened to many at the same moment. */
export function timelineTable(reports: readonly TransitionReport[]): string {
  if (reports.length === 0) return 'no transitions\n';
  const lines = [...Map.groupBy(reports, momentKey).values()].map(rowOf);
  return aligned([['TIME', 'CLUSTER', 'SERVICE', 'FROM', 'TO', 'AFTER', 'TOLD BY'], ...lines]);
}

/** The server's own way to name an instance. */
function instanceOf({ service, partition, replica }: TransitionReport): string {
  return `${service}${partition === '' ? '' : `_${partition}`}${replica === '' ? '' : `#${replica}`}`;
}

/** When nobody can be asked, or somebody can again, all instances change at once. */
function momentKey({ at, cluster, from, to, source }: TransitionReport): string {
  return JSON.stringify([at, cluster, from, to, source]);
}

function rowOf(group: readonly TransitionReport[]): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { at, cluster, from, to, source, lastedSeconds } = first;
  const isSame = group.every((report) => report.lastedSeconds === lastedSeconds);
  return [
    `${at.slice(0, 19).replace('T', ' ')}Z`,
    cluster,
    named(group.map(instanceOf)),
    from === '' ? '(new)' : from,
    to === '' ? '(forgotten)' : to,
    isSame && lastedSeconds !== null ? lengthOf(lastedSeconds) : '',
    to === unobserved ? '' : source,
  ].map(printable);
}

function named(instances: readonly string[]): string {
  const more = instances.length - mostNamed;
  return more <= 1 ? instances.join(', ') : `${instances.slice(0, mostNamed).join(', ')} and ${more} more`;
}

/** A length of time in the two largest units: nobody reads milliseconds behind days. */
export function lengthOf(seconds: number): string {
  const length = formatDuration(seconds >= 1 ? Math.round(seconds) * 1000 : seconds * 1000);
  return /^(?:\d+[a-z]+){1,2}/.exec(length)?.[0] ?? length;
}
