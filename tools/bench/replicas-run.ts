import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { eventually } from '../../test/support/child.ts';
import { readJson } from '../../test/support/http.ts';
import { type PostgresServer, startPostgres, superuser } from '../../test/support/postgres.ts';
import type { Candidate, ForkedProcess } from './candidate.ts';
import { startGraphwarden } from './candidates.ts';
import { slowCollectors, startSimulators } from './nodes-run.ts';
import { cpuMillis, peakMebibytes, residentMebibytes } from './process-cost.ts';
import { closeScrapers, scrape, sumOf, textOf } from './scrape.ts';
import { table } from './table.ts';

/** Clusters of three nodes, and the replicas that share them through one PostgreSQL. */
export interface SharedFleet {
  readonly clusters: number;
  readonly replicas: number;
}

/** Cost of one replica with its clusters. */
interface ReplicaCost {
  readonly clusters: number;
  /** CPU time by wall time: 1 is one core. */
  readonly cpuShare: number;
  /** Memory in MiB at the end, and its peak. */
  readonly memory: number;
  readonly peak: number;
}

/** Polls of clusters, from the logs of the simulators. */
interface PollCounts {
  readonly polls: number;
  /** Polls that came more than half an interval late, or never. */
  readonly lost: number;
  /** Longest time between two polls, in seconds. */
  readonly longestGap: number;
}

/** Cost of replicas that share clusters, and the effect of a further replica. */
export interface ReplicasResult extends SharedFleet {
  readonly minutes: number;
  readonly costs: readonly ReplicaCost[];
  readonly skipped: number;
  readonly transactions: number;
  readonly databaseCpu: number;
  readonly simulatorsCpu: number;
  readonly pollCounts: PollCounts;
  /** Time from the start of the first replicas until each had its share, in seconds. */
  readonly sharedAfter: number;
  /** Effect of a further replica: time until each had its share in seconds, and polls since its start. */
  readonly joined: { readonly balancedAfter: number; readonly transactions: number; readonly pollCounts: PollCounts };
}

const nodes = 3;
/** Interval of all collectors, and of scrapes. */
const everyMs = 15_000;
const shareTimeout = 300_000;
const own = z.object({ items: z.array(z.object({ self: z.boolean(), clusters: z.array(z.string()) })) });
const pollsMessage = z.object({ polls: z.array(z.array(z.number())) });

/** Measures replicas for `minutes`, and starts a further one after that. */
export async function runReplicas(fleet: SharedFleet, minutes: number): Promise<ReplicasResult> {
  const database = await startPostgres(['max_connections=50']);
  const simulated = await startSimulators({ ...fleet, nodes, instances: 0, defaultIntervals: false });
  const replicas: Candidate[] = [];
  const start = async (): Promise<void> => {
    replicas.push(
      await startGraphwarden({
        state_url: `postgres://${superuser}@127.0.0.1:${database.port}/postgres`,
        clusters: simulated.clusters.map((urls, at) => {
          return { name: `bench${at + 1}`, nodes: urls.map((url, place) => ({ name: `m${place + 1}`, url })) };
        }),
        collectors: slowCollectors,
      }),
    );
  };
  try {
    const begun = performance.now();
    process.stderr.write('  simulators and PostgreSQL have started\n');
    await Promise.all(Array.from({ length: fleet.replicas }, start));
    await balanced(replicas, fleet);
    const sharedAfter = (performance.now() - begun) / 1000;
    process.stderr.write(`  each replica has its share after ${sharedAfter.toFixed(1)} s\n`);
    // Waits until code is compiled and moved clusters are polled at their intervals again.
    await pause(2 * everyMs);
    const from = Date.now();
    const steady = await measure({ fleet, replicas, database, simulators: simulated.processes }, minutes);
    const joinedAt = Date.now();
    const before = await transactions(database);
    await start();
    await balanced(replicas, fleet);
    const balancedAfter = (Date.now() - joinedAt) / 1000;
    process.stderr.write(`  one more has its share after ${balancedAfter.toFixed(1)} s\n`);
    await pause(2 * everyMs);
    const spent = (Date.now() - joinedAt) / 1000;
    const joined = { balancedAfter, transactions: ((await transactions(database)) - before) / spent };
    const polls = (await Promise.all(simulated.processes.map(pollsOf))).flat();
    const [pollCounts, later] = [pollsIn(polls, from, joinedAt), pollsIn(polls, joinedAt, Date.now())];
    return { ...fleet, ...steady, sharedAfter, pollCounts, joined: { ...joined, pollCounts: later } };
  } finally {
    closeScrapers();
    for (const replica of replicas) await replica.stop();
    await simulated.stop();
    await database.remove();
  }
}

interface Measured {
  readonly fleet: SharedFleet;
  readonly replicas: readonly Candidate[];
  readonly database: PostgresServer;
  readonly simulators: readonly ForkedProcess[];
}

