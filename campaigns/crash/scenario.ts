import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { type Daemon, timelineOf } from './daemon.ts';
import { DaemonRuns, type FolderScenario, runInFolder } from './daemon-runs.ts';
import { nameOf, TestEnvironment } from './environment.ts';
import type { Evidence, Finding, TimelineEntry } from './evidence.ts';
import { FaultyFolder } from './faulty-folder.ts';
import { KillTimer } from './kill-timer.ts';
import { checkEvidence, type OracleResult } from './oracle/check.ts';
import { openIncidentsAt } from './oracle/notified-incidents.ts';
import {
  createPlan,
  type DiskFault,
  instances,
  type Kill,
  type Moment,
  type RandomPlan,
  type ReceiverChange,
} from './plan.ts';
import { digestReceiver, receiverOptions, receiversWithSameIds, routedReceivers, settingsFor } from './settings.ts';

/** State directory and the number of kills. */
export interface ScenarioOptions {
  /** Program to run. */
  readonly entry: string;
  readonly seed: number;
  readonly kills: number;
  /** Whether the state directory disappears and reloads change receivers. */
  readonly hasFaults: boolean;
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
/** Log lines about an absent state directory. */
const expectedLogLines = [
  'state store unavailable',
  'state store write failed',
  'notification queue write failed',
  'copy of the accepted config not stored',
  'control socket unavailable',
];
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
  readonly #randomPlan: RandomPlan;
  readonly #daemons: DaemonRuns;
  readonly #settleFindings: Finding[] = [];
  readonly #kills: Kill[] = [];
  readonly #state: FaultyFolder;
  /** Receiver that is absent or has another name in the configuration. */
  #changed: ReceiverChange | undefined;
  #environment: TestEnvironment | undefined;
  readonly #killTimer = new KillTimer<Moment>(systemClock);

  constructor(options: ScenarioOptions, folder: string) {
    this.#options = options;
    this.#state = new FaultyFolder(join(folder, 'state'));
    this.#file = join(folder, 'graphwarden.yml');
    this.#randomPlan = createPlan(options.seed, options.hasFaults);
    this.#daemons = new DaemonRuns(options.entry, this.#file, options.hasFaults ? expectedLogLines : []);
  }

