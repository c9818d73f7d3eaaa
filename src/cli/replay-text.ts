import type { NativeSetting } from '../guard/tape/native-settings.ts';
import type { NodeNote } from '../guard/tape/node-notes.ts';
import type { PolicyTotal, ReplayReport, UnknownTotal } from '../guard/tape/replay.ts';
import type { ReplayedDecision } from '../guard/tape/tally.ts';
import { formatDuration } from '../kernel/duration.ts';
import type { Millis } from '../kernel/time.ts';
import { aligned, printable } from './aligned.ts';

const header = ['E', 'M', 'NODE', 'QUERY', 'POLICY', 'AGE AT E', 'GRANTED', 'VERDICT'];
const totalHeader = ['POLICY', 'MODE', 'MATCHES', 'ABORTED', 'WOULD ABORT', 'HELD', 'OVER BEFORE', 'OPEN AT END'];
const reasons: Readonly<Record<string, string>> = {
  cooldown: 'cooldown',
  relief: 'cooldown, until the pressure is read again',
  node_budget: 'budget per_node',
  cluster_budget: 'budget per_cluster',
  breaker: 'breaker',
  not_listed: 'no longer listed',
  not_matched: 'matches no more',
  not_covered: 'node not covered',
};

/** A replay as people read it. Times are UTC; a recording may come from anywhere, so a terminal sees text alone. */
export function replayText(report: ReplayReport): string {
  const { cluster, from, to, nodes, decisions, unlisted, policies, unknown, breakers, settings } = report;
  const span = `${moment(from)} to ${moment(to)} (${about(to - from)})`;
  const parts = [
    lines(`${cluster}, ${span}. Nothing is sent to anybody: this is a replay.`),
    lines(...nodes.map(nodeLine)),
    decisions.length === 0
      ? lines('No policy matched a query that was confirmed.')
      : table([header, ...decisions.map(rowOf)]),
    unlisted === 0 ? '' : lines(`and ${unlisted} more, which are not in the totals`),
    policies.length === 0 ? lines('No policy concerns this cluster and can be replayed.') : totals(policies),
    lines(...unknown.map(unknownLine)),
    lines(
      ...breakers.map(({ breaker, at }) => `breaker ${breaker} opened at ${moment(at)}, and nobody closes it here`),
    ),
    lines(...settings.map(settingLine)),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function lines(...texts: readonly string[]): string {
  return texts.map((text) => `${printable(text)}\n`).join('');
}

function table(rows: readonly (readonly string[])[]): string {
  return aligned(rows.map((row) => row.map(printable)));
}

function nodeLine({ node, lists, failed, voids, leftOut, coveredAt }: NodeNote): string {
  const notes = [
    `${lists} lists`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...Object.entries(voids).map(([reason, count]) => `${count} void (${reason})`),
    ...Object.entries(leftOut).map(([reason, count]) => `${count} entries left out (${reason})`),
    coveredAt === undefined ? 'never covered: nothing of it can be aborted' : `covered from ${moment(coveredAt)} on`,
  ];
  return `${node}: ${notes.join(', ')}`;
}

function rowOf(decision: ReplayedDecision): readonly string[] {
  const { due, matchedAt, node, graph, query, policy, age, grantedTimeout } = decision;
  return [
    moment(due),
    moment(matchedAt),
    node,
    `${query} on ${graph}`,
    policy,
    about(age),
    grantedTimeout === undefined ? '' : about(grantedTimeout),
    verdictOf(decision),
  ];
}

function verdictOf({ verdict, reason, ranOn, at, due }: ReplayedDecision): string {
  const why = reason === undefined ? '' : (reasons[reason] ?? reason.replaceAll('_', ' '));
  if (verdict === 'held') return `held: ${why}`;
  if (verdict === 'over') return `none: ${why}`;
  if (verdict === 'open') return 'none: the recording ends';
  const late = why === '' ? '' : `, ${about(at - due)} after E (${why})`;
  return `${verdict === 'aborted' ? 'aborted' : 'would abort'}${late}; ran on for ${about(ranOn ?? 0)}`;
}

function totals(policies: readonly PolicyTotal[]): string {
  const rows = policies.map(({ policy, mode, matches, verdicts: { aborted, would_abort, held, over, open } }) => [
    policy,
    mode,
    ...[matches, aborted, would_abort, held, over, open].map(String),
  ]);
  return table([totalHeader, ...rows]);
}

function unknownLine({ policy, lacks, matches }: UnknownTotal): string {
  return `${policy}: not replayable: the recording does not hold ${lacks.join(', ')}; unknown for ${matches} queries`;
}

function settingLine({ graph, query, aborts, policies, timeout, atOnce, queueLimit }: NativeSetting): string {
  const settings = [
    `the header GSQL-TIMEOUT: ${timeout}`,
    ...(atOnce === undefined ? [] : [`a workload queue of its own with maxConcurrentQueries ${atOnce}`]),
    ...(queueLimit === undefined ? [] : [`RESTPP.WorkLoadManager.MaxDelayQueueSize ${queueLimit}`]),
  ];
  const times = aborts === 1 ? 'once' : `${aborts} times`;
  return `${query} on ${graph} (${times}, ${policies.join(', ')}) would not have needed the guard with ${settings.join(', or ')}`;
}

function moment(wall: number): string {
  return `${new Date(wall).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

/** Seconds are as fine as a recording is. */
function about(length: Millis): string {
  return formatDuration(Math.max(0, Math.round(length / 1000)) * 1000);
}
