import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One state directory and the number of kills. */
export interface ScenarioTask {
  /** The bundle that is started and killed. */
  readonly entry: string;
  readonly seed: number;
  readonly kills: number;
}

/** Result of all scenarios. */
export interface CampaignResult {
  readonly lines: readonly string[];
  readonly hasNoFindings: boolean;
  /** Whether enough happened for a significant result. */
  readonly isSignificant: boolean;
  /** Reason if the result is not significant, such as `nothing was delivered`. */
  readonly insufficientReason: string;
}

/** Scenarios of one kind. */
export interface Campaign<Result> {
  /** Total kills, kills per directory, first seed, and directories at the same time. */
  readonly size: {
    readonly runs: number;
    readonly killsPerState: number;
    readonly seed: number;
    readonly jobs: number;
  };
  readonly runScenario: (task: ScenarioTask) => Promise<Result>;
  /** Called with each scenario when it ends. */
  readonly describe: (result: Result) => Promise<void>;
  readonly summarize: (results: readonly Result[]) => CampaignResult;
}

/** Parses the size from the command line. */
export function sizeOf(
  options: Readonly<Record<'runs' | 'kills-per-state' | 'seed' | 'jobs', string>>,
): Campaign<unknown>['size'] {
  const { runs, 'kills-per-state': killsPerState, seed, jobs } = options;
  return { runs: Number(runs), killsPerState: Number(killsPerState), seed: Number(seed), jobs: Number(jobs) };
}

/** A violated guarantee, with a sentence about it. */
export interface CampaignFinding {
  readonly kind: string;
  readonly about: string;
}

/** Runs all scenarios, prints the summary, and returns whether all guarantees held. */
export async function runCampaign<Result>(campaign: Campaign<Result>): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'graphwarden-crash-'));
  const entry = join(folder, 'graphwarden.mjs');
  // The bundle starts in a third of the time, and later edits of the sources do not change it.
  execFileSync(process.execPath, ['tools/build/bundle.ts', entry], { stdio: 'ignore' });
  const startedAt = performance.now();
  try {
    const results = await runScenarios(campaign, entry);
    const { lines, hasNoFindings, isSignificant, insufficientReason } = campaign.summarize(results);
    const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
    process.stdout.write(`\n${lines.join('\n')}\n${results.length} state directories, ${minutes} min\n`);
    process.stdout.write(hasNoFindings ? 'All guarantees held.\n' : 'NOT all guarantees held.\n');
    if (!isSignificant) process.stdout.write(`In most runs ${insufficientReason}: the result is not significant.\n`);
    return hasNoFindings && isSignificant;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Prints a scenario and its findings, and writes the evidence to a file if there are findings. */
export async function printScenario(
  line: string,
  { seed, findings }: { readonly seed: number; readonly findings: readonly CampaignFinding[] },
  { out, evidence }: { readonly out: string; readonly evidence: object },
): Promise<void> {
  process.stdout.write(`seed ${seed}: ${line}${findings.length === 0 ? '' : `, ${findings.length} FINDINGS`}\n`);
  for (const { kind, about } of findings) process.stdout.write(`  ${kind}: ${about.slice(0, 500)}\n`);
  if (findings.length === 0) return;
  await mkdir(out, { recursive: true });
  await writeFile(join(out, `seed-${seed}.json`), `${JSON.stringify({ findings, ...evidence }, null, 1)}\n`);
}

async function runScenarios<Result>(
  { size, runScenario, describe }: Campaign<Result>,
  entry: string,
): Promise<readonly Result[]> {
  const { runs, killsPerState, seed, jobs } = size;
  const count = Math.ceil(runs / killsPerState);
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const index = next++;
      const result = await runScenario({
        entry,
        seed: seed + index,
        kills: Math.min(killsPerState, runs - index * killsPerState),
      });
      results.push(result);
      await describe(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}
