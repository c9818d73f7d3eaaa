import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { report, run, type Sum, sizeOf } from './campaign.ts';
import { isKept, isTelling, linesOf, tallyOf } from './report.ts';
import { playScene, type SceneResult } from './scene.ts';

const usage = `npm run crash -- [options]
  --runs 1000   how often a daemon is killed
  --lives 8     how often over one state folder, until it is started once more and everything has to settle
  --seed 1      of the first state folder; the others count on from there
  --jobs 2      state folders at once
  --out DIR     where the evidence of what went wrong is written; default .bench/crash
`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    lives: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    out: { type: 'string', default: join('.bench', 'crash') },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else process.exitCode = (await run({ size: sizeOf(values), play: playScene, tell, sum })) ? 0 : 1;

function sum(scenes: readonly SceneResult[]): Sum {
  const tally = tallyOf(scenes);
  return { lines: linesOf(tally), isKept: isKept(tally), isTelling: isTelling(tally), lack: 'nothing was delivered' };
}

async function tell(scene: SceneResult): Promise<void> {
  const { lives, deliveries, evidence } = scene;
  const delivered = deliveries.reduce((all, one) => all + one.delivered, 0);
  const last = evidence.lives.at(-1)?.from ?? 0;
  const settled = (Date.now() - last) / 1000;
  const readings = evidence.readings.map((reading) => ({ ...reading, statuses: [...reading.statuses] }));
  const line = `${lives.length} kills, ${delivered} delivered, settled in ${settled.toFixed(1)} s`;
  await report(line, scene, { out: values.out, evidence: { lives, evidence: { ...evidence, readings } } });
}
