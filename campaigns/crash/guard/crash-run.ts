import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { systemClock } from '../../../src/runtime/clock.ts';
import { DaemonRuns, type FolderScenario, runInFolder } from '../daemon-runs.ts';
import { type KillMoment, KillTimer } from '../kill-timer.ts';
import { readAudit } from './audit.ts';
import type { Evidence, Finding } from './evidence.ts';
import { type Evaluation, evaluate } from './oracle/evaluate.ts';
import { createRandomPlan, type KillTrigger, type RandomPlan } from './plan.ts';
import { settingsFor } from './settings.ts';
import { SimulatedEnvironment } from './simulated-environment.ts';

/** State directory and the number of kills. */
export interface CrashRunOptions {
  /** Program to run. */
  readonly entry: string;
  readonly seed: number;
  readonly kills: number;
  /** Duration of the last run in ms, from its first lists on. All intents must have an outcome at its end. */
  readonly settleTime: number;
}

/** End of one daemon run. */
export interface ProcessRunResult {
  readonly moment: KillTrigger;
  /** True if the moment came; false if the run waited until its timeout and killed the daemon then. */
  readonly hasCome: boolean;
}

/** Result of a scenario. */
export interface CrashRunResult extends Evaluation {
  readonly seed: number;
  readonly runs: readonly ProcessRunResult[];
  /** Aborts under way when the daemon was killed. */
  readonly unanswered: number;
  readonly evidence: Evidence;
}

/** Maximum time to wait for a moment. */
const maxMomentWait = 15_000;
/** Maximum time until a daemon sends its first requests, on a busy machine. */
const firstListTimeout = 120_000;
/** Log lines that are expected: the guard logs an error for an abort that does not end its query. */
const expected = ['query still running after abort'];

/**
 * Kills a guard repeatedly, starts it once more, waits until all aborts have an outcome, and evaluates the evidence.
 */
export function runCrashes(options: CrashRunOptions): Promise<CrashRunResult> {
  return runInFolder((folder) => new CrashRun(options, folder));
}

class CrashRun implements FolderScenario<CrashRunResult> {
  readonly #options: CrashRunOptions;
  readonly #file: string;
  readonly #state: string;
  readonly #plan: RandomPlan;
  readonly #killTimer = new KillTimer<KillTrigger>(systemClock);
  readonly #daemons: DaemonRuns;
  readonly #settleFindings: Finding[] = [];
  readonly #runs: ProcessRunResult[] = [];
  #environment: SimulatedEnvironment | undefined;

  constructor(options: CrashRunOptions, folder: string) {
    this.#options = options;
    this.#file = join(folder, 'graphwarden.yml');
    this.#state = join(folder, 'state');
    this.#plan = createRandomPlan(options.seed);
    this.#daemons = new DaemonRuns(options.entry, this.#file, expected);
  }

  async run(): Promise<CrashRunResult> {
    await mkdir(this.#state, { mode: 0o700 });
    const environment = await SimulatedEnvironment.start(this.#state, this.#killTimer.record);
    this.#environment = environment;
    const nodes = environment.simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
    await writeFile(this.#file, stringify(settingsFor({ nodes, stateDir: this.#state }, this.#plan.limits)));
    const end = new AbortController();
    const churn = environment.startQueries(this.#plan, end.signal);
    for (let kill = 0; kill < this.#options.kills; kill += 1) await this.#runDaemon(environment);
    end.abort();
    await churn;
    return await this.#settle(environment);
  }

  async close(): Promise<void> {
    await this.#daemons.close();
    await this.#environment?.close();
  }

  /** Runs one daemon until it is killed. */
  async #runDaemon(environment: SimulatedEnvironment): Promise<void> {
    await environment.beginRun(this.#plan);
    const kill: KillMoment<KillTrigger> = this.#plan.nextKill();
    const daemon = this.#daemons.start();
    const hasCome = await this.#killTimer.wait(kill, () => daemon.kill(), maxMomentWait);
    daemon.kill();
    this.#runs.push({ moment: kill.moment, hasCome });
    await this.#daemons.expectKill(daemon);
    await environment.endRun();
    await pause(this.#plan.pause());
  }

  /** Runs the daemon without kills and without new queries, so that each abort under way gets its outcome. */
  async #settle(environment: SimulatedEnvironment): Promise<CrashRunResult> {
    await environment.beginLastRun(this.#plan);
    const daemon = this.#daemons.start();
    const latest = Date.now() + firstListTimeout;
    while (!environment.isListing() && Date.now() < latest) await pause(50);
    if (!environment.isListing())
      this.#settleFindings.push({
        kind: 'unsettled',
        about: `not every node was listed within ${firstListTimeout / 1000} s`,
      });
    await pause(this.#options.settleTime);
    const endedAt = Date.now();
    await this.#daemons.stopCleanly(daemon);
    const evidence = environment.evidence(this.#plan, { rows: readAudit(this.#state), endedAt });
    const evaluation = evaluate(evidence);
    return {
      ...evaluation,
      findings: [...this.#daemons.problems, ...this.#settleFindings, ...evaluation.findings],
      seed: this.#options.seed,
      runs: this.#runs,
      unanswered: environment.unanswered,
      evidence,
    };
  }
}
