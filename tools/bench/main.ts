import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, release } from 'node:os';
import { parseArgs } from 'node:util';
import { type AlertsResult, runAlerts } from './alerts-run.ts';
import { type BrowserResult, runBrowser } from './browser-run.ts';
import { type EverythingResult, runEverything } from './everything-run.ts';
import { type GuardResult, guardLoads, runGuard, runGuardUnder } from './guard-run.ts';
import { type IdleResult, runIdle } from './idle-run.ts';
import { type ListSizeResult, runListSizes } from './list-size-run.ts';
import { type NodesResult, runNodes } from './nodes-run.ts';
import { type OpenPagesResult, runOpenPages } from './open-pages-run.ts';
import { type PageResult, type PageRun, runPage } from './page-run.ts';
import { type PagingResult, runPaging } from './paging-run.ts';
import { type ProbesResult, runProbes } from './probes-run.ts';
import { type ReplicasResult, runReplicas } from './replicas-run.ts';
import { type Results, tables } from './report.ts';
import { runStarts, type StartResult } from './start-run.ts';

const usage = `npm run bench -- [options]
  --series 1000,10000,100000   numbers of series on the page of the upstream
  --cycles 40                  scrapes of each size, plain and gzip in turn
  --nodes 1,10,100             numbers of nodes of a cluster, to which the CPU cost is fitted; empty for none
  --clusters 1                 number of such clusters
  --intervals 15s              15s for all collectors, or default
  --instances 0                minimum number of service instances of each node
  --minutes 1                  minutes for which each cluster is measured
  --replicas 300x3             CLUSTERSxREPLICAS: clusters of three nodes, and replicas that share them before another one starts; a list, empty for none
  --replicas-minutes 2         minutes for which they are measured before another replica starts
  --everything 20              graphs of a cluster that two daemons monitor, one with the default collectors and one with all; empty for none
  --everything-minutes 5       minutes for which both are measured, at the same time
  --starts 5                   number of starts of the program; 0 for none
  --paging 200                 incidents that begin and end; 0 for none
  --guard 60                   runaway queries that the guard aborts; 0 for none
  --guard-loads LIST           loads during the aborts, each except the first compared with a daemon without load; default
                               none,api,probe,scrapes,evil,changes
  --probes 2000                runs of a probe and of its request alone, and a tenth as many write heartbeats; 0 for none
  --entries 10000              running queries of one node that the guard evaluates at once; 0 for none
  --idle 20                    seconds for which each idle process is measured; 0 for none
  --alerts 1500                alerts that start at once, and 5,000 instances that stop; empty for none
  --open-pages 6               rounds of 20 s in which /metrics is scraped without and with 50 open status pages; 0 for none
  --browser 60                 seconds for which an open status page gets 50 events a second; 0 for none
`;

const { values } = parseArgs({
  options: {
    series: { type: 'string', default: '1000,10000,100000' },
    cycles: { type: 'string', default: '40' },
    nodes: { type: 'string', default: '1,10,100' },
    clusters: { type: 'string', default: '1' },
    intervals: { type: 'string', default: '15s' },
    instances: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '1' },
    replicas: { type: 'string', default: '300x3' },
    'replicas-minutes': { type: 'string', default: '2' },
    everything: { type: 'string', default: '20' },
    'everything-minutes': { type: 'string', default: '5' },
    starts: { type: 'string', default: '5' },
    paging: { type: 'string', default: '200' },
    guard: { type: 'string', default: '60' },
    'guard-loads': { type: 'string', default: ['none', ...guardLoads].join(',') },
    probes: { type: 'string', default: '2000' },
    entries: { type: 'string', default: '10000' },
    idle: { type: 'string', default: '20' },
    alerts: { type: 'string', default: '1500' },
    'open-pages': { type: 'string', default: '6' },
    browser: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});

/** Status pages that are open while `/metrics` is scraped. */
const statusPages = 50;

if (values.help) process.stdout.write(usage);
else await bench();

