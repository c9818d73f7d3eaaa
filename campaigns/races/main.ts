import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { RunResult } from './oracle/evaluate.ts';
import { removableConditions } from './removal/removable-conditions.ts';
import { isDetected, resultLine, runWithoutCondition } from './removal/run-without.ts';
import { missedTargets, summarize, summaryLines } from './report.ts';
import { runSeed } from './run-seed.ts';

const usage = `npm run races -- [options]
  --runs 10000    number of simulated runs; with --remove, at most 1500, until enough is found
  --seed 0        seed of the first run; each further one adds 1
  --jobs 2        number of threads
  --remove NAME   removes a safety condition from the guard, which the oracles must detect; all: each condition in turn
`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string', default: '0' },
    jobs: { type: 'string', default: `${Math.min(2, availableParallelism())}` },
    remove: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const seed = Number(values.seed);
const jobs = Number(values.jobs);
if (values.help) process.stdout.write(usage);
else
  process.exitCode = (await (values.remove === undefined
    ? raceAll(Number(values.runs ?? 10_000))
    : removeAll(values.remove)))
    ? 0
    : 1;

async function raceAll(runs: number): Promise<boolean> {
  const began = performance.now();
  const verdicts = (await Promise.all(Array.from({ length: jobs }, (_, job) => runInThreads(job, runs)))).flat();
  const summary = summarize(verdicts.toSorted((one, other) => one.seed - other.seed));
  const missedTargetLines = missedTargets(summary);
  for (const { kind, about, seed: of } of summary.found.slice(0, 50))
    printLine(`seed ${of}: ${kind}: ${about.slice(0, 500)}`);
  for (const { kind, about } of missedTargetLines) printLine(`${kind}: ${about}`);
  const missed = verdicts.flatMap((one) => one.missed.map((victim) => `seed ${one.seed}: not aborted: ${victim}`));
  for (const line of missed.slice(0, 10)) printLine(line);
  for (const line of summaryLines(summary)) printLine(line);
  printLine(`seeds ${seed} to ${seed + runs - 1}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return summary.found.length === 0 && missedTargetLines.length === 0;
}

/** Distributes the seeds over threads. */
function runInThreads(job: number, runs: number): Promise<readonly RunResult[]> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('worker.ts', import.meta.url), {
      workerData: { first: seed + job, end: seed + runs, step: jobs },
    });
    thread.once('message', resolve);
    thread.once('error', reject);
  });
}

async function removeAll(name: string): Promise<boolean> {
  const chosen = removableConditions.filter((one) => name === 'all' || one.name === name);
  if (chosen.length === 0)
    throw new Error(`unknown condition; conditions are: ${removableConditions.map((one) => one.name).join(', ')}`);
  const runs = Number(values.runs ?? 1500);
  const waiting = [...chosen];
  let areAllDetected = true;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const isCaught = await runWithoutCondition(next, { runs, seed });
      printLine(resultLine(isCaught));
      areAllDetected &&= isDetected(isCaught) && isUnchangedClean(isCaught.seeds);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return areAllDetected && (await passesUnchanged(runs));
}

/** Runs the suite on the unchanged sources. If it fails there, the results without a condition mean nothing. */
async function passesUnchanged(runs: number): Promise<boolean> {
  const { kinds } = await runWithoutCondition({ name: 'nothing', edits: [] }, { runs, seed });
  const isClean = Object.keys(kinds).length === 0;
  printLine(isClean ? 'unchanged guard: no findings' : `unchanged guard: ${JSON.stringify(kinds)}`);
  return isClean;
}

/** Returns true if the unchanged guard has no findings in the races that detected a removal. */
function isUnchangedClean(seeds: readonly number[]): boolean {
  const findings = seeds.flatMap((one) => runSeed(one).findings.map(({ kind }) => `seed ${one}: ${kind}`));
  if (findings.length > 0) printLine(`unchanged guard: ${findings.join(', ')}`);
  return findings.length === 0;
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
