import { type FSWatcher, watch } from 'node:fs';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import type { Life } from '../evidence.ts';
import { type Witness, watched } from '../witness.ts';
import { type Evidence, isAbort, isList, type Ran } from './evidence.ts';
import { type Fate, kinds, type Moment, type Order } from './plan.ts';

const grantedTimeout = 3_600_000;
/** Those that a daemon has made when it began to know what runs. */
const listsToKnow = 3;

/** The cluster of one scene, in this process, with all that is logged of it. */
export class Stage {
  readonly simulator: Simulator;
  readonly lives: Life[] = [];
  readonly #ran: Ran[] = [];
  readonly #log: StageLog;
  readonly #disk: FSWatcher;
  #healed: () => Promise<void> = () => Promise.resolve();

  /** `happened` is told of each moment at once, before anything else happens; `folder` holds the state. */
  static async set(folder: string, happened: (moment: Moment) => void): Promise<Stage> {
    const log = new StageLog(happened);
    const ports = { listen: watched(listen, log), clock: systemClock };
    const simulator = await startSimulator({ nodes: 2, maxConcurrentQueries: 1000 }, ports);
    return new Stage(simulator, log, folder);
  }

  private constructor(simulator: Simulator, log: StageLog, folder: string) {
    this.simulator = simulator;
    this.#log = log;
    this.#disk = watch(folder, (_, file) => {
      if (file?.endsWith('-wal') === true) log.written();
    });
  }

  /** Aborts that no answer left for before the daemon was killed. */
  get unanswered(): number {
    return this.#log.unanswered;
  }

  /** A daemon is about to begin, and aborts are answered as fate has it. */
  async beginLife(fate: Fate): Promise<void> {
    const fault = fate.answer();
    if (fault !== undefined) this.#healed = await this.simulator.control.inject(fault, { path: /abortquery/ });
    this.#begin();
  }

  /** The last one: all is well, but for the lists of a node that fate may have blinded. */
  async beginLastLife({ blind }: Fate): Promise<void> {
    const node = blind === undefined ? undefined : this.#nameOf(blind);
    if (node !== undefined) await this.simulator.control.inject('status_500', { node, path: /showprocesslist/ });
    this.#begin();
  }

  /** It was killed just now. */
  async endLife(): Promise<void> {
    const life = this.lives.pop();
    if (life !== undefined) this.lives.push({ ...life, killedAt: Date.now() });
    this.#log.endLife();
    await this.#healed();
    this.#healed = () => Promise.resolve();
  }

  /** Starts queries as fate has it, until the signal. */
  async churn(fate: Fate, signal: AbortSignal): Promise<void> {
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

  /** Whether every node was asked for its list since the last life began. */
  isListing(): boolean {
    const from = this.lives.at(-1)?.from ?? 0;
    const lists = this.simulator.calls().filter((call) => isList(call) && call.at >= from);
    return this.simulator.nodes.every(({ name }) => lists.some(({ node }) => node === name));
  }

  /** All that is known, with what the audit says. */
  evidence({ limits }: Fate, books: Pick<Evidence, 'rows' | 'endedAt'>): Evidence {
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

  #start({ kind, node: index, runsFor }: Order): void {
    const node = this.#nameOf(index);
    if (node === undefined) throw new Error(`there is no node ${index}`);
    const stubborn = kind === 'zombie' ? { outlivesAborts: true } : {};
    const wish = { node, ...kinds[kind], runsFor, timeout: grantedTimeout, ...stubborn };
    const started = this.simulator.control.startQuery(wish);
    if (started?.startedAt === undefined) throw new Error('the queues of the simulated node are full');
    const { requestId: id, startedAt } = started;
    this.#ran.push({ node, id, kind, startedAt, endsAt: startedAt + runsFor });
  }

  #nameOf(index: number): string | undefined {
    return this.simulator.nodes[index]?.name;
  }
}

/** What comes and goes at the doors of one stage, life by life. */
class StageLog implements Witness {
  readonly #happened: (moment: Moment) => void;
  #lists = 0;
  #asked = 0;
  #answered = 0;
  unanswered = 0;

  constructor(happened: (moment: Moment) => void) {
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

  readonly arrived: Witness['arrived'] = (request) => {
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