async function bench(): Promise<void> {
  const starts: readonly StartResult[] = await runStarts(Number(values.starts));
  if (values.idle !== '0') process.stderr.write(`processes with little to do: ${values.idle} s each\n`);
  const idle: readonly IdleResult[] = values.idle === '0' ? [] : await runIdle(Number(values.idle));
  const pages: PageResult[] = [];
  for (const run of pageRuns()) {
    process.stderr.write(`${run.series} series, ${run.mix}: ${(run.cycles * run.cycleMs) / 1000} s and a little\n`);
    pages.push(...(await runPage(run)));
  }
  const nodes = await watchFleets();
  const replicas = await shareFleets();
  const everything = await compareCollectors(numbers(values.everything), Number(values['everything-minutes']));
  const paging: PagingResult[] = [];
  for (const hasHangingReceiver of values.paging === '0' ? [] : [false, true]) {
    process.stderr.write(`${values.paging} pages${hasHangingReceiver ? ', while another receiver hangs' : ''}\n`);
    paging.push(await runPaging(Number(values.paging), hasHangingReceiver));
  }
  const guard = values.guard === '0' ? [] : await guardResults(Number(values.guard));
  if (values.entries !== '0') process.stderr.write(`lists of ${values.entries} entries\n`);
  const entries: readonly ListSizeResult[] = values.entries === '0' ? [] : runListSizes(Number(values.entries));
  if (values.probes !== '0') process.stderr.write(`${values.probes} runs of a probe\n`);
  const probes: readonly ProbesResult[] = values.probes === '0' ? [] : [await runProbes(Number(values.probes))];
  const alerts: AlertsResult[] = [];
  for (const count of numbers(values.alerts)) alerts.push(await runAlerts(count, 'separate'));
  if (alerts.length > 0) alerts.push(await runAlerts(5000, 'one cause'));
  const rounds = Number(values['open-pages']);
  if (rounds > 0) process.stderr.write(`scrapes without and with ${statusPages} open status pages: ${rounds * 20} s\n`);
  const openPages: readonly OpenPagesResult[] = rounds === 0 ? [] : [await runOpenPages(statusPages, rounds)];
  if (values.browser !== '0')
    process.stderr.write(`an open status page: ${values.browser} s, and an hour of its own clock\n`);
  const browser: readonly BrowserResult[] = values.browser === '0' ? [] : [await runBrowser(Number(values.browser))];
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, kernel: release() };
  const measured = { starts, idle, pages, nodes, replicas, everything, paging, guard, entries, probes, alerts };
  const results: Results = { ...measured, openPages, browser };
  await mkdir('.bench', { recursive: true });
  await writeFile('.bench/results.json', `${JSON.stringify({ machine, ...results }, null, 2)}\n`);
  process.stdout.write(`${machine.cores} cores ${machine.cpu}, Node ${machine.node}\n\n${tables(results)}\n`);
}

async function guardResults(queries: number): Promise<readonly GuardResult[]> {
  const chosen = values['guard-loads'].split(',');
  const results: GuardResult[] = [];
  if (chosen.includes('none')) {
    process.stderr.write(`${queries} queries that run away\n`);
    results.push(...(await runGuard(queries)));
  }
  for (const load of guardLoads.filter((one) => chosen.includes(one))) {
    process.stderr.write(`${queries} queries that run away under the load «${load}»\n`);
    results.push(...(await runGuardUnder(load, queries)));
  }
  return results;
}

async function watchFleets(): Promise<readonly NodesResult[]> {
  const results: NodesResult[] = [];
  for (const count of numbers(values.nodes)) {
    const fleet = {
      clusters: Number(values.clusters),
      nodes: count,
      instances: Number(values.instances),
      defaultIntervals: values.intervals === 'default',
    };
    process.stderr.write(`${fleet.clusters} × ${count} nodes: ${values.minutes} min\n`);
    results.push(await runNodes(fleet, Number(values.minutes)));
  }
  return results;
}

async function shareFleets(): Promise<readonly ReplicasResult[]> {
  const results: ReplicasResult[] = [];
  for (const size of values.replicas.split(',').filter((text) => text !== '')) {
    const [clusters = 0, replicas = 0] = size.split('x').map(Number);
    process.stderr.write(
      `${clusters} clusters on ${replicas} replicas: ${values['replicas-minutes']} min and a little\n`,
    );
    results.push(await runReplicas({ clusters, replicas }, Number(values['replicas-minutes'])));
  }
  return results;
}

async function compareCollectors(
  graphCounts: readonly number[],
  minutes: number,
): Promise<readonly EverythingResult[]> {
  const results: EverythingResult[] = [];
  for (const graphs of graphCounts) {
    process.stderr.write(`default and all collectors on ${graphs} graphs: ${minutes} min\n`);
    results.push(...(await runEverything(graphs, minutes)));
  }
  return results;
}

/** Returns the runs: pages that are only passed through, and the largest page again with all metrics normalized. */
function pageRuns(): readonly PageRun[] {
  const sizes = numbers(values.series);
  const cycles = Number(values.cycles);
  const runs = sizes.map((series): PageRun => ({ series, mix: 'passthrough', cycles, cycleMs: intervalFor(series) }));
  const largest = Math.max(...sizes);
  return sizes.length === 0
    ? []
    : [...runs, { series: largest, mix: 'normalised', cycles, cycleMs: intervalFor(largest) }];
}

/** Returns an interval of polls in which the slowest candidate can respond. */
function intervalFor(series: number): number {
  return series > 20_000 ? 4000 : 1000;
}

function numbers(list: string): readonly number[] {
  return list
    .split(',')
    .filter((text) => text !== '')
    .map(Number);
}
