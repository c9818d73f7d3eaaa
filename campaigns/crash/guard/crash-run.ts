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

/** State folder and the number of kills. */
export interface CrashRunOptions {
  /** Program to run. */
  readonly entry: string;
  readonly seed: number;
  readonly kills: number;
  /** How long the last life lasts from its first lists on, ms; intents have to have their outcomes then. */
  readonly quiet: number;
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
  readonly lives: readonly ProcessRunResult[];
  /** Aborts under way when the daemon was killed. */
  readonly unanswered: number;
  readonly evidence: Evidence;
}

/** Maximum time to wait for a moment. */
const longestWait = 15_000;
/** Maximum time until a daemon sends its first requests, on a busy machine. */
const timeout = 120_000;
/** Log lines that are expected: the guard logs an error for an abort that does not end its query. */
const expected = ['an abort did not end its query'];

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
  readonly #fate: RandomPlan;
  readonly #doom = new KillTimer<KillTrigger>(systemClock);
  readonly #daemons: DaemonRuns;
  readonly #unsettled: Finding[] = [];
  readonly #lives: ProcessRunResult[] = [];
  #stage: SimulatedEnvironment | undefined;

  constructor(options: CrashRunOptions, folder: string) {
    this.#options = options;
    this.#file = join(folder, 'graphwarden.yml');
    this.#state = join(folder, 'state');
    this.#fate = createRandomPlan(options.seed);
    this.#daemons = new DaemonRuns(options.entry, this.#file, expected);
  }

  async run(): Promise<CrashRunResult> {
    await mkdir(this.#state, { mode: 0o700 });
    const stage = await SimulatedEnvironment.set(this.#state, this.#doom.record);
    this.#stage = stage;
    const nodes = stage.simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
    await writeFile(this.#file, stringify(settingsFor({ nodes, stateFolder: this.#state }, this.#fate.limits)));
    const end = new AbortController();
    const churn = stage.churn(this.#fate, end.signal);
    for (let kill = 0; kill < this.#options.kills; kill += 1) await this.#live(stage);
    end.abort();
    await churn;
    return await this.#settle(stage);
  }

  async close(): Promise<void> {
    await this.#daemons.close();
    await this.#stage?.close();
  }

  /** Runs one daemon until it is killed. */
  async #live(stage: SimulatedEnvironment): Promise<void> {
    await stage.beginLife(this.#fate);
    const kill: KillMoment<KillTrigger> = this.#fate.nextKill();
    const daemon = this.#daemons.start();
    const hasCome = await this.#doom.wait(kill, () => daemon.kill(), longestWait);
    daemon.kill();
    this.#lives.push({ moment: kill.moment, hasCome });
    await this.#daemons.expectKill(daemon);
    await stage.endLife();
    await pause(this.#fate.pause());
  }

  /** Runs the daemon without kills and without new queries, so that each abort under way gets its outcome. */
  async #settle(stage: SimulatedEnvironment): Promise<CrashRunResult> {
    await stage.beginLastLife(this.#fate);
    const daemon = this.#daemons.start();
    const latest = Date.now() + timeout;
    while (!stage.isListing() && Date.now() < latest) await pause(50);
    if (!stage.isListing())
      this.#unsettled.push({ kind: 'unsettled', about: `not every node was listed within ${timeout / 1000} s` });
    await pause(this.#options.quiet);
    const endedAt = Date.now();
    await this.#daemons.stopCleanly(daemon);
    const evidence = stage.evidence(this.#fate, { rows: readAudit(this.#state), endedAt });
    const evaluation = evaluate(evidence);
    return {
      ...evaluation,
      findings: [...this.#daemons.complaints, ...this.#unsettled, ...evaluation.findings],
      seed: this.#options.seed,
      lives: this.#lives,
      unanswered: stage.unanswered,
      evidence,
    };
  }
}
