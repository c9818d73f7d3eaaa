import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readProject } from '../test/architecture/project.ts';
import { equivalentOf, staleIn } from './equivalent.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { changeOf, isEnough, linesOf, type Result, scoreOf } from './report.ts';
import { sampleOf } from './sample.ts';
import { roundsFor, targets } from './targets.ts';
import { limitsOf, tryMutant } from './trial.ts';
import { uncompiled } from './types.ts';
import { openWorkshop, type Workshop } from './workshop.ts';

const usage = `npm run mutate -- [options]
  --sample N     so many slips, drawn from all; default: every one
  --seed 1       of the draw
  --file TEXT    only in files whose path has this in it; may be given again
  --jobs 2       at once
Makes one small slip at a time in the matcher and the machine of decisions, and looks whether the tests of the guard find
it. Exit status 1 where they find less than 80 %.
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
  const stale = staleIn(everything);
  if (stale.length > 0) throw new Error(`nothing is like that any more: ${JSON.stringify(stale[0])}`);
  const wanted = everything.filter(({ file }) => values.file.some((text) => file.includes(text)));
  const drawn = sampleOf(wanted, Number(values.sample ?? wanted.length), Number(values.seed));
  say(`${drawn.length} slips of ${wanted.length}, seed ${values.seed}`);
  const workshops = await Promise.all(Array.from({ length: Number(values.jobs) }, openWorkshop));
  try {
    const results = await judged(drawn, workshops);
    for (const { mutant, fate } of results)
      if (fate === 'survived' || fate === 'equivalent') say(`${fate}: ${changeOf(mutant)}`);
    for (const line of linesOf(results)) say(line);
    say(`${(performance.now() / 60_000).toFixed(1)} min`);
    return isEnough(scoreOf(results));
  } finally {
    for (const workshop of workshops) await workshop.close();
  }
}

async function judged(drawn: readonly Mutant[], workshops: readonly Workshop[]): Promise<readonly Result[]> {
  const invalid = new Set<Mutant>();
  await shared(shares(drawn, workshops.length), workshops, async (share, workshop) => {
    for (const mutant of await uncompiled(share, workshop)) invalid.add(mutant);
  });
  const asked = drawn.filter((mutant) => !invalid.has(mutant) && equivalentOf(mutant) === undefined);
  say(`${asked.length} of them compile and are to be found`);
  const fates = new Map(await tried(asked, workshops));
  return drawn.map((mutant) => ({
    mutant,
    fate: fates.get(mutant) ?? (invalid.has(mutant) ? 'uncompiled' : 'equivalent'),
  }));
}

type Tried = readonly [Mutant, Result['fate']];

async function tried(asked: readonly Mutant[], workshops: readonly Workshop[]): Promise<readonly Tried[]> {
  const project = readProject(process.cwd(), ['src', 'test']);
  const rounds = new Map([...new Set(asked.map(({ file }) => file))].map((file) => [file, roundsFor(file, project)]));
  const [first] = workshops;
  if (first === undefined) return [];
  const limits = await limitsOf([...rounds.values()].flat(), first, () => performance.now());
  const fates: Tried[] = [];
  await shared(asked, workshops, async (mutant, workshop) => {
    const fate = await tryMutant(mutant, rounds.get(mutant.file) ?? [], { workshop, limits });
    fates.push([mutant, fate]);
    if (fate === 'survived') say(`${fates.length}/${asked.length} ${fate}: ${changeOf(mutant)}`);
  });
  return fates;
}

/** Each workshop takes the next item as soon as it is through with one. */
async function shared<Item>(
  items: readonly Item[],
  workshops: readonly Workshop[],
  work: (item: Item, workshop: Workshop) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  await Promise.all(
    workshops.map(async (workshop) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next, workshop);
    }),
  );
}

function shares<Item>(items: readonly Item[], count: number): readonly (readonly Item[])[] {
  return Array.from({ length: count }, (_, share) => items.filter((_item, index) => index % count === share));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
