import type { GuardSettings } from '../../guard/policy.ts';
import { RecordingReader } from '../../guard/recording/format.ts';
import {
  type NativeSetting,
  type PolicyTotal,
  Replay,
  type ReplayReport,
  type UnknownTotal,
} from '../../guard/recording/replay.ts';
import type { NodeListCounts, ReplayedDecision } from '../../guard/recording/replay-results.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Millis } from '../../kernel/time.ts';
import { formatDateTime } from '../../kernel/timestamp.ts';
import { type Command, exitCode } from '../command.ts';
import { configFlag, withConfig } from '../config-option.ts';
import { guardSettingsHash } from '../guard-settings-hash.ts';
import type { RuntimePorts } from '../ports.ts';
import { formatJson, printError } from '../print.ts';
import { formatTable, replaceControlCharacters, type Terminal } from '../table.ts';

/** Replays a recording against the policies of a configuration. */
export const guardReplay: Command = {
  flags: [
    configFlag,
    { name: 'enforce', about: 'evaluate each policy as if it and the guard were in mode enforce' },
    { name: 'json', about: 'print the report as JSON' },
  ],
  arguments: ['<RECORDING>'],
  details:
    'Needs no daemon and sends no request. MATCHED AT is the match time of a query, DUE AT its earliest abort time. The\n' +
    'replay only has the recorded lists, so an abort is as late as the next recorded list.',
  examples: ['guard replay monday.jsonl --config graphwarden.yml --enforce'],
  run: (given, ports) =>
    withConfig(given, ports, async ({ guard }) => {
      const world = await ports.loadRuntime();
      const { flags } = given;
      const [file = ''] = given.arguments;
      const found = await runReplay(file, { guard, enforceAll: 'enforce' in flags }, world);
      if (!found.ok) return printError(found.error, ports);
      const { report, recordedWith } = found.value;
      ports.stdout.write('json' in flags ? formatJson(report) : formatReplay(report, ports.stdout));
      if (recordedWith !== guardSettingsHash(guard, world.digest)) ports.stderr.write(guardChangedNote);
      return exitCode.ok;
    }),
};

const guardChangedNote = 'note: the guard section has changed since the recording\n';

interface ReplayInput {
  readonly guard: GuardSettings;
  readonly enforceAll: boolean;
}

interface ReplayOutcome {
  readonly report: ReplayReport;
  /** Hash of the guard section in the header of the recording. */
  readonly recordedWith: string;
}

/** Replays line by line, because a recording may exceed the memory. */
async function runReplay(
  file: string,
  input: ReplayInput,
  { lineFiles }: RuntimePorts,
): Promise<Result<ReplayOutcome, string>> {
  const reader = new RecordingReader();
  let replay: Replay | undefined;
  let recordedWith = '';
  for await (const line of lineFiles.read(file)) {
    if (!line.ok) return line;
    const item = reader.read(line.value);
    if (!item.ok) return err(`${file}: ${item.error}`);
    if (item.value.kind === 'event') replay?.feed(item.value.event);
    else {
      replay = new Replay(input.guard, item.value.header, input);
      recordedWith = item.value.header.guard;
    }
  }
  return replay === undefined ? err(`${file}: empty recording`) : ok({ report: replay.finish(), recordedWith });
}

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
