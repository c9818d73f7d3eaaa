import { type GuardReport, guardSchema, pauseReasonTexts } from '../../api/guard.ts';
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { notReadyText } from '../../model/not-ready.ts';
import type { Command } from '../command.ts';
import { daemonFlags, fetchResponse } from '../daemon-api.ts';
import { guardPath } from '../guard-actions.ts';
import { rejectionLines } from '../rejection-lines.ts';
import { formatTable, formatTimeCell, type Terminal } from '../table.ts';
import { printDaemonView, viewFlags } from '../view.ts';

/** Shows the mode, the pauses and the open circuit breakers of the guard. */
export const guardStatus: Command = {
  flags: [...viewFlags('print the status as JSON'), ...daemonFlags],
  examples: ['guard status'],
  run: (given, ports) =>
    printDaemonView(given, ports, {
      load: (api) => fetchResponse(api, { method: 'GET', path: guardPath }, guardSchema),
      text: guardStatusTable,
    }),
};

/** Status of the guard as text. */
export function guardStatusTable(
  { paused, reasons, clusters, mode, policies, breakers, readiness, rejectedConfig }: GuardReport,
  terminal?: Terminal,
): string {
  const isEnforcing = policies.some((policy) => policy.mode === 'enforce');
  const parts = [
    ...(rejectedConfig === null ? [] : [rejectionLines(rejectedConfig)]),
    [
      statusLine({ paused, mode }, isEnforcing),
      ...reasonLines(reasons),
      ...clusters.flatMap((one) => clusterPauseLines(one, reasons)),
      '',
    ].join('\n'),
    ...(policies.length === 0 ? [] : [formatTable([['POLICY', 'MODE'], ...policies.map(policyRow)], terminal)]),
    ...readinessParts(readiness, terminal),
    ...(breakers.length === 0 ? [] : [breakerTable(breakers, terminal)]),
  ];
  return parts.join('\n');
}

function statusLine({ paused, mode }: Pick<GuardReport, 'paused' | 'mode'>, isEnforcing: boolean): string {
  if (paused) return 'guard paused: no query is aborted';
  if (mode === 'observe') return 'guard in mode observe: no query is aborted automatically';
  return isEnforcing
    ? 'guard in mode enforce: queries that match an enforcing policy are aborted'
    : 'guard in mode enforce, but no policy enforces: no query is aborted automatically';
}

function reasonLines(reasons: GuardReport['reasons']): readonly string[] {
  return reasons.map((reason) => `  ${pauseReasonTexts[reason]}`);
}

/** Lines about the pauses of a cluster that do not hold for every cluster. */
function clusterPauseLines(
  { cluster, reasons }: GuardReport['clusters'][number],
  common: GuardReport['reasons'],
): readonly string[] {
  const own = reasons.filter((reason) => !common.includes(reason));
  if (own.length === 0) return [];
  return [`guard paused on cluster ${replaceControlCharacters(cluster)}`, ...reasonLines(own)];
}

function policyRow({ name, mode }: GuardReport['policies'][number]): readonly string[] {
  return [replaceControlCharacters(name), mode];
}

function breakerTable(breakers: GuardReport['breakers'], terminal: Terminal | undefined): string {
  const rows = breakers.map(({ cluster, key, since }) =>
    [formatTimeCell(since), cluster, key].map(replaceControlCharacters),
  );
  return formatTable([['OPEN SINCE', 'CLUSTER', 'BREAKER'], ...rows], terminal);
}

function readinessParts(readiness: GuardReport['readiness'], terminal: Terminal | undefined): readonly string[] {
  if (readiness.length === 0) return [];
  const missing = readiness.filter(({ ready }) => !ready);
  if (missing.length === 0) return ['every policy can act on every node\n'];
  const rows = missing.map(({ cluster, policy, node, reasons, held, since }) =>
    [
      `${cluster}/${node}`,
      notReadyText(reasons),
      policy,
      String(held),
      since === null ? '' : formatTimeCell(since),
    ].map(replaceControlCharacters),
  );
  const table = formatTable([['NODE', 'REASON', 'POLICY', 'HELD', 'SINCE'], ...rows], terminal);
  return [`policies that cannot act on a node:\n${table}`];
}
