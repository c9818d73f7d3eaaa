import { type FSWatcher, watch } from 'node:fs';
import { systemClock } from '../../../src/runtime/clock.ts';
import { listen } from '../../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../../src/simulator/simulator.ts';
import type { DaemonRun } from '../evidence.ts';
import { observeListener, type RequestObserver } from '../observed-listener.ts';
import { type Evidence, isAbort, isList, type StartedQuery } from './evidence.ts';
import { type KillTrigger, type QueryStart, queryKinds, type RandomPlan } from './plan.ts';

const grantedTimeout = 3_600_000;
/** Number of list requests after which a daemon knows the running queries. */
const listsUntilKnown = 3;

/** Simulated cluster of one scenario, in this process, with its logs. */
export class SimulatedEnvironment {
  readonly simulator: Simulator;
  readonly runs: DaemonRun[] = [];
  readonly #startedQueries: StartedQuery[] = [];
  readonly #log: EnvironmentLog;
  readonly #disk: FSWatcher;
  #removeFault: () => Promise<void> = () => Promise.resolve();

  /**
   * Starts the environment with `folder` as the state directory. It calls `onMoment` synchronously for each moment, before any
   * other handler runs.
   */
  static async start(folder: string, onMoment: (moment: KillTrigger) => void): Promise<SimulatedEnvironment> {
    const log = new EnvironmentLog(onMoment);
    const ports = { listen: observeListener(listen, log), clock: systemClock };
    const simulator = await startSimulator({ nodes: 2, maxConcurrentQueries: 1000 }, ports);
    return new SimulatedEnvironment(simulator, log, folder);
  }

  private constructor(simulator: Simulator, log: EnvironmentLog, folder: string) {
    this.simulator = simulator;
    this.#log = log;
    this.#disk = watch(folder, (_, file) => {
      if (file?.endsWith('-wal') === true) log.written();
    });
  }

  /** Number of abort requests without a response when the daemon was killed. */
  get unanswered(): number {
    return this.#log.unanswered;
  }

  /** Prepares a daemon run, with faults of abort responses by the random plan. */
  async beginRun(plan: RandomPlan): Promise<void> {
    const fault = plan.abortFault();
    if (fault !== undefined)
      this.#removeFault = await this.simulator.control.injectFault(fault, { path: /abortquery/ });
    this.#begin();
  }

  /** Begins the last run of the daemon: the cluster is healthy, except that the plan may fail all lists of one node. */
  async beginLastRun({ nodeWithoutLists }: RandomPlan): Promise<void> {
    const node = nodeWithoutLists === undefined ? undefined : this.#nameOf(nodeWithoutLists);
    if (node !== undefined) await this.simulator.control.injectFault('status_500', { node, path: /showprocesslist/ });
    this.#begin();
  }

  /** Records that the daemon was killed. */
  async endRun(): Promise<void> {
    const run = this.runs.pop();
    if (run !== undefined) this.runs.push({ ...run, killedAt: Date.now() });
    this.#log.endRun();
    await this.#removeFault();
    this.#removeFault = () => Promise.resolve();
  }

  /** Starts queries by the random plan until the signal aborts. */
  async startQueries(plan: RandomPlan, signal: AbortSignal): Promise<void> {
    for (const node of [0, 1]) {
      for (const kind of ['protected', 'observed', 'runaway', 'runaway'] as const)
        this.#start({ kind, node, runsFor: grantedTimeout, after: 0 });
    }
    while (!signal.aborted) {
      const query = plan.nextQuery();
      await systemClock.sleep(query.after, signal);
      if (!signal.aborted) this.#start(query);
    }
  }

  /** Returns true if each node got a list request since the last daemon run began. */
  isListing(): boolean {
    const from = this.runs.at(-1)?.from ?? 0;
    const lists = this.simulator.calls().filter((call) => isList(call) && call.at >= from);
    return this.simulator.nodes.every(({ name }) => lists.some(({ node }) => node === name));
  }

  /** Returns the logs together with the audit rows. */
  evidence({ limits }: RandomPlan, audit: Pick<Evidence, 'rows' | 'endedAt'>): Evidence {
    const { runs, simulator } = this;
    return {
      limits,
      runs,
      startedQueries: this.#startedQueries,
      calls: simulator.calls(),
      aborts: simulator.aborts(),
      ...audit,
    };
  }

  async close(): Promise<void> {
    this.#disk.close();
    await this.simulator.close();
  }

  #begin(): void {
    this.runs.push({ from: Date.now() });
    this.#log.beginRun();
  }

  #start({ kind, node: index, runsFor }: QueryStart): void {
    const node = this.#nameOf(index);
    if (node === undefined) throw new Error(`there is no node ${index}`);
    const abortBehavior = kind === 'unstoppable' ? { outlivesAborts: true } : {};
    const listRequest = { node, ...queryKinds[kind], runsFor, timeout: grantedTimeout, ...abortBehavior };
    const started = this.simulator.control.startQuery(listRequest);
    if (started?.startedAt === undefined) throw new Error('the queues of the simulated node are full');
    const { requestId: id, startedAt } = started;
    this.#startedQueries.push({ node, id, kind, startedAt, endsAt: startedAt + runsFor });
  }

  #nameOf(index: number): string | undefined {
    return this.simulator.nodes[index]?.name;
  }
}

/** Log of the requests to one environment, by run of the daemon. */
class EnvironmentLog implements RequestObserver {
  readonly #onMoment: (moment: KillTrigger) => void;
  #lists = 0;
  #requests = 0;
  #responses = 0;
  unanswered = 0;

  constructor(onMoment: (moment: KillTrigger) => void) {
    this.#onMoment = onMoment;
  }

  beginRun(): void {
    this.#lists = 0;
    this.#requests = 0;
    this.#responses = 0;
  }

  endRun(): void {
    this.unanswered += this.#requests - this.#responses;
  }

  /** Called when the database writes to its log. Writes before the first lists are not decisions of the guard. */
  written(): void {
    if (this.#lists >= listsUntilKnown) this.#onMoment('write');
  }

  readonly onRequest: RequestObserver['onRequest'] = (request) => {
    if (!isAbort(request)) {
      return () => {
        if (isList(request)) this.#lists += 1;
        if (isList(request) && this.#requests > 0) this.#onMoment('verify');
      };
    }
    this.#requests += 1;
    this.#onMoment('send');
    return (_, isComplete) => {
      if (!isComplete) return;
      this.#responses += 1;
      this.#onMoment('answer');
    };
  };
}
