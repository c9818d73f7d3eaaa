import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import { type FolderScenario, runInFolder } from '../crash/daemon-runs.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { FailoverEnvironment } from './environment.ts';
import type { Evidence, Finding, PlayedFault } from './evidence.ts';
import { playFault } from './fault-player.ts';
import { hasTables, installLeaseLog, readLeaseLog } from './lease-log.ts';
import { evaluate, openNotifications } from './oracle/evaluate.ts';
import {
  createPlan,
  databaseFaults,
  type FaultName,
  type PlannedFault,
  type RandomPlan,
  replicaFaults,
} from './plan.ts';
import { PostgresPair } from './postgres-server.ts';
import { addressOf, Replica } from './replica.ts';
import { settingsFor } from './settings.ts';

/** Size of a scenario. */
export interface ScenarioOptions {
  readonly entry: string;
  readonly seed: number;
  readonly rounds: number;
  /** No further round begins after this time, in ms since the epoch. */
  readonly latestRound: number;
  readonly replicas: number;
  readonly clusters: number;
  /** False: one replica with SQLite. */
  readonly usesPostgres: boolean;
  /** Faults to choose from; by default all that the state has. */
  readonly faults?: readonly FaultName[];
}

/** Result of a scenario. */
export interface ScenarioResult {
  readonly seed: number;
  readonly findings: readonly Finding[];
  readonly evidence: Evidence;
  readonly logs: readonly string[];
}

const maxRecovery = 60_000;
const maxSettling = 90_000;
/** Age of the latest poll of a cluster that is polled. */
const recentPoll = 1500;
/** Time between two faults in which all replicas work. */
const calm = 4000;

/** Plays faults on the replicas of one database, one after the other, and evaluates the logs. */
export function runScenario(options: ScenarioOptions): Promise<ScenarioResult> {
  return runInFolder((folder) => new Scenario(options, folder));
}

class Scenario implements FolderScenario<ScenarioResult> {
  readonly #options: ScenarioOptions;
  readonly #folder: string;
  readonly #plan: RandomPlan;
  readonly #replicas: Replica[] = [];
  readonly #faults: PlayedFault[] = [];
  readonly #findings: Finding[] = [];
  #environment: FailoverEnvironment | undefined;
  #database: PostgresPair | undefined;

  constructor(options: ScenarioOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    const all = options.usesPostgres
      ? [...replicaFaults, ...databaseFaults]
      : (['kill', 'terminate', 'stall'] as const);
    this.#plan = createPlan(options.seed, options.replicas, options.faults ?? all);
  }

