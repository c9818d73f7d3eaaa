import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CampaignResult, printScenario, runCampaign, sizeOf } from '../campaign.ts';
import { type CrashRunResult, runCrashes } from './crash-run.ts';
import { hasNoFindings, isSignificant, summarize, summaryLines } from './report.ts';

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
  const isWell = await runCampaign({
    size: sizeOf(values),
    runScenario: async (order) => runCrashes({ ...order, quiet }),
    describe,
    summarize: sum,
  });
  process.exitCode = isWell ? 0 : 1;
}

function sum(scenes: readonly CrashRunResult[]): CampaignResult {
  const tally = summarize(scenes);
  return {
    lines: summaryLines(tally),
    hasNoFindings: hasNoFindings(tally),
    isSignificant: isSignificant(tally),
    insufficientReason: 'nothing was aborted',
  };
}

async function describe(scene: CrashRunResult): Promise<void> {
  const { lives, evidence } = scene;
  const { requests, enough, telling } = summarize([scene]);
  const line = `${lives.length} kills, ${requests} aborts in ${telling} of ${enough} lives`;
  await printScenario(line, scene, { out: values.out, evidence: { lives, evidence } });
}
