import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isKept, isTelling, linesOf, tallyOf } from './report.ts';
import { playScene, type SceneResult } from './scene.ts';

const usage = `npm run crash:guard -- [options]
  --runs 1000   how often a daemon with an enforcing guard is killed
  --lives 50    how often over one state folder, until it is started once more and every intent has to end
  --seed 1      of the first state folder; the others count on from there
  --jobs 6      state folders at once
  --quiet 42    seconds of the last life
  --out DIR     where the evidence of what went wrong is written; default .bench/crash-guard
`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    lives: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '6' },
    quiet: { type: 'string', default: '42' },
    out: { type: 'string', default: join('.bench', 'crash-guard') },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else process.exitCode = (await crash()) ? 0 : 1;

async function crash(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-crash-'));
  const entry = join(folder, 'graphwarden.mjs');
  // The bundle starts in a third of the time, and stays what it is while somebody edits the sources.
  execFileSync(process.execPath, ['build/bundle.ts', entry], { stdio: 'ignore' });
  const began = performance.now();
  try {
    const scenes = await playAll(entry);
    const tally = tallyOf(scenes);
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    process.stdout.write(`\n${linesOf(tally).join('\n')}\n${scenes.length} state folders, ${minutes} min\n`);
    process.stdout.write(isKept(tally) ? 'All was kept.\n' : 'NOT all was kept.\n');
    if (!isTelling(tally)) process.stdout.write('In most runs nothing was aborted: that says little.\n');
    return isKept(tally) && isTelling(tally);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function playAll(entry: string): Promise<readonly SceneResult[]> {
  const [runs, lives, first] = [Number(values.runs), Number(values.lives), Number(values.seed)];
  const count = Math.ceil(runs / lives);
  const scenes: SceneResult[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const kills = Math.min(lives, runs - index * lives);
      const scene = await playScene({ entry, seed: first + index, kills, quiet: Number(values.quiet) * 1000 });
      scenes.push(scene);
      await tell(scene);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
  return scenes;
}

/** What is well is one line; what is not is written down with all that was seen. */
async function tell(scene: SceneResult): Promise<void> {
  const { seed, findings, lives, evidence } = scene;
  const { requests, enough, telling } = tallyOf([scene]);
  process.stdout.write(
    `seed ${seed}: ${lives.length} kills, ${requests} aborts in ${telling} of ${enough} lives` +
      `${findings.length === 0 ? '' : `, ${findings.length} FINDINGS`}\n`,
  );
  for (const { kind, about } of findings) process.stdout.write(`  ${kind}: ${about.slice(0, 500)}\n`);
  if (findings.length === 0) return;
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, `seed-${seed}.json`), `${JSON.stringify({ findings, lives, evidence }, null, 1)}\n`);
}
