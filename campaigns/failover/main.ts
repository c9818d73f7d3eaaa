import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Finding } from './evidence.ts';
import { type Fence, fenceNamed, fences } from './fences.ts';
import { failoversOf } from './oracle/moves.ts';
import { allFaults, type FaultName, outage } from './plan.ts';
import { buildProgram, leaseEdit, type SourceEdit, usualLease } from './program.ts';
import { isSignificant, slowFaults, summaryLines } from './report.ts';
import { runScenario, type ScenarioOptions, type ScenarioResult } from './scenario.ts';

const usage = `npm run failover -- [options]
  --rounds 1000        number of rounds; each is a fault, and often a second one that overlaps it
  --minutes 600        no further round begins after this time
  --per-database 20    rounds per database, after which all notifications must be delivered
  --seed 1             seed of the first database; each further one adds 1
  --jobs 2             databases at the same time
  --replicas 3         daemons on each database
  --clusters 12        simulated clusters of each database
  --lease 10000        length of a lease in ms; another length than the usual one changes the program that is built
  --fault NAME         only this fault, can be repeated: ${allFaults.join(', ')}
  --away 600           seconds for which a '${outage}' lasts
  --sqlite             one daemon with its state in a folder
  --without FENCE      removes a fence and injects the faults that it protects from, until a finding shows it; can be repeated; all: each in turn
${fences.map(({ name, about }) => `                         ${name}: ${about}`).join('\n')}
  --out DIR            directory for the evidence of findings; default .bench/failover
`;

/** Rounds of a database without a fence. */
const roundsWithoutFence = 3;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '600' },
    'per-database': { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    replicas: { type: 'string', default: '3' },
    clusters: { type: 'string', default: '12' },
    lease: { type: 'string', default: `${usualLease}` },
    away: { type: 'string', default: '600' },
    fault: { type: 'string', multiple: true, default: [] },
    sqlite: { type: 'boolean', default: false },
    without: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: join('.bench', 'failover') },
    help: { type: 'boolean', default: false },
  },
});

const lease = Number(values.lease);
const latestRound = Date.now() + Number(values.minutes) * 60_000;
const size = {
  latestRound,
  replicas: values.sqlite ? 1 : Number(values.replicas),
  clusters: Number(values.clusters),
  usesPostgres: !values.sqlite,
  lease,
};

if (values.help) process.stdout.write(usage);
else process.exitCode = (await (values.without.length === 0 ? runCampaign() : removeFences(values.without))) ? 0 : 1;

/** Runs all rounds, prints the summary, and returns whether all guarantees held. */
async function runCampaign(): Promise<boolean> {
  const startedAt = performance.now();
  const results = await withProgram([], runScenarios);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  process.stdout.write(`\n${summaryLines(results).join('\n')}\n${results.length} databases, ${minutes} min\n`);
  const isSafe = results.every(({ findings }) => findings.length === 0);
  const isFast = slowFaults(results).length === 0;
  process.stdout.write(isSafe && isFast ? 'All guarantees held.\n' : 'NOT all guarantees held.\n');
  if (!isSignificant(results)) process.stdout.write('There were few aborts: the result is not significant.\n');
  return isSafe && isFast && isSignificant(results);
}

/** Builds the program, with the length of a lease and with these changes, and removes it after its use. */
async function withProgram<T>(edits: readonly SourceEdit[], use: (entry: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-failover-'));
  try {
    return await use(await buildProgram(folder, lease === usualLease ? edits : [leaseEdit(lease), ...edits]));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runScenarios(entry: string): Promise<readonly ScenarioResult[]> {
  const rounds = Number(values.rounds);
  const perDatabase = Number(values['per-database']);
  const results: ScenarioResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < Math.ceil(rounds / perDatabase) && Date.now() < latestRound) {
      const index = next++;
      const faults = values.fault.map(faultNamed);
      const own: ScenarioOptions = {
        ...size,
        entry,
        seed: Number(values.seed) + index,
        rounds: Math.min(perDatabase, rounds - index * perDatabase),
        ...(faults.length === 0 ? {} : { faults }),
        ...(faults.includes(outage) ? { length: (Number(values.away) * 1000) / lease } : {}),
      };
      const result = await runScenario(own);
      results.push(result);
      await describe(result);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return results;
}

/** Removes fences, one after the other, and returns whether each removal was noticed. */
async function removeFences(names: readonly string[]): Promise<boolean> {
  const waiting = names.includes('all') ? fences : names.map(fenceNamed);
  let areAllNoticed = true;
  for (const fence of waiting) areAllNoticed = (await isNoticed(fence)) && areAllNoticed;
  return areAllNoticed;
}

/** Injects the faults of a fence without it, until a finding shows that it is missing. */
async function isNoticed(fence: Fence): Promise<boolean> {
  const { faults, moments, length, shownBy } = fence;
  return withProgram(fence.edits, async (entry) => {
    let done = 0;
    for (let index = 0; done < Number(values.rounds) && Date.now() < latestRound; index += 1) {
      const rounds = Math.min(roundsWithoutFence, Number(values.rounds) - done);
      const result = await runScenario({
        ...size,
        entry,
        seed: Number(values.seed) + index,
        rounds,
        faults,
        moments,
        length,
      });
      done += rounds;
      await describe(result);
      const shown = result.findings.filter(({ kind }) => shownBy.includes(kind));
      if (shown.length === 0) continue;
      process.stdout.write(`without '${fence.name}': noticed within ${done} rounds: ${countsOf(shown)}\n`);
      return true;
    }
    process.stdout.write(`without '${fence.name}': NOT noticed in ${done} rounds\n`);
    return false;
  });
}

async function describe(result: ScenarioResult): Promise<void> {
  const { seed, findings, evidence, logs } = result;
  const failovers = failoversOf(evidence).length;
  process.stdout.write(
    `seed ${seed}: ${evidence.faults.length} faults, ${failovers} failovers, ${countsOf(findings) || 'no findings'}\n`,
  );
  for (const { kind, about } of findings.slice(0, values.without.length === 0 ? 40 : 3))
    process.stdout.write(`  ${kind}: ${about.slice(0, 500)}\n`);
  if (findings.length === 0) return;
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, `seed-${seed}.json`), `${JSON.stringify({ findings, ...evidence })}\n`);
  for (const [index, log] of logs.entries()) await writeFile(join(values.out, `seed-${seed}-${index}.log`), log);
}

function countsOf(findings: readonly Finding[]): string {
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  return kinds.map((one) => `${findings.filter(({ kind }) => kind === one).length} ${one}`).join(', ');
}

function faultNamed(name: string): FaultName {
  const fault = allFaults.find((one) => one === name);
  if (fault === undefined) throw new Error(`no fault '${name}'`);
  return fault;
}
