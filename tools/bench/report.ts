import { ownSeriesBudget } from '../../src/metric/metric.ts';
import type { AlertsResult } from './alerts-run.ts';
import type { BrowserResult } from './browser-run.ts';
import { rawNode } from './candidates.ts';
import { type EverythingResult, everythingTable } from './everything-run.ts';
import { type GuardResult, guardRunName, regularLists } from './guard-run.ts';
import type { IdleResult } from './idle-run.ts';
import type { ListSizeResult } from './list-size-run.ts';
import { fitNodes, type NodesResult } from './nodes-run.ts';
import type { OpenPagesResult } from './open-pages-run.ts';
import type { Latency, PageResult } from './page-run.ts';
import type { PagingResult } from './paging-run.ts';
import { type ProbesResult, probesTables } from './probes-run.ts';
import { quantile } from './quantile.ts';
import { type ReplicasResult, replicasTables } from './replicas-run.ts';
import type { StartResult } from './start-run.ts';
import { ms, ratio, table } from './table.ts';

/** Results of all runs. */
export interface Results {
  readonly starts: readonly StartResult[];
  readonly idle: readonly IdleResult[];
  readonly pages: readonly PageResult[];
  readonly nodes: readonly NodesResult[];
  readonly replicas: readonly ReplicasResult[];
  readonly everything: readonly EverythingResult[];
  readonly paging: readonly PagingResult[];
  readonly guard: readonly GuardResult[];
  readonly entries: readonly ListSizeResult[];
  readonly probes: readonly ProbesResult[];
  readonly alerts: readonly AlertsResult[];
  readonly openPages: readonly OpenPagesResult[];
  readonly browser: readonly BrowserResult[];
}

/** Returns the tables of `docs/performance.md`, in Markdown. */
export function tables({
  starts,
  idle,
  pages,
  nodes,
  replicas,
  everything,
  paging,
  guard,
  entries,
  probes,
  alerts,
  openPages,
  browser,
}: Results): string {
  const first = [startTable(starts), idleTable(idle)];
  const all = [
    ...first,
    pageTable(pages),
    ratioTable(pages),
    nodesTable(nodes),
    fitLine(nodes),
    replicasTables(replicas),
    everythingTable(everything),
  ];
  return [
    ...all,
    pagingTable(paging),
    guardTable(guard),
    entriesTable(entries),
    ...probes.map(probesTables),
    alertsTable(alerts),
    ...openPages.map(openPagesTable),
    ...browser.map(browserTables),
  ]
    .filter((text) => text !== '')
    .join('\n\n');
}

function idleTable(results: readonly IdleResult[]): string {
  return table(
    ['process', 'CPU ms per second', 'CPU ms per poll', 'RSS MiB', 'peak RSS MiB under a closed scrape loop'],
    results.map(({ name, cpu, cpuPerPoll, memory, peak }) => {
      return [name, cpu.toFixed(2), ms(cpuPerPoll), memory.toFixed(0), peak?.toFixed(0) ?? ''];
    }),
  );
}

function pageTable(pages: readonly PageResult[]): string {
  const head = ['series', 'page', 'who', 'plain p50 / p99', 'gzip p50 / p99 / max', 'CPU per scrape plain / gzip'];
  return table(
    [...head, 'CPU per poll', 'peak RSS MiB', 'longest gap', 'age s', 'changed'],
    pages.map((one) => [
      String(one.series),
      one.mix,
      one.candidate,
      spread(one.plain),
      `${spread(one.gzip)} / ${ms(one.gzip.most)}`,
      `${ms(one.plain.cpu)} / ${ms(one.gzip.cpu)}`,
      ms(one.cpuPerPoll),
      one.peakMemory.toFixed(0),
      ms(one.longestGap),
      Number.isNaN(one.age) ? '' : one.age.toFixed(1),
      one.changed.startsWith('0/') ? '' : one.changed,
    ]),
  );
}

/** Returns the ratios of graphwarden to nginx and to federation for the same page. */
function ratioTable(pages: readonly PageResult[]): string {
  const rows = pages
    .filter((one) => one.candidate === 'graphwarden')
    .map((own) => {
      const same = pages.filter((one) => one.series === own.series && one.mix === own.mix);
      const nginx = same.find((one) => one.candidate.startsWith('nginx'));
      const federation = same.find((one) => one.candidate.endsWith('/federate'));
      const raw = same.find((one) => one.candidate === rawNode);
      return [
        String(own.series),
        own.mix,
        ratio(own.plain.p50, nginx?.plain.p50),
        ratio(own.plain.p99, nginx?.plain.p99),
        ratio(own.gzip.most, raw?.gzip.most),
        ratio(federation?.plain.p50, own.plain.p50),
        ratio(own.cpuPerPoll, federation?.cpuPerPoll),
      ];
    });
  const head = ['series', 'page', 'plain p50 ÷ nginx', 'plain p99 ÷ nginx', 'gzip max ÷ raw Node'];
  return table([...head, '/federate p50 ÷ ours', 'CPU per poll ÷ Prometheus'], rows);
}

function startTable(starts: readonly StartResult[]): string {
  return table(
    ['starts', 'tracing', 'first /metrics after ms: best / median / worst', 'RSS MiB'],
    starts.map(({ traced, times, memory }) => [
      String(times.length),
      traced ? 'on' : 'off',
      [0, 0.5, 1].map((part) => quantile(times, part).toFixed(0)).join(' / '),
      quantile(memory, 0.5).toFixed(0),
    ]),
  );
}

