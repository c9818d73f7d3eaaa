import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { Millis } from '../../src/kernel/time.ts';
import { type FolderScenario, runInFolder } from '../crash/daemon-runs.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { FailoverEnvironment } from './environment.ts';
import type { Evidence, Finding, InjectedFault, OutageAnswer } from './evidence.ts';
import { type BegunFault, startFault } from './fault-player.ts';
import { hasTables, installLeaseLog, readLeaseLog } from './lease-log.ts';
import { evaluate, missingEnds, openNotifications } from './oracle/evaluate.ts';
import { watchOutage } from './outage-watch.ts';
import {
  createPlan,
  databaseFaults,
  type FaultName,
  outage,
  type PlannedFault,
  type PlannedRound,
  type PlanOptions,
  processFaults,
  type RandomPlan,
  replicaFaults,
} from './plan.ts';
import { PostgresPair } from './postgres-pair.ts';
import { usualLease } from './program.ts';
import { addressOf, Replica } from './replica.ts';
import { settingsFor } from './settings.ts';

/** Size of a scenario. */
export interface ScenarioOptions extends Pick<PlanOptions, 'seed' | 'replicas' | 'moments' | 'length'> {
  readonly entry: string;
  readonly rounds: number;
  /** No further round begins after this time, in ms since the epoch. */
  readonly latestRound: number;
  readonly clusters: number;
  /** False: one replica with SQLite. */
  readonly usesPostgres: boolean;
  /** Length of a lease in the program; by default the usual one. */
  readonly lease?: Millis;
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
/** Shortest time between two rounds. */
const calm = 1000;
/** Longest wait until each replica has its share of the clusters, so that a fault of any of them moves some. */
const maxBalancing = 8000;

/** Injects faults into the replicas of one database, in rounds, and evaluates the logs. */
export function runScenario(options: ScenarioOptions): Promise<ScenarioResult> {
  return runInFolder((folder) => new Scenario(options, folder));
}

class Scenario implements FolderScenario<ScenarioResult> {
  readonly #options: ScenarioOptions;
  readonly #folder: string;
  readonly #plan: RandomPlan;
  readonly #replicas: Replica[] = [];
  readonly #faults: InjectedFault[] = [];
  readonly #answers: OutageAnswer[] = [];
  readonly #possible: readonly FaultName[];
  readonly #lease: Millis;
  readonly #findings: Finding[] = [];
  #environment: FailoverEnvironment | undefined;
  #database: PostgresPair | undefined;

  constructor(options: ScenarioOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    const { usesPostgres, lease = usualLease } = options;
    const all = usesPostgres ? [...replicaFaults, ...databaseFaults] : processFaults;
    this.#possible = options.faults ?? all;
    this.#lease = lease;
    this.#plan = createPlan({ ...options, lease, faults: this.#possible });
  }

