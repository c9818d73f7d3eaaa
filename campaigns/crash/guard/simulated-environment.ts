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
const listsToKnow = 3;

/** Simulated cluster of one scenario, in this process, with its logs. */
export class SimulatedEnvironment {
  readonly simulator: Simulator;
  readonly lives: DaemonRun[] = [];
  readonly #ran: StartedQuery[] = [];
  readonly #log: EnvironmentLog;
  readonly #disk: FSWatcher;
  #healed: () => Promise<void> = () => Promise.resolve();

  /**
   * Starts the environment with `folder` as the state folder. It calls `happened` synchronously for each moment, before
   * any other handler runs.
   */
  static async set(folder: string, happened: (moment: KillTrigger) => void): Promise<SimulatedEnvironment> {
    const log = new EnvironmentLog(happened);
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

  /** Prepares a daemon run, with faults of abort responses as the random plan says. */
  async beginLife(fate: RandomPlan): Promise<void> {
    const fault = fate.answer();
    if (fault !== undefined) this.#healed = await this.simulator.control.injectFault(fault, { path: /abortquery/ });
    this.#begin();
  }

  /** Begins the last run of the daemon: the cluster is healthy, except that the plan may fail all lists of one node. */
  async beginLastLife({ blind }: RandomPlan): Promise<void> {
    const node = blind === undefined ? undefined : this.#nameOf(blind);
    if (node !== undefined) await this.simulator.control.injectFault('status_500', { node, path: /showprocesslist/ });
    this.#begin();
  }

  /** Records that the daemon was killed. */
  async endLife(): Promise<void> {
    const life = this.lives.pop();
    if (life !== undefined) this.lives.push({ ...life, killedAt: Date.now() });
    this.#log.endLife();
    await this.#healed();
    this.#healed = () => Promise.resolve();
  }

  /** Starts queries as the random plan says, until the signal. */
  async churn(fate: RandomPlan, signal: AbortSignal): Promise<void> {
    for (const node of [0, 1]) {
      for (const kind of ['protected', 'observed', 'runaway', 'runaway'] as const)
        this.#start({ kind, node, runsFor: grantedTimeout, after: 0 });
    }
    while (!signal.aborted) {
      const order = fate.nextOrder();
      await systemClock.sleep(order.after, signal);
      if (!signal.aborted) this.#start(order);
    }
  }

  /** Returns true if each node got a list request since the last daemon run began. */
  isListing(): boolean {
    const from = this.lives.at(-1)?.from ?? 0;
    const lists = this.simulator.calls().filter((call) => isList(call) && call.at >= from);
    return this.simulator.nodes.every(({ name }) => lists.some(({ node }) => node === name));
  }

  /** Returns the logs together with the audit rows. */
  evidence({ limits }: RandomPlan, books: Pick<Evidence, 'rows' | 'endedAt'>): Evidence {
    const { lives, simulator } = this;
    return { limits, lives, ran: this.#ran, calls: simulator.calls(), aborts: simulator.aborts(), ...books };
  }

  async close(): Promise<void> {
    this.#disk.close();
    await this.simulator.close();
  }

  #begin(): void {
    this.lives.push({ from: Date.now() });
    this.#log.beginLife();
  }

  #start({ kind, node: index, runsFor }: QueryStart): void {
    const node = this.#nameOf(index);
    if (node === undefined) throw new Error(`there is no node ${index}`);
    const stubborn = kind === 'zombie' ? { outlivesAborts: true } : {};
    const listRequest = { node, ...queryKinds[kind], runsFor, timeout: grantedTimeout, ...stubborn };
    const started = this.simulator.control.startQuery(listRequest);
    if (started?.startedAt === undefined) throw new Error('the queues of the simulated node are full');
    const { requestId: id, startedAt } = started;
    this.#ran.push({ node, id, kind, startedAt, endsAt: startedAt + runsFor });
  }

  #nameOf(index: number): string | undefined {
    return this.simulator.nodes[index]?.name;
  }
}

/** Log of the requests to one environment, by run of the daemon. */
class EnvironmentLog implements RequestObserver {
  readonly #happened: (moment: KillTrigger) => void;
  #lists = 0;
  #asked = 0;
  #answered = 0;
  unanswered = 0;

  constructor(happened: (moment: KillTrigger) => void) {
    this.#happened = happened;
  }

  beginLife(): void {
    this.#lists = 0;
    this.#asked = 0;
    this.#answered = 0;
  }

  endLife(): void {
    this.unanswered += this.#asked - this.#answered;
  }

  /** The database wrote to its log. At its start a daemon has other things to write than what it decides. */
  written(): void {
    if (this.#lists >= listsToKnow) this.#happened('write');
  }

  readonly arrived: RequestObserver['arrived'] = (request) => {
    if (!isAbort(request)) {
      return () => {
        if (isList(request)) this.#lists += 1;
        if (isList(request) && this.#asked > 0) this.#happened('verify');
      };
    }
    this.#asked += 1;
    this.#happened('send');
    return (_, whole) => {
      if (!whole) return;
      this.#answered += 1;
      this.#happened('answer');
    };
  };
}