function nodesTable(nodes: readonly NodesResult[]): string {
  return table(
    [
      'clusters × nodes',
      'intervals',
      'minutes',
      'CPU share of one core',
      'collectors',
      'late',
      'skipped',
      'RSS MiB first / half time / last / peak',
      'longest gap',
      `series, own (at most ${100 * ownSeriesBudget} %)`,
    ],
    nodes.map((one) => [
      `${one.clusters} × ${one.nodes}`,
      one.defaultIntervals ? 'default' : '15 s',
      one.minutes.toFixed(1),
      `${(one.cpuShare * 100).toFixed(1)} %`,
      String(one.collectors),
      String(one.late),
      String(one.skipped),
      [one.memory.first, one.memory.half, one.memory.last, one.memory.peak].map((size) => size.toFixed(0)).join(' / '),
      ms(one.longestGap),
      `${one.series.all}, ${one.series.own} (${((100 * one.series.own) / one.series.all).toFixed(1)} %)`,
    ]),
  );
}

function fitLine(nodes: readonly NodesResult[]): string {
  const fit = fitNodes(nodes);
  if (fit === undefined) return '';
  const [perNode, base] = [fit.perNode, fit.base].map((share) => (share * 100).toFixed(3));
  return `CPU share of one core: ${perNode} % for each node and ${base} % in any case (R² ${fit.r2.toFixed(3)})`;
}

function pagingTable(paging: readonly PagingResult[]): string {
  return table(
    [
      'pages',
      'another receiver',
      'poll result to page ms: median / p99 / worst',
      'between two polls ms: median / p99 / worst',
    ],
    paging.map(({ latencies, hasHangingReceiver, pollGaps }) => [
      String(latencies.length),
      hasHangingReceiver ? 'hangs' : 'healthy',
      spreadOf(latencies),
      spreadOf(pollGaps),
    ]),
  );
}

function guardTable(guard: readonly GuardResult[]): string {
  return table(
    [
      'runaway queries',
      'aborted',
      'from due to the abort on the wire ms: median / p99 / worst',
      'lists a minute a node, plain',
      'decided and not sent',
      'CPU ms per second',
      'responses to the load',
    ],
    guard.map(({ kind, load, expected, reactions, lists, unsent, cpu, responses }) => [
      guardRunName(kind, load),
      `${reactions.length} of ${expected}`,
      spreadOf(reactions),
      `${lists.toFixed(1)}, ${regularLists}`,
      String(unsent),
      cpu.toFixed(0),
      Object.entries(responses)
        .map(([status, count]) => `${count} × ${status}`)
        .slice(0, 4)
        .join(', '),
    ]),
  );
}

function entriesTable(entries: readonly ListSizeResult[]): string {
  return table(
    [
      'entries of one list',
      'that policies mean',
      'parse ms: best / median',
      'decide ms: best / median',
      'CPU ms: best / median',
      'look again, CPU ms: best / median',
      'heap grows by MB at most',
    ],
    entries.map((one) => [
      `${one.entries}, ${one.kind === 'new' ? 'all new' : 'all there before'}`,
      one.matched,
      ...[one.parse, one.decide, one.cpu, one.look].map((times) =>
        [0, 0.5].map((part) => quantile(times, part).toFixed(0)).join(' / '),
      ),
      (Math.max(...one.growth) / 1_000_000).toFixed(0),
    ]),
  );
}

function alertsTable(alerts: readonly AlertsResult[]): string {
  return table(
    [
      'alerts at once',
      'incidents',
      'longest stall ms: wall / CPU',
      '/-/healthy ms',
      'longest evaluation ms: wall / CPU',
      'all fire after ms',
      'later ms',
    ],
    alerts.map((one) => [
      String(one.alerts),
      one.kind,
      `${ms(one.longestStall)} / ${ms(one.stallCpu)}`,
      ms(one.healthy),
      `${ms(one.longestStep)} / ${ms(one.longestCpu)}`,
      ms(one.begunAfter),
      ms(one.laterStep),
    ]),
  );
}

function openPagesTable({ pages, responsesPerSecond, without, withPages }: OpenPagesResult): string {
  const head = ['open pages', 'responses to them a second', 'scrapes', 'latency of /metrics ms: median / p99'];
  return table(head, [openPagesRow(without, 0, 0), openPagesRow(withPages, pages, responsesPerSecond)]);
}

function openPagesRow(latencies: readonly number[], open: number, rate: number): readonly string[] {
  const [median, high] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return [String(open), rate.toFixed(0), String(latencies.length), `${ms(median)} / ${ms(high)}`];
}

function browserTables({ eventsPerSecond, latencies, longTasks, memory }: BrowserResult): string {
  const events = table(
    ['events a second', 'shown after the event ms: median / p99 / worst', 'of', 'tasks over 50 ms', 'longest ms'],
    [
      [
        eventsPerSecond.toFixed(0),
        spreadOf(latencies),
        String(latencies.length),
        String(longTasks.length),
        longTasks.length === 0 ? 'under 50' : ms(Math.max(...longTasks)),
      ],
    ],
  );
  const aged = memory.map(({ minutes, heap, elements, listeners }) =>
    [minutes, heap.toFixed(2), elements, listeners].map(String),
  );
  return `${events}\n\n${table(['minutes of the page', 'heap MiB', 'nodes', 'listeners'], aged)}`;
}

function spreadOf(values: readonly number[]): string {
  return [0.5, 0.99, 1].map((part) => quantile(values, part).toFixed(0)).join(' / ');
}

function spread({ p50, p99 }: Latency): string {
  return `${ms(p50)} / ${ms(p99)}`;
}