  async run(): Promise<ScenarioResult> {
    const { rounds, latestRound, usesPostgres, clusters } = this.#options;
    const names = Array.from({ length: clusters }, (_, index) => `c${index + 1}`);
    const environment = await FailoverEnvironment.start(names);
    this.#environment = environment;
    if (usesPostgres) await this.#startDatabase();
    await this.#startReplicas(environment);
    const end = new AbortController();
    const injection = environment.injectFaults(this.#plan, end.signal);
    await this.#waitForBalance(environment);
    for (let round = 0; round < rounds && Date.now() < latestRound; round += 1) {
      await this.#playRound(environment, this.#plan.nextRound());
    }
    end.abort();
    await injection;
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
    this.#database = await PostgresPair.start();
    if (this.#possible.includes('database failover')) await this.#database.addStandby();
  }

  async #startReplicas(environment: FailoverEnvironment): Promise<void> {
    const database = this.#database;
    for (let index = 0; index < this.#options.replicas; index += 1) {
      const proxy = database && (await DatabaseProxy.open(database.port, addressOf(index)));
      const stateDir = join(this.#folder, `state${index}`);
      const file = join(this.#folder, `graphwarden${index}.yml`);
      await mkdir(stateDir, { mode: 0o700 });
      const clusters = environment.clusters.map(({ name, simulator }) => ({
        name,
        nodes: simulator.nodes.map((node) => ({ name: node.name, url: node.url, instance: node.instance })),
      }));
      const target = { clusters, receiverUrl: environment.receiverUrl, stateDir, databasePort: proxy?.port };
      await writeFile(file, stringify(settingsFor(target)), { mode: 0o600 });
      const replica = new Replica({ index, entry: this.#options.entry, file, proxy });
      this.#replicas.push(replica);
    }
    if (database !== undefined) await this.#prepareDatabase(database);
    for (const replica of this.#replicas) replica.start(this.#plan.nextSkew());
    if (await this.#areAllPolled(environment)) return;
    throw new Error(`not every cluster is polled: ${this.#replicas.map(({ log }) => log.slice(-1000)).join('\n')}`);
  }

  /** Lets a replica create the tables, and adds the log to them while none runs. */
  async #prepareDatabase(database: PostgresPair): Promise<void> {
    const [first] = this.#replicas;
    if (first === undefined) return;
    first.start(0);
    await until(() => hasTables(database), 'the first replica creates its tables', first);
    await until(async () => first.url !== undefined, 'the first replica listens', first);
    await first.stop();
    await installLeaseLog(database);
  }

  async #playRound(environment: FailoverEnvironment, { first, second }: PlannedRound): Promise<void> {
    const begun = await this.#begin(environment, first);
    const injected = [this.#whenOver(environment, first, begun, second !== undefined)];
    if (second !== undefined) {
      const { index } = begun.replica;
      const replica = second.replica === index ? (index + 1) % this.#replicas.length : second.replica;
      const other = { ...second, replica };
      injected.push(this.#whenOver(environment, other, await this.#begin(environment, other), true));
    }
    this.#faults.push(...(await Promise.all(injected)));
    await pause(calm);
    await this.#waitForBalance(environment);
  }

  #begin(environment: FailoverEnvironment, planned: PlannedFault): Promise<BegunFault> {
    return startFault(planned, {
      replicas: this.#replicas,
      environment,
      database: this.#database,
      lease: this.#lease,
    });
  }

  /** Waits for the end of a fault, and until all clusters are polled again. */
  async #whenOver(
    environment: FailoverEnvironment,
    { name }: PlannedFault,
    fault: BegunFault,
    isOverlapped: boolean,
  ): Promise<InjectedFault> {
    const { at, moment, over } = fault;
    const end = new AbortController();
    const outageAnswers = name === outage ? watchOutage(this.#replicas, end.signal) : [];
    await over;
    end.abort();
    this.#answers.push(...(await outageAnswers));
    const endedAt = Date.now();
    if (!(await this.#areAllPolled(environment))) {
      const about = `not every cluster is polled ${maxRecovery / 1000} s after ${name} (${moment}) at ${endedAt}`;
      this.#findings.push({ kind: 'not polled again', about });
    }
    const now = Date.now();
    const gaps = environment.clusters.map(({ name: cluster }) => [cluster, environment.longestGap(cluster, at, now)]);
    const injected = { name, moment, replica: fault.replica.index, at, until: endedAt, isOverlapped };
    process.stderr.write(
      `seed ${this.#options.seed}: ${name} (${moment}), longest gap ${Math.max(...gaps.map(([, gap]) => Number(gap)))} ms\n`,
    );
    return { ...injected, gaps: Object.fromEntries(gaps) };
  }

  /** Waits until each replica polls clusters. */
  async #waitForBalance(environment: FailoverEnvironment): Promise<void> {
    const latest = Date.now() + maxBalancing;
    const share = Math.floor(this.#options.clusters / this.#replicas.length) - 1;
    const hasShare = (counts: ReadonlyMap<number, number>): boolean =>
      this.#replicas.every(({ index }) => (counts.get(index) ?? 0) >= share);
    while (Date.now() < latest && !hasShare(environment.polledBy(Date.now() - recentPoll))) await pause(200);
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
    await pause(4 * calm);
    const isOpen = (): boolean =>
      openNotifications(notifications).length > 0 || missingEnds({ notifications, faults: this.#faults }).length > 0;
    while (Date.now() < latest && isOpen()) await pause(250);
  }

  async #evidence(environment: FailoverEnvironment): Promise<Evidence> {
    const logged = this.#database === undefined ? { leases: [], writes: [] } : await readLeaseLog(this.#database);
    const { requests, notifications, startedQueries, outages } = environment;
    const runs = this.#replicas.flatMap((replica) => replica.runs);
    const own = { lease: this.#lease, faults: this.#faults, answers: this.#answers };
    return { requests, notifications, startedQueries, outages, runs, ...own, ...logged };
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
