import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { RunResult } from './oracle/evaluate.ts';
import { removableConditions } from './removal/removable-conditions.ts';
import { isDetected, resultLine, runWithoutCondition } from './removal/run-without.ts';
import { missedTargets, summarize, summaryLines } from './report.ts';

const usage = `npm run races -- [options]
  --runs 10000    how many scenes are played; 3000, or until enough is found, with --remove
  --seed 0        of the first one; the others count on from there
  --jobs 2        at once
  --remove NAME   plays against a guard without this condition of safety, which has to be found; all: one after another
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
  const verdicts = (await Promise.all(Array.from({ length: jobs }, (_, job) => share(job, runs)))).flat();
  const tally = summarize(verdicts.toSorted((one, other) => one.seed - other.seed));
  const short = missedTargets(tally);
  for (const { kind, about, seed: of } of tally.found.slice(0, 50)) say(`seed ${of}: ${kind}: ${about.slice(0, 500)}`);
  for (const { kind, about } of short) say(`${kind}: ${about}`);
  const missed = verdicts.flatMap((one) => one.missed.map((victim) => `seed ${one.seed}: not aborted: ${victim}`));
  for (const line of missed.slice(0, 10)) say(line);
  for (const line of summaryLines(tally)) say(line);
  say(`seeds ${seed} to ${seed + runs - 1}, ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return tally.found.length === 0 && short.length === 0;
}

/** Every so many seeds are played in a thread of their own. */
function share(job: number, runs: number): Promise<readonly RunResult[]> {
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
    throw new Error(`no such condition; there are: ${removableConditions.map((one) => one.name).join(', ')}`);
  // What is rare in them, as an end just before an abort, takes more than a thousand; most are found at once.
  const runs = Number(values.runs ?? 3000);
  const waiting = [...chosen];
  let isEachCaught = true;
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const caught = await runWithoutCondition(next, { runs, seed });
      say(resultLine(caught));
      isEachCaught &&= isDetected(caught);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return isEachCaught && (await isCleanAsItIs(runs));
}

/** Runs the suite on the unchanged sources. If it fails there, the results without a condition mean nothing. */
async function isCleanAsItIs(runs: number): Promise<boolean> {
  const { kinds } = await runWithoutCondition({ name: 'nothing', edits: [] }, { runs, seed });
  const isClean = Object.keys(kinds).length === 0;
  say(isClean ? 'with all of them: nothing found' : `with all of them: ${JSON.stringify(kinds)}`);
  return isClean;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
