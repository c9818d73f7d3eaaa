import type { TransitionReport } from '../api/services.ts';
import { formatElapsed } from '../kernel/duration.ts';
import { unobserved } from '../model/transition.ts';
import { formatTable, formatTimeCell, replaceControlCharacters, type Terminal } from './table.ts';

/** Replicas that a row names if many have the same transition at the same time. */
const maxNamedInstances = 3;

/** Transitions as a table, with one row for equal transitions of several replicas at the same time. */
export function transitionTable(reports: readonly TransitionReport[], terminal?: Terminal): string {
  if (reports.length === 0) return 'no transitions\n';
  const lines = [...Map.groupBy(reports, groupKey).values()].map(transitionRow);
  return formatTable([['TIME', 'CLUSTER', 'SERVICE', 'FROM', 'TO', 'AFTER', 'SOURCE'], ...lines], terminal);
}

/** Name of a replica in the notation of the server. */
function instanceName({ service, partition, replica }: TransitionReport): string {
  return `${service}${partition === '' ? '' : `_${partition}`}${replica === '' ? '' : `#${replica}`}`;
}

/** Key of transitions that share a row: when a cluster becomes unreachable, all replicas change at once. */
function groupKey({ at, cluster, from, to, source }: TransitionReport): string {
  return JSON.stringify([at, cluster, from, to, source]);
}

function transitionRow(group: readonly TransitionReport[]): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { at, cluster, from, to, source, lastedSeconds } = first;
  const isSame = group.every((report) => report.lastedSeconds === lastedSeconds);
  return [
    formatTimeCell(at),
    cluster,
    joinInstances(group.map(instanceName)),
    from === '' ? '(new)' : from,
    to === '' ? '(forgotten)' : to,
    isSame && lastedSeconds !== null ? formatElapsed(lastedSeconds * 1000) : '',
    to === unobserved ? '' : source,
  ].map(replaceControlCharacters);
}

function joinInstances(instances: readonly string[]): string {
  const more = instances.length - maxNamedInstances;
  return more <= 1 ? instances.join(', ') : `${instances.slice(0, maxNamedInstances).join(', ')} and ${more} more`;
}