async function measure(
  { replicas, database, simulators }: Measured,
  minutes: number,
): Promise<Omit<ReplicasResult, keyof SharedFleet | 'sharedAfter' | 'pollCounts' | 'joined'>> {
  for (const { pauseProbe } of [...replicas, ...simulators]) pauseProbe?.();
  const cpuOf = () => ({
    replicas: replicas.map(({ pid }) => cpuMillis(pid)),
    database: cpuMillis(database.pid()),
    simulators: simulators.reduce((sum, { pid }) => sum + cpuMillis(pid), 0),
  });
  const skipped = async (): Promise<number> => {
    let sum = 0;
    for (const { url } of replicas) {
      sum += sumOf(textOf(await scrape(url, 'gzip')), 'graphwarden_collector_skipped_total');
    }
    return sum;
  };
  const [before, cpu, skips, from] = [await transactions(database), cpuOf(), await skipped(), performance.now()];
  while (performance.now() - from < minutes * 60_000) {
    await pause(everyMs);
    for (const { url } of replicas) await scrape(url, 'gzip');
  }
  const spent = performance.now() - from;
  const after = cpuOf();
  const costs = replicas.map(async (replica, at) => ({
    clusters: await ownedBy(replica),
    cpuShare: ((after.replicas[at] ?? 0) - (cpu.replicas[at] ?? 0)) / spent,
    memory: residentMebibytes(replica.pid),
    peak: peakMebibytes(replica.pid),
  }));
  return {
    minutes: spent / 60_000,
    transactions: ((await transactions(database)) - before) / (spent / 1000),
    databaseCpu: (after.database - cpu.database) / spent,
    simulatorsCpu: (after.simulators - cpu.simulators) / spent,
    skipped: (await skipped()) - skips,
    costs: await Promise.all(costs),
  };
}

/** Waits until the replicas own all clusters and their numbers of clusters differ by at most one. */
async function balanced(replicas: readonly Candidate[], { clusters }: SharedFleet): Promise<void> {
  const areShared = async (): Promise<boolean> => {
    const counts = await Promise.all(replicas.map(ownedBy));
    const sum = counts.reduce((total, count) => total + count, 0);
    return sum === clusters && Math.max(...counts) - Math.min(...counts) < 2;
  };
  await eventually('each replica has its share of the clusters', areShared, shareTimeout);
}

async function ownedBy({ url }: Candidate): Promise<number> {
  const { items } = own.parse(await readJson(url.replace('/metrics', '/api/v1/replicas')));
  return items.find(({ self }) => self)?.clusters.length ?? 0;
}

async function transactions(database: PostgresServer): Promise<number> {
  const [row] = await database.sql(
    'SELECT sum(xact_commit + xact_rollback)::float8 AS total FROM pg_stat_database WHERE datname IS NOT NULL',
  );
  return Number(row?.total);
}

/** Returns the times of the polls of each collector on each node, ms since the epoch. */
async function pollsOf({ child }: ForkedProcess): Promise<readonly (readonly number[])[]> {
  const answer = once(child, 'message');
  child.send('polls');
  return pollsMessage.parse((await answer)[0]).polls;
}

function pollsIn(polls: readonly (readonly number[])[], from: number, to: number): PollCounts {
  let [count, lost, longest] = [0, 0, 0];
  for (const times of polls) {
    // The last poll before the period counts as its start, because a gap may begin before the period.
    const begin = times.findLast((at) => at < from) ?? from;
    const within = times.filter((at) => at >= from && at <= to);
    const gaps = [...within, to].map((at, place) => at - (within[place - 1] ?? begin));
    count += within.length;
    lost += gaps.reduce((sum, gap) => sum + Math.max(0, Math.floor(gap / everyMs - 0.5)), 0);
    longest = Math.max(longest, ...gaps);
  }
  return { polls: count, lost, longestGap: longest / 1000 };
}

/** Returns the results as tables. */
export function replicasTables(results: readonly ReplicasResult[]): string {
  return [steadyTable(results), joinedTable(results)].filter((text) => text !== '').join('\n\n');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function list(values: readonly number[], digits: number): string {
  return values.map((value) => value.toFixed(digits)).join(', ');
}

function steadyTable(results: readonly ReplicasResult[]): string {
  return table(
    [
      'clusters × nodes, replicas',
      'minutes',
      'clusters each',
      'CPU of one core each',
      'RSS MiB each',
      'peak RSS MiB each',
      'transactions a second',
      'CPU of PostgreSQL',
      'CPU of the simulators',
      'polls, lost, longest gap s',
      'skipped',
    ],
    results.map((one) => [
      `${one.clusters} × ${nodes}, ${one.replicas}`,
      one.minutes.toFixed(1),
      list(
        one.costs.map(({ clusters }) => clusters),
        0,
      ),
      one.costs.map(({ cpuShare }) => percent(cpuShare)).join(', '),
      list(
        one.costs.map(({ memory }) => memory),
        0,
      ),
      list(
        one.costs.map(({ peak }) => peak),
        0,
      ),
      one.transactions.toFixed(1),
      percent(one.databaseCpu),
      percent(one.simulatorsCpu),
      pollsCell(one.pollCounts),
      String(one.skipped),
    ]),
  );
}

function joinedTable(results: readonly ReplicasResult[]): string {
  return table(
    [
      'clusters, replicas',
      'first share after s',
      'one more: balanced after s',
      'transactions a second',
      'polls, lost, longest gap s',
    ],
    results.map(({ clusters, replicas, sharedAfter, joined: { balancedAfter, transactions: rate, pollCounts } }) => [
      `${clusters}, ${replicas} + 1`,
      sharedAfter.toFixed(1),
      balancedAfter.toFixed(1),
      rate.toFixed(1),
      pollsCell(pollCounts),
    ]),
  );
}

function pollsCell({ polls, lost, longestGap }: PollCounts): string {
  return `${polls}, ${lost}, ${longestGap.toFixed(1)}`;
}
