import type { NativeSetting, PolicyTotal, ReplayReport, UnknownTotal } from '../guard/recording/replay.ts';
import type { NodeListCounts, ReplayedDecision } from '../guard/recording/replay-results.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { Millis } from '../kernel/time.ts';
import { formatDateTime } from '../kernel/timestamp.ts';
import { formatTable, replaceControlCharacters, type Terminal } from './table.ts';

const decisionHeader = ['DUE AT', 'MATCHED AT', 'NODE', 'QUERY', 'POLICY', 'AGE', 'GRANTED', 'VERDICT'];
const policyHeader = ['POLICY', 'MODE', 'MATCHES', 'ABORTED', 'WOULD ABORT', 'HELD', 'OVER BEFORE', 'OPEN AT END'];
const reasonLabels: Readonly<Record<string, string>> = {
  cooldown: 'cooldown',
  relief: 'cooldown until the next value of the gate',
  node_budget: 'budget per_node',
  cluster_budget: 'budget per_cluster',
  breaker: 'breaker',
  not_listed: 'no longer listed',
  not_matched: 'no longer matched',
  not_covered: 'node not covered',
};

/** Report of a replay as text, with times in UTC and without the control characters of a foreign recording. */
export function formatReplay(report: ReplayReport, terminal?: Terminal): string {
  const { cluster, from, to, nodes, decisions, unlisted, policies, unknown, breakers, settings } = report;
  const span = `${formatTimestamp(from)} to ${formatTimestamp(to)} (${formatSeconds(to - from)})`;
  const parts = [
    textLines(`${cluster}, ${span}. Replay: no requests and no notifications are sent.`),
    textLines(...nodes.map(nodeLine)),
    decisions.length === 0
      ? textLines('No policy matched a confirmed query.')
      : printableTable([decisionHeader, ...decisions.map(decisionRow)], terminal),
    unlisted === 0 ? '' : textLines(`and ${unlisted} more, not included in the totals`),
    policies.length === 0 ? textLines('No policy of this cluster is replayable.') : policyTotals(policies, terminal),
    textLines(...unknown.map(notReplayableLine)),
    textLines(
      ...breakers.map(({ breaker, at }) => `breaker ${breaker} opened at ${formatTimestamp(at)} and stays open`),
    ),
    textLines(...settings.map(nativeSettingLine)),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function textLines(...texts: readonly string[]): string {
  return texts.map((text) => `${replaceControlCharacters(text)}\n`).join('');
}

function printableTable(rows: readonly (readonly string[])[], terminal: Terminal | undefined): string {
  return formatTable(
    rows.map((row) => row.map(replaceControlCharacters)),
    terminal,
  );
}

function nodeLine({ node, lists, failed, voids, leftOut, coveredAt }: NodeListCounts): string {
  const notes = [
    `${lists} lists`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...Object.entries(voids).map(([reason, count]) => `${count} void (${reason})`),
    ...Object.entries(leftOut).map(([reason, count]) => `${count} entries skipped (${reason})`),
    coveredAt === undefined
      ? 'never covered: no query on it can be aborted'
      : `covered since ${formatTimestamp(coveredAt)}`,
  ];
  return `${node}: ${notes.join(', ')}`;
}

function decisionRow(decision: ReplayedDecision): readonly string[] {
  const { due, matchedAt, node, graph, query, policy, age, grantedTimeout } = decision;
  return [
    formatTimestamp(due),
    formatTimestamp(matchedAt),
    node,
    `${query} on ${graph}`,
    policy,
    formatSeconds(age),
    grantedTimeout === undefined ? '' : formatSeconds(grantedTimeout),
    decisionResult(decision),
  ];
}

function decisionResult({ verdict, reason, ranOn, at, due }: ReplayedDecision): string {
  const why = reason === undefined ? '' : (reasonLabels[reason] ?? reason.replaceAll('_', ' '));
  if (verdict === 'held') return `held: ${why}`;
  if (verdict === 'over') return `none: ${why}`;
  if (verdict === 'open') return 'none: the recording ends';
  const late = why === '' ? '' : `, ${formatSeconds(at - due)} after the earliest abort time (${why})`;
  return `${verdict === 'aborted' ? 'aborted' : 'would abort'}${late}; ran on for ${formatSeconds(ranOn ?? 0)}`;
}

function policyTotals(policies: readonly PolicyTotal[], terminal: Terminal | undefined): string {
  const rows = policies.map(({ policy, mode, matches, verdicts: { aborted, would_abort, held, over, open } }) => [
    policy,
    mode,
    ...[matches, aborted, would_abort, held, over, open].map(String),
  ]);
  return printableTable([policyHeader, ...rows], terminal);
}

function notReplayableLine({ policy, lacks, matches }: UnknownTotal): string {
  return `${policy}: not replayable: the recording does not contain ${lacks.join(', ')}; unknown for ${matches} queries`;
}

function nativeSettingLine({ graph, query, aborts, policies, timeout, atOnce, queueLimit }: NativeSetting): string {
  const settings = [
    `the header GSQL-TIMEOUT: ${timeout}`,
    ...(atOnce === undefined ? [] : [`a workload queue of its own with maxConcurrentQueries ${atOnce}`]),
    ...(queueLimit === undefined ? [] : [`RESTPP.WorkLoadManager.MaxDelayQueueSize ${queueLimit}`]),
  ];
  const times = aborts === 1 ? 'once' : `${aborts} times`;
  return `${query} on ${graph} (${times}, ${policies.join(', ')}) would not have needed the guard with ${settings.join(', or ')}`;
}

function formatTimestamp(wall: number): string {
  return `${formatDateTime(wall)}Z`;
}

/** Duration in seconds, the resolution of a recording. */
function formatSeconds(length: Millis): string {
  return formatDuration(Math.max(0, Math.round(length / 1000)) * 1000);
}
