import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readProject } from '../../test/architecture/project.ts';
import { mutantsWithTypeErrors } from './compile-errors.ts';
import { findEquivalent, staleEquivalents } from './equivalent-mutants.ts';
import { type Mutant, mutantsOf, sampleMutants } from './mutants.ts';
import { describeMutant, isEnough, type MutantResult, reportLines, scoreOf } from './report.ts';
import { limitsOf, runMutant } from './run-mutant.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';
import { targets, testRoundsFor } from './targets.ts';

const usage = `npm run mutate -- [options]
  --sample N     number of mutants, chosen at random; default: all
  --seed 1       seed of the sample
  --file TEXT    only files whose path contains this text; can be repeated
  --jobs 2       number of parallel jobs
Applies one small mutation at a time to the matcher and the decision state machine, and checks whether the tests of the guard
detect it. The exit status is 1 if they detect less than 80 %.
`;

const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    file: { type: 'string', multiple: true, default: [''] },
    jobs: { type: 'string', default: '2' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else process.exitCode = (await mutate()) ? 0 : 1;

async function mutate(): Promise<boolean> {
  const everything = targets().flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')));
  const stale = staleEquivalents(everything);
  if (stale.length > 0)
    throw new Error(`equivalent-mutants.ts lists a mutant that does not exist: ${JSON.stringify(stale[0])}`);
  const selected = everything.filter(({ file }) => values.file.some((text) => file.includes(text)));
  const sample = sampleMutants(selected, Number(values.sample ?? selected.length), Number(values.seed));
  printLine(`${sample.length} of ${selected.length} mutants, seed ${values.seed}`);
  const sandboxes = await Promise.all(Array.from({ length: Number(values.jobs) }, openSandbox));
  try {
    const results = await evaluateMutants(sample, sandboxes);
    for (const { mutant, outcome } of results)
      if (outcome === 'survived' || outcome === 'equivalent') printLine(`${outcome}: ${describeMutant(mutant)}`);
    for (const line of reportLines(results)) printLine(line);
    printLine(`${(performance.now() / 60_000).toFixed(1)} min`);
    return isEnough(scoreOf(results));
  } finally {
    for (const sandbox of sandboxes) await sandbox.close();
  }
}

async function evaluateMutants(
  sample: readonly Mutant[],
  sandboxes: readonly Sandbox[],
): Promise<readonly MutantResult[]> {
  const invalid = new Set<Mutant>();
  await distribute(splitEvenly(sample, sandboxes.length), sandboxes, async (share, sandbox) => {
    for (const mutant of await mutantsWithTypeErrors(share, sandbox)) invalid.add(mutant);
  });
  const runnable = sample.filter((mutant) => !invalid.has(mutant) && findEquivalent(mutant) === undefined);
  printLine(`${runnable.length} of them compile and run`);
  const outcomes = new Map(await runMutants(runnable, sandboxes));
  return sample.map((mutant) => ({
    mutant,
    outcome: outcomes.get(mutant) ?? (invalid.has(mutant) ? 'uncompiled' : 'equivalent'),
  }));
}

type MutantRun = readonly [Mutant, MutantResult['outcome']];

async function runMutants(runnable: readonly Mutant[], sandboxes: readonly Sandbox[]): Promise<readonly MutantRun[]> {
  const project = readProject(process.cwd(), ['src', 'test']);
  const rounds = new Map(
    [...new Set(runnable.map(({ file }) => file))].map((file) => [file, testRoundsFor(file, project)]),
  );
  const [first] = sandboxes;
  if (first === undefined) return [];
  const limits = await limitsOf([...rounds.values()].flat(), first, () => performance.now());
  const outcomes: MutantRun[] = [];
  await distribute(runnable, sandboxes, async (mutant, sandbox) => {
    const outcome = await runMutant(mutant, rounds.get(mutant.file) ?? [], { sandbox, limits });
    outcomes.push([mutant, outcome]);
    if (outcome === 'survived')
      printLine(`${outcomes.length}/${runnable.length} ${outcome}: ${describeMutant(mutant)}`);
  });
  return outcomes;
}

/** Distributes items: each sandbox takes the next item when it is free. */
async function distribute<Item>(
  items: readonly Item[],
  sandboxes: readonly Sandbox[],
  work: (item: Item, sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    sandboxes.map(async (sandbox) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next, sandbox);
    }),
  );
}

function splitEvenly<Item>(items: readonly Item[], count: number): readonly (readonly Item[])[] {
  return Array.from({ length: count }, (_, share) => items.filter((_item, index) => index % count === share));
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
