import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { type Daemon, timelineOf } from './daemon.ts';
import { DaemonRuns, type FolderScenario, runInFolder } from './daemon-runs.ts';
import { nameOf, TestEnvironment } from './environment.ts';
import type { Evidence, Finding, TimelineEntry } from './evidence.ts';
import { KillTimer } from './kill-timer.ts';
import { checkEvidence, type OracleResult } from './oracle/check.ts';
import { openIncidentsAt } from './oracle/notified-incidents.ts';
import { createPlan, instances, type Kill, type Moment, type RandomPlan } from './plan.ts';
import { digestReceiver, receiverOptions, receiversWithSameIds, routedReceivers, settingsFor } from './settings.ts';

/** State folder and the number of kills. */
export interface ScenarioOptions {
  /** Program to run. */
  readonly entry: string;
  readonly seed: number;
  readonly kills: number;
}

/** End of one daemon run. */
export interface RunResult {
  readonly moment: Moment;
  /** True if a receiver accepted a notification during the run. */
  readonly delivered: boolean;
}

/** Result of a scenario. */
export interface ScenarioResult extends OracleResult {
  readonly seed: number;
  readonly runs: readonly RunResult[];
  /** Logs for the analysis of a finding. */
  readonly evidence: Evidence;
}

/** Maximum time to wait for a moment. */
const maxMomentWait = 15_000;
/** Maximum time until all notifications are delivered after the last kill. */
const settleTimeout = 120_000;

/**
 * Kills a daemon repeatedly, starts it once more, waits until all notifications are sent, and evaluates the evidence.
 */
export function runScenario(options: ScenarioOptions): Promise<ScenarioResult> {
  return runInFolder((folder) => new Scenario(options, folder));
}

class Scenario implements FolderScenario<ScenarioResult> {
  readonly #options: ScenarioOptions;
  readonly #file: string;
  readonly #folder: string;
  readonly #randomPlan: RandomPlan;
  readonly #daemons: DaemonRuns;
  readonly #unsettled: Finding[] = [];
  readonly #kills: Kill[] = [];
  #environment: TestEnvironment | undefined;
  readonly #killTimer = new KillTimer<Moment>(systemClock);

  constructor(options: ScenarioOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.#file = join(folder, 'graphwarden.yml');
    this.#randomPlan = createPlan(options.seed);
    this.#daemons = new DaemonRuns(options.entry, this.#file);
  }

  async run(): Promise<ScenarioResult> {
    const stage = await TestEnvironment.set(this.#killTimer.record);
    this.#environment = stage;
    await writeFile(
      this.#file,
      stringify(
        settingsFor({
          nodes: stage.simulator.nodes.map(({ name, url }) => ({ name, url })),
          receivers: stage.receivers.all,
          stateFolder: join(this.#folder, 'state'),
        }),
      ),
    );
    const end = new AbortController();
    const churn = stage.changeStatuses(this.#randomPlan, end.signal);
    for (let kill = 0; kill < this.#options.kills; kill += 1) await this.#runDaemon(stage);
    end.abort();
    await churn;
    return await this.#settle(stage);
  }

  async close(): Promise<void> {
    await this.#daemons.close();
    await this.#environment?.close();
  }

  /** Runs one daemon until it is killed. */
  async #runDaemon(stage: TestEnvironment): Promise<void> {
    stage.setManner(this.#randomPlan);
    const kill = this.#randomPlan.nextKill();
    this.#kills.push(kill);
    const daemon = this.#start(stage);
    await this.#killTimer.wait(kill, () => daemon.kill(), maxMomentWait);
    stage.endRun();
    daemon.kill();
    await this.#daemons.expectKill(daemon);
    await pause(this.#randomPlan.pause());
  }

  #start(stage: TestEnvironment): Daemon {
    stage.startRun();
    return this.#daemons.start();
  }

  /**
   * Runs the daemon without faults: it has to send notifications of all open incidents, then that they are resolved.
   */
  async #settle(stage: TestEnvironment): Promise<ScenarioResult> {
    stage.setManner();
    const daemon = this.#start(stage);
    await this.#until('each receiver has all open incidents', () => allReceiversNotified(stage));
    stage.recover();
    await this.#until('each receiver has no open incident', () => allReceiversNotified(stage));
    await this.#until('all notifications are delivered', () => hasNoDeliveryFindings(this.#evaluate(stage, [])));
    const seen = stage.statusReplies.length;
    await this.#until('the daemon polled the last status', () => stage.statusReplies.length > seen + 1);
    const timeline = await timelineOf(daemon.url() ?? '');
    await this.#daemons.stopCleanly(daemon);
    const evaluation = this.#evaluate(stage, timeline);
    return {
      ...evaluation,
      findings: [...this.#daemons.complaints, ...this.#unsettled, ...evaluation.findings],
      seed: this.#options.seed,
      runs: this.#kills.map(({ moment }, life) => ({ moment, delivered: hasDelivered(evaluation, life) })),
      evidence: evidenceOf(stage, timeline),
    };
  }

  #evaluate(stage: TestEnvironment, timeline: readonly TimelineEntry[]): OracleResult {
    const who = {
      receivers: receiverOptions.map(({ name }) => name),
      digests: { receiver: digestReceiver, others: receiversWithSameIds },
    };
    return checkEvidence({ ...who, instances: instances.map(nameOf) }, evidenceOf(stage, timeline));
  }

  async #until(what: string, isSo: () => boolean): Promise<void> {
    const end = Date.now() + settleTimeout;
    while (!isSo()) {
      if (Date.now() > end) {
        this.#unsettled.push({ kind: 'unsettled', about: `not within ${settleTimeout / 1000} s: ${what}` });
        return;
      }
      await pause(50);
    }
  }
}

function evidenceOf(
  { runs, statusReplies, notifications }: TestEnvironment,
  timeline: readonly TimelineEntry[],
): Evidence {
  return { runs, statusReplies, notifications, timeline };
}

function allReceiversNotified(stage: TestEnvironment): boolean {
  const troubled = stage.failReceiver().join();
  return routedReceivers.every((receiver) => openIncidentsAt(receiver, stage).join() === troubled);
}

/** Returns true if no delivery is missing. It ignores timeline findings, since the timeline is not requested yet. */
function hasNoDeliveryFindings({ findings }: OracleResult): boolean {
  return findings.every(({ kind }) => kind !== 'lost' && kind !== 'left open' && kind !== 'not in the digest');
}

function hasDelivered({ deliveries }: OracleResult, life: number): boolean {
  return deliveries.some(({ runsWithDelivery }) => runsWithDelivery.has(life));
}
