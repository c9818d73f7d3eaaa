import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CampaignResult, printScenario, runCampaign, sizeOf } from '../campaign.ts';
import { type CrashRunResult, runCrashes } from './crash-run.ts';
import { hasNoFindings, isSignificant, summarize, summaryLines } from './report.ts';

const usage = `npm run crash:guard -- [options]
  --runs 1000           number of kills of a daemon with an enforcing guard
  --kills-per-state 50  kills per state directory, before a last start in which all intents must get an outcome
  --seed 1              seed of the first state directory; each further one adds 1
  --jobs 6              state directories at the same time
  --last-run 42         duration in seconds of the last run, from its first lists on
  --out DIR             directory for the evidence of findings; default .bench/crash-guard
`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    'kills-per-state': { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '6' },
    'last-run': { type: 'string', default: '42' },
    out: { type: 'string', default: join('.bench', 'crash-guard') },
    help: { type: 'boolean', default: false },
  },
});

const settleTime = Number(values['last-run']) * 1000;
if (values.help) process.stdout.write(usage);
else {
  const isPassed = await runCampaign({
    size: sizeOf(values),
    runScenario: async (task) => runCrashes({ ...task, settleTime }),
    describe,
    summarize: summarizeResults,
  });
  process.exitCode = isPassed ? 0 : 1;
}

function summarizeResults(results: readonly CrashRunResult[]): CampaignResult {
  const summary = summarize(results);
  return {
    lines: summaryLines(summary),
    hasNoFindings: hasNoFindings(summary),
    isSignificant: isSignificant(summary),
    insufficientReason: 'nothing was aborted',
  };
}

async function describe(result: CrashRunResult): Promise<void> {
  const { runs, evidence } = result;
  const { requests, runsWithOpportunity, runsWithAbort } = summarize([result]);
  const line = `${runs.length} kills, ${requests} aborts in ${runsWithAbort} of ${runsWithOpportunity} runs that could abort`;
  await printScenario(line, result, { out: values.out, evidence: { lives: runs, evidence } });
}