  async run(): Promise<ScenarioResult> {
    const environment = await TestEnvironment.start(this.#killTimer.record);
    this.#environment = environment;
    await this.#writeSettings(environment);
    const end = new AbortController();
    const statusChanges = environment.changeStatuses(this.#randomPlan, end.signal);
    for (let kill = 0; kill < this.#options.kills; kill += 1) await this.#runDaemon(environment);
    end.abort();
    await statusChanges;
    return await this.#settle(environment);
  }

  async close(): Promise<void> {
    await this.#daemons.close();
    await this.#environment?.close();
  }

  /** Runs one daemon until it is killed. */
  async #runDaemon(environment: TestEnvironment): Promise<void> {
    environment.setReceiverBehavior(this.#randomPlan);
    const kill = this.#randomPlan.nextKill();
    this.#kills.push(kill);
    const disk = this.#randomPlan.nextDiskFault();
    const reload = this.#randomPlan.nextReload();
    if (disk?.after === 0) await this.#state.takeAway(disk.obstacle);
    const daemon = this.#start(environment);
    if (disk !== undefined) await this.#returnDisk(environment, daemon, disk);
    if (reload !== undefined) await this.#reload(environment, daemon, this.#changed === undefined ? reload : undefined);
    await this.#killTimer.wait(kill, () => daemon.kill(), maxMomentWait);
    environment.endRun();
    daemon.kill();
    await this.#daemons.expectKill(daemon);
    await pause(this.#randomPlan.pause());
  }

  #writeSettings(environment: TestEnvironment): Promise<void> {
    const settings = settingsFor({
      nodes: environment.simulator.nodes.map(({ name, url }) => ({ name, url })),
      receivers: environment.receivers.all,
      stateDir: this.#state.path,
      changed: this.#changed,
    });
    return writeFile(this.#file, stringify(settings));
  }

  /** Removes the state directory unless it is absent since the start, restores it, and waits until the daemon uses it again. */
  async #returnDisk(
    environment: TestEnvironment,
    daemon: Daemon,
    { after, length, obstacle }: DiskFault,
  ): Promise<void> {
    await this.#until('the daemon listens', () => daemon.url() !== undefined);
    await pause(after);
    const from = after > 0 ? Date.now() : (environment.runs.at(-1)?.from ?? 0);
    if (after > 0) await this.#state.takeAway(obstacle);
    await pause(length);
    await this.#state.giveBack();
    const isBackSince = Date.now();
    await this.#until(
      'the daemon stores changes in the state directory again',
      () => (this.#state.lastChangeAt() ?? 0) > isBackSince,
    );
    // The daemon has to merge the state of the file that existed before its start.
    if (after === 0)
      await this.#until('the daemon merged its state', () => daemon.countLogged('state directory merged') > 0);
    environment.recordDisturbance({ kind: 'disk', isLate: after === 0, from });
  }

  /** Changes the configured receivers while a daemon runs; without a change, reverts the last one. */
  async #reload(environment: TestEnvironment, daemon: Daemon, changed: ReceiverChange | undefined): Promise<void> {
    await this.#until('the daemon listens', () => daemon.url() !== undefined);
    const [from, reloads] = [Date.now(), daemon.countLogged('config reloaded')];
    const change = changed?.change ?? (this.#changed?.change === 'remove' ? 'add' : 'rename');
    const receiver = changed?.receiver ?? this.#changed?.receiver ?? '';
    this.#changed = changed;
    await this.#writeSettings(environment);
    daemon.reload();
    await this.#until('the daemon applied its configuration', () => daemon.countLogged('config reloaded') > reloads);
    environment.recordDisturbance({ kind: 'reload', change, receiver, from });
  }

  #start(environment: TestEnvironment): Daemon {
    environment.startRun();
    return this.#daemons.start();
  }

  /**
   * Runs the daemon without faults: it has to send notifications of all open incidents, then that they are resolved.
   */
  async #settle(environment: TestEnvironment): Promise<ScenarioResult> {
    environment.setReceiverBehavior();
    const daemon = this.#start(environment);
    if (this.#changed !== undefined) await this.#reload(environment, daemon, undefined);
    await this.#until('each receiver has all open incidents', () => allReceiversNotified(environment));
    environment.recover();
    await this.#until('each receiver has no open incident', () => allReceiversNotified(environment));
    await this.#until('all notifications are delivered', () => hasNoDeliveryFindings(this.#evaluate(environment, [])));
    const replies = environment.statusReplies.length;
    await this.#until('the daemon polled the last status', () => environment.statusReplies.length > replies + 1);
    const timeline = await timelineOf(daemon.url() ?? '');
    await this.#daemons.stopCleanly(daemon);
    const evaluation = this.#evaluate(environment, timeline);
    return {
      ...evaluation,
      findings: [...this.#daemons.problems, ...this.#settleFindings, ...evaluation.findings],
      seed: this.#options.seed,
      runs: this.#kills.map(({ moment }, run) => ({ moment, delivered: hasDelivered(evaluation, run) })),
      evidence: evidenceOf(environment, timeline),
    };
  }

  #evaluate(environment: TestEnvironment, timeline: readonly TimelineEntry[]): OracleResult {
    const names = {
      receivers: receiverOptions.map(({ name }) => name),
      digests: { receiver: digestReceiver, others: receiversWithSameIds },
    };
    return checkEvidence({ ...names, instances: instances.map(nameOf) }, evidenceOf(environment, timeline));
  }

  async #until(what: string, isReached: () => boolean): Promise<void> {
    const end = Date.now() + settleTimeout;
    while (!isReached()) {
      if (Date.now() > end) {
        this.#settleFindings.push({ kind: 'unsettled', about: `not within ${settleTimeout / 1000} s: ${what}` });
        return;
      }
      await pause(50);
    }
  }
}

function evidenceOf(
  { runs, statusReplies, notifications, disturbances }: TestEnvironment,
  timeline: readonly TimelineEntry[],
): Evidence {
  return { runs, statusReplies, notifications, disturbances, timeline };
}

function allReceiversNotified(environment: TestEnvironment): boolean {
  const unhealthy = environment.unhealthyInstances().join();
  return routedReceivers.every((receiver) => openIncidentsAt(receiver, environment).join() === unhealthy);
}

/** Returns true if no delivery is missing. It ignores timeline findings, since the timeline is not requested yet. */
function hasNoDeliveryFindings({ findings }: OracleResult): boolean {
  return findings.every(({ kind }) => kind !== 'lost' && kind !== 'left open' && kind !== 'not in the digest');
}

function hasDelivered({ deliveries }: OracleResult, run: number): boolean {
  return deliveries.some(({ runsWithDelivery }) => runsWithDelivery.has(run));
}
