import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CampaignResult, printScenario, runCampaign, type ScenarioTask, sizeOf } from './campaign.ts';
import { hasNoFindings, isSignificant, summarize, summaryLines } from './report.ts';
import { runScenario, type ScenarioResult } from './scenario.ts';

const usage = `npm run crash -- [options]
  --runs 1000          number of kills
  --kills-per-state 8  kills per state directory, before a last start in which all notifications must be delivered
  --seed 1             seed of the first state directory; each further one adds 1
  --jobs 2             state directories at the same time
  --no-faults          leave the state directory and the receivers alone: only kills, and receivers that fail
  --out DIR            directory for the evidence of findings; default .bench/crash
`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    runs: { type: 'string', default: '1000' },
    'kills-per-state': { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    faults: { type: 'boolean', default: true },
    out: { type: 'string', default: join('.bench', 'crash') },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) process.stdout.write(usage);
else {
  const campaign = { size: sizeOf(values), runScenario: runTask, describe, summarize: summarizeResults };
  process.exitCode = (await runCampaign(campaign)) ? 0 : 1;
}

function runTask(task: ScenarioTask): Promise<ScenarioResult> {
  return runScenario({ ...task, hasFaults: values.faults });
}

function summarizeResults(results: readonly ScenarioResult[]): CampaignResult {
  const summary = summarize(results);
  return {
    lines: summaryLines(summary),
    hasNoFindings: hasNoFindings(summary),
    isSignificant: isSignificant(summary),
    insufficientReason: 'nothing was delivered',
  };
}

async function describe(result: ScenarioResult): Promise<void> {
  const { runs, deliveries, evidence } = result;
  const delivered = deliveries.reduce((all, one) => all + one.delivered, 0);
  const lastStart = evidence.runs.at(-1)?.from ?? 0;
  const settleSeconds = (Date.now() - lastStart) / 1000;
  const statusReplies = evidence.statusReplies.map((reply) => ({ ...reply, statuses: [...reply.statuses] }));
  const line = `${runs.length} kills, ${delivered} delivered, settled in ${settleSeconds.toFixed(1)} s`;
  await printScenario(line, result, {
    out: values.out,
    evidence: { runs, evidence: { ...evidence, statusReplies: statusReplies } },
  });
}
