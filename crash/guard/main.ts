import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { report, run, type Sum, sizeOf } from '../campaign.ts';
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

const quiet = Number(values.quiet) * 1000;
if (values.help) process.stdout.write(usage);
else {
  const isWell = await run({ size: sizeOf(values), play: async (order) => playScene({ ...order, quiet }), tell, sum });
  process.exitCode = isWell ? 0 : 1;
}

function sum(scenes: readonly SceneResult[]): Sum {
  const tally = tallyOf(scenes);
  return { lines: linesOf(tally), isKept: isKept(tally), isTelling: isTelling(tally), lack: 'nothing was aborted' };
}

async function tell(scene: SceneResult): Promise<void> {
  const { lives, evidence } = scene;
  const { requests, enough, telling } = tallyOf([scene]);
  const line = `${lives.length} kills, ${requests} aborts in ${telling} of ${enough} lives`;
  await report(line, scene, { out: values.out, evidence: { lives, evidence } });
}
