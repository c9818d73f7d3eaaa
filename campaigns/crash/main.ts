import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CampaignResult, printScenario, runCampaign, sizeOf } from './campaign.ts';
import { hasNoFindings, isSignificant, summarize, summaryLines } from './report.ts';
import { runScenario, type ScenarioResult } from './scenario.ts';

const usage = `npm run crash -- [options]
  --runs 1000   number of kills
  --lives 8     kills per state directory, before a last start in which all notifications must be delivered
  --seed 1      seed of the first state directory; each further one adds 1
  --jobs 2      state directories at the same time
  --out DIR     directory for the evidence of findings; default .bench/crash
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
else process.exitCode = (await runCampaign({ size: sizeOf(values), runScenario, describe, summarize: sum })) ? 0 : 1;

function sum(scenes: readonly ScenarioResult[]): CampaignResult {
  const tally = summarize(scenes);
  return {
    lines: summaryLines(tally),
    hasNoFindings: hasNoFindings(tally),
    isSignificant: isSignificant(tally),
    insufficientReason: 'nothing was delivered',
  };
}

async function describe(scene: ScenarioResult): Promise<void> {
  const { runs, deliveries, evidence } = scene;
  const delivered = deliveries.reduce((all, one) => all + one.delivered, 0);
  const last = evidence.runs.at(-1)?.from ?? 0;
  const settled = (Date.now() - last) / 1000;
  const readings = evidence.statusReplies.map((reading) => ({ ...reading, statuses: [...reading.statuses] }));
  const line = `${runs.length} kills, ${delivered} delivered, settled in ${settled.toFixed(1)} s`;
  await printScenario(line, scene, { out: values.out, evidence: { lives: runs, evidence: { ...evidence, readings } } });
}
