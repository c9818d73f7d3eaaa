import { type TransitionReport, transitionSchema } from '../../api/services.ts';
import { reportTransition, transitionColumns } from '../../app/api/service-routes.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import { ok } from '../../kernel/result.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { instanceName } from '../../model/instance-name.ts';
import { unobserved } from '../../model/transition.ts';
import { parseTransition, tables } from '../../track/rows.ts';
import type { Command } from '../command.ts';
import { type History, historyFlags, printHistory } from '../history.ts';
import { formatTable, formatTimeCell, type Terminal } from '../table.ts';

const history: History<TransitionReport> = {
  path: '/api/v1/transitions',
  item: transitionSchema,
  since: '24h',
  filters: [
    { name: 'service', value: 'NAME', about: 'only this service, such as GPE' },
    { name: 'cluster', value: 'NAME', about: 'only this cluster' },
  ],
  columns: transitionColumns,
  read: async (store, where) => {
    const order = ['-at', 'cluster', 'service', 'partition', 'replica'];
    const rows = await store.find({ table: tables.transitions, where, order });
    return rows.ok ? ok(rows.value.flatMap((row) => parseTransition(row) ?? []).map(reportTransition)) : rows;
  },
};

/** Lists the status transitions of services. */
export const transitions: Command = {
  flags: historyFlags(history),
  details: 'Oldest first, times in UTC.',
  examples: ['transitions', 'transitions --since 7d --service GPE', 'transitions --state-dir state --json'],
  run: (given, ports) =>
    printHistory(history, given, ports, {
      // Transitions of the same time keep the order of names.
      order: (found) => found.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)),
      text: transitionTable,
    }),
};

/** Replicas that a row names if many have the same transition at the same time. */
const maxNamedInstances = 3;

/** Transitions as a table, with one row for equal transitions of several replicas at the same time. */
export function transitionTable(reports: readonly TransitionReport[], terminal?: Terminal): string {
  if (reports.length === 0) return 'no transitions\n';
  const lines = [...Map.groupBy(reports, groupKey).values()].map(transitionRow);
  return formatTable([['TIME', 'SERVICE', 'FROM', 'TO', 'AFTER', 'CLUSTER', 'SOURCE'], ...lines], terminal);
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
    joinInstances(group.map(instanceName)),
    from === '' ? '(new)' : from,
    to === '' ? '(forgotten)' : to,
    isSame && lastedSeconds !== null ? formatElapsed(lastedSeconds * 1000) : '',
    cluster,
    to === unobserved ? '' : source,
  ].map(replaceControlCharacters);
}

function joinInstances(instances: readonly string[]): string {
  const more = instances.length - maxNamedInstances;
  return more <= 1 ? instances.join(', ') : `${instances.slice(0, maxNamedInstances).join(', ')} and ${more} more`;
}