  async run(): Promise<ScenarioResult> {
    const { rounds, latestRound, usesPostgres, clusters } = this.#options;
    const names = Array.from({ length: clusters }, (_, index) => `c${index + 1}`);
    const environment = await FailoverEnvironment.start(names);
    this.#environment = environment;
    if (usesPostgres) await this.#startDatabase();
    await this.#startReplicas(environment);
    const end = new AbortController();
    const play = environment.play(this.#plan, end.signal);
    for (let round = 0; round < rounds && Date.now() < latestRound; round += 1) {
      await this.#playRound(environment, this.#plan.nextFault());
    }
    end.abort();
    await play;
    await this.#settle(environment);
    const evidence = await this.#evidence(environment);
    for (const replica of this.#replicas) await replica.stop();
    const complaints = this.#replicas.flatMap(({ problems }) => problems);
    const findings = [...evaluate(evidence), ...this.#findings, ...complaints.map(complaint)];
    return { seed: this.#options.seed, findings, evidence, logs: this.#replicas.map(({ log }) => log) };
  }

  async close(): Promise<void> {
    for (const replica of this.#replicas) {
      replica.thaw();
      await replica.kill();
      await replica.proxy?.close();
    }
    await this.#database?.close();
    await this.#environment?.close();
  }

  async #startDatabase(): Promise<void> {
    // The server runs as another user.
    await chmod(this.#folder, 0o777);
    this.#database = await PostgresPair.start(this.#folder);
    await this.#database.addStandby();
  }

  async #startReplicas(environment: FailoverEnvironment): Promise<void> {
    const database = this.#database;
    for (let index = 0; index < this.#options.replicas; index += 1) {
      const proxy = database && (await DatabaseProxy.open(database.port, addressOf(index)));
      const stateFolder = join(this.#folder, `state${index}`);
      const file = join(this.#folder, `graphwarden${index}.yml`);
      await mkdir(stateFolder, { mode: 0o700 });
      const clusters = environment.clusters.map(({ name, simulator }) => ({
        name,
        nodes: simulator.nodes.map((node) => ({ name: node.name, url: node.url, instance: node.instance })),
      }));
      const target = { clusters, receiverUrl: environment.receiverUrl, stateFolder, databasePort: proxy?.port };
      await writeFile(file, stringify(settingsFor(target)), { mode: 0o600 });
      const replica = new Replica({ index, entry: this.#options.entry, file, proxy });
      this.#replicas.push(replica);
      replica.start(this.#plan.nextSkew());
      if (index === 0 && database !== undefined) {
        await until(() => hasTables(database), 'the first replica creates its tables', replica);
        await installLeaseLog(database);
      }
    }
    if (await this.#areAllPolled(environment)) return;
    throw new Error(`not every cluster is polled: ${this.#replicas.map(({ log }) => log.slice(-1000)).join('\n')}`);
  }

  async #playRound(environment: FailoverEnvironment, planned: PlannedFault): Promise<void> {
    const database = this.#database;
    const fault = await playFault(planned, { replicas: this.#replicas, environment, database });
    await fault.over;
    const from = Date.now();
    // After a failover, the address of the database leads to the new primary.
    if (!(await this.#areAllPolled(environment))) {
      const about = `not every cluster is polled ${maxRecovery / 1000} s after ${planned.name} (${fault.moment}) at ${from}`;
      this.#findings.push({ kind: 'not polled again', about });
    }
    const recoveries = environment.clusters.map(({ name: cluster }) => {
      return { cluster, after: environment.longestGap(cluster, fault.at, Date.now()) };
    });
    const slowest = Math.max(...recoveries.map(({ after }) => after));
    process.stderr.write(`seed ${this.#options.seed}: ${planned.name} (${fault.moment}), longest gap ${slowest} ms\n`);
    this.#faults.push({
      name: planned.name,
      moment: fault.moment,
      replica: fault.replica.index,
      at: fault.at,
      until: from,
      recoveries,
    });
    await pause(calm);
  }

  async #areAllPolled(environment: FailoverEnvironment): Promise<boolean> {
    const latest = Date.now() + maxRecovery;
    const isPolled = ({ name }: { readonly name: string }): boolean =>
      environment.firstPoll(name, Date.now() - recentPoll) !== undefined;
    while (Date.now() < latest && this.#replicas.some(({ isRunning }) => isRunning)) {
      if (environment.clusters.every(isPolled)) return true;
      await pause(100);
    }
    return false;
  }

  /** Waits until the receiver knows the end of each incident. */
  async #settle({ notifications }: FailoverEnvironment): Promise<void> {
    const latest = Date.now() + maxSettling;
    await pause(calm);
    while (Date.now() < latest && openNotifications(notifications).length > 0) await pause(250);
  }

  async #evidence(environment: FailoverEnvironment): Promise<Evidence> {
    const logged = this.#database === undefined ? { leases: [], writes: [] } : await readLeaseLog(this.#database);
    const { requests, notifications, startedQueries, outages } = environment;
    const runs = this.#replicas.flatMap((replica) => replica.runs);
    return { requests, notifications, startedQueries, outages, runs, faults: this.#faults, ...logged };
  }
}

async function until(condition: () => Promise<boolean>, about: string, replica: Replica): Promise<void> {
  const latest = Date.now() + maxRecovery;
  while (Date.now() < latest && replica.isRunning) {
    if (await condition()) return;
    await pause(100);
  }
  throw new Error(`not within ${maxRecovery / 1000} s: ${about}: ${replica.log.slice(-2000)}`);
}

function complaint(about: string): Finding {
  return { kind: 'complaint', about };
}
