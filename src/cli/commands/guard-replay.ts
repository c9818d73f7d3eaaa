import type { GuardSettings } from '../../guard/policy.ts';
import { guardSettingsHash } from '../../guard/recording/guard-settings-hash.ts';
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
import { replaceControlCharacters } from '../../kernel/visible-text.ts';
import { type EvidenceRow, evidenceOf, evidenceTable } from '../abort-evidence.ts';
import { type Command, exitCode } from '../command.ts';
import { configFlag, withConfig } from '../config-option.ts';
import { formatJson, printError } from '../print.ts';
import { type RecordingItems, selectSource, sourceFlags } from '../recording-source.ts';
import { formatTable, type Terminal } from '../table.ts';
import { tableTerminal, wideFlag } from '../view.ts';

/** Replays a recording against the policies of a configuration. */
export const guardReplay: Command = {
  flags: [
    configFlag,
    ...sourceFlags,
    { name: 'enforce', about: 'evaluate each policy as if it and the guard were in mode enforce' },
    wideFlag,
    { name: 'json', about: 'print the report as JSON' },
  ],
  arguments: ['[RECORDING]'],
  details:
    'Replays a file of `guard record`, or with --last and --abort the recording of the daemon in the state_dir of the ' +
    'configuration. Needs no daemon and sends no request. MATCHED AT is the match time of a query, DUE AT its earliest ' +
    'abort time. The replay has only the recorded lists, so an abort happens no earlier than the next recorded list.',
  examples: [
    'guard replay --last 6h --config new.yml',
    'guard replay --abort 7.RESTPP_1_1.1790000000000.N --config g.yml',
    'guard replay monday.jsonl --config graphwarden.yml --enforce',
  ],
  run: async (given, ports) => {
    const source = selectSource(given, ports.clock.now().wall);
    return withConfig(given, ports, async (config) => {
      const runtime = await ports.loadRuntime();
      const { flags } = given;
      const input = { guard: config.guard, enforceAll: 'enforce' in flags, abort: source.abort };
      const found = await runReplay(source.open(config, runtime.lineFiles), input);
      if (!found.ok) return printError(found.error, ports);
      const { report, recordedWith, evidence } = found.value;
      const about = source.abort === undefined ? '' : `${evidenceTable(evidence, tableTerminal(given, ports))}\n`;
      const json = source.abort === undefined ? report : { ...report, evidence };
      ports.stdout.write(
        'json' in flags ? formatJson(json) : about + formatReplay(report, tableTerminal(given, ports)),
      );
      const hasChanged = recordedWith !== undefined && recordedWith !== guardSettingsHash(config.guard, runtime.digest);
      if (hasChanged && source.isFile) ports.stderr.write(guardChangedNote);
      return exitCode.ok;
    });
  },
};

const guardChangedNote = 'note: the guard section has changed since the recording\n';

interface ReplayInput {
  readonly guard: GuardSettings;
  readonly enforceAll: boolean;
  /** Request ID of the query whose evidence is collected. */
  readonly abort?: string | undefined;
}

interface ReplayOutcome {
  readonly report: ReplayReport;
  /** Hash of the guard section in the header of the recording. */
  readonly recordedWith: string | undefined;
  readonly evidence: readonly EvidenceRow[];
}

/** Replays line by line, because a recording may exceed the memory. */
async function runReplay(items: RecordingItems, input: ReplayInput): Promise<Result<ReplayOutcome, string>> {
  let replay: Replay | undefined;
  let recordedWith: string | undefined;
  const evidence: EvidenceRow[] = [];
  for await (const item of items) {
    if (!item.ok) return item;
    if (item.value.kind === 'event') {
      replay?.feed(item.value.event);
      if (input.abort !== undefined) evidence.push(...evidenceOf(item.value.event, input.abort));
    } else {
      replay = new Replay(input.guard, item.value.header, input);
      recordedWith = item.value.header.guard;
    }
  }
  return replay === undefined ? err('empty recording') : ok({ report: replay.finish(), recordedWith, evidence });
}

const decisionHeader = ['DUE AT', 'QUERY', 'RESULT', 'NODE', 'POLICY', 'AGE', 'GRANTED', 'MATCHED AT'];
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
  too_old: 'no recent list',
  malformed_entry: 'entry skipped',
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

function nodeLine({ node, lists, failed, rejected, skipped, coveredAt }: NodeListCounts): string {
  const notes = [
    `${lists} lists`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...Object.entries(rejected).map(([reason, count]) => `${count} rejected (${reason})`),
    ...Object.entries(skipped).map(([reason, count]) => `${count} entries skipped (${reason})`),
    coveredAt === undefined
      ? 'never covered: the guard cannot abort queries on this node'
      : `covered since ${formatTimestamp(coveredAt)}`,
  ];
  return `${node}: ${notes.join(', ')}`;
}

function decisionRow(decision: ReplayedDecision): readonly string[] {
  const { due, matchedAt, node, graph, query, policy, age, grantedTimeout } = decision;
  return [
    formatTimestamp(due),
    `${query} on ${graph}`,
    decisionResult(decision),
    node,
    policy,
    formatSeconds(age),
    grantedTimeout === undefined ? '' : formatSeconds(grantedTimeout),
    formatTimestamp(matchedAt),
  ];
}

function decisionResult({ result, reason, ranOn, at, due }: ReplayedDecision): string {
  const why = reason === undefined ? '' : (reasonLabels[reason] ?? reason.replaceAll('_', ' '));
  if (result === 'held') return `held: ${why}`;
  if (result === 'over') return `none: ${why}`;
  if (result === 'open') return 'none: the recording ends';
  const late = why === '' ? '' : `, ${formatSeconds(at - due)} after the earliest abort time (${why})`;
  return `${result === 'aborted' ? 'aborted' : 'would abort'}${late}; ran on for ${formatSeconds(ranOn ?? 0)}`;
}

function policyTotals(policies: readonly PolicyTotal[], terminal: Terminal | undefined): string {
  const rows = policies.map(({ policy, mode, matches, results: { aborted, would_abort, held, over, open } }) => [
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
  return `${query} on ${graph} (${times}, ${policies.join(', ')}) can be limited by the server instead of the guard with ${settings.join(', or ')}`;
}

function formatTimestamp(wall: number): string {
  return `${formatDateTime(wall)}Z`;
}

/** Duration in seconds, the resolution of a recording. */
function formatSeconds(length: Millis): string {
  return formatDuration(Math.max(0, Math.round(length / 1000)) * 1000);
}
