import type { Entry } from '../collect/board.ts';
import { abortGrace, type Reading, Runner } from '../collect/runner.ts';
import type { CallWatch } from '../graphdb/made-call.ts';
import type { Logger } from '../kernel/logger.ts';
import { same } from '../kernel/same.ts';
import type { Dns } from '../kernel/system.ts';
import type { Millis } from '../kernel/time.ts';
import type { ClusterSettings, NodeSettings } from '../model/settings.ts';
import { readCluster } from './cluster-read.ts';
import { type Feed, feedOf } from './content.ts';
import { type Discovery, discover } from './discovery.ts';
import { Lingering } from './lingering.ts';
import { type Closable, type LinkOptions, type Member, Members } from './members.ts';
import { beginCycle, type CycleSource, type OpenCycle } from './open-cycle.ts';
import type { AppParts } from './parts.ts';
import type { Pipeline } from './pipeline.ts';
import { isDear, type Planned } from './plan.ts';
import type { Scheduler } from './scheduler.ts';
import { type Done, type Task, taskKey } from './task.ts';

/** What a watch works with; all of it is shared with the other clusters. */
export interface WatchContext extends CycleSource {
  readonly log: Logger;
  readonly dns: Dns;
  readonly openCluster: AppParts['openCluster'];
  readonly pipeline: Pipeline;
  readonly scheduler: Scheduler;
}

/** What a cluster's watch should be. */
export interface Wanted {
  readonly settings: ClusterSettings;
  readonly planned: readonly Planned[];
  readonly link: LinkOptions;
}

/** Watches one cluster: knows its nodes, reads them, and hands the readings on. */
export class Watch {
  readonly #context: WatchContext;
  readonly #members: Members;
  readonly #runner: Runner;
  readonly #retiring = new Set<Promise<void>>();
  #wanted: Wanted;
  #discovery: Discovery | undefined;
  /** The nodes that discovery knows; undefined before its first answer. */
  #found: readonly NodeSettings[] | undefined;
  #line: Promise<void> = Promise.resolve();
  /** The heavy read under way; of these there is never a second one beside the first. */
  #heavy: Promise<unknown> | undefined;
  #stopped = false;

  constructor(wanted: Wanted, context: WatchContext) {
    this.#context = context;
    this.#wanted = wanted;
    this.#members = new Members(context.openCluster);
    this.#runner = new Runner(context.clock, context.log.with({ cluster: wanted.settings.name }));
  }

  /** The settings at present. */
  get settings(): ClusterSettings {
    return this.#wanted.settings;
  }

  /** The collectors that run. */
  get planned(): readonly Planned[] {
    return this.#wanted.planned;
  }

  /** The nodes at present. */
  nodes(): readonly Member[] {
    return this.#members.all();
  }

  /** Whether the nodes are known, or asking for them has failed at least once. */
  isSettled(): boolean {
    return this.#wanted.settings.discover === undefined || this.#found !== undefined;
  }

  /** Begins to watch. */
  start(): Promise<void> {
    return this.#inLine(async () => {
      this.#startDiscovery();
      await this.#apply();
    });
  }

  /** Becomes what is wanted now; what did not change goes on undisturbed. */
  reconfigure(wanted: Wanted): Promise<void> {
    return this.#inLine(async () => {
      const before = this.settings.discover;
      this.#wanted = wanted;
      if (!same(before, wanted.settings.discover)) this.#startDiscovery();
      await this.#apply();
    });
  }

  /**
   * Reads once: one node, or for a fact of the whole cluster the nodes one after the other until one answers.
   * It joins a read under way; undefined where a stuck read holds the permit.
   */
  read(planned: Planned, node: string, cycle?: OpenCycle): Promise<Reading | undefined> {
    return node === '' ? this.#readCluster(planned, cycle) : this.#readNode(planned, node, cycle);
  }

  /**
   * Reads for somebody outside who waits. What goes by calendar is heavy: nothing is read, and undefined given,
   * where such a read is under way.
   */
  probe(planned: Planned, node: string): Promise<Reading | undefined> {
    if (planned.settings.cron === undefined) return this.read(planned, node);
    return this.#heavy === undefined ? this.#readAlone(planned, node) : Promise.resolve(undefined);
  }

  /** The nodes that did not answer their last liveness call. */
  down(): ReadonlySet<string> {
    const steady = new Set(
      this.planned.filter(({ collector }) => collector.failed !== undefined).map(({ collector }) => collector.name),
    );
    const entries = this.#context.board.entries(this.settings.name).filter((entry) => steady.has(entry.collector));
    return new Set(entries.filter(isDown).map((entry) => entry.node));
  }

  /** Ends all reads and closes all sockets; what is shown stays. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#discovery?.stop();
    this.#context.scheduler.sync(this.settings.name, []);
    this.#runner.stop();
    await this.#line;
    await this.#runner.idle();
    await Promise.all([...this.#retiring, this.#members.close()]);
  }

  #startDiscovery(): void {
    this.#discovery?.stop();
    this.#found = undefined;
    const { discover: settings, name: cluster } = this.settings;
    if (settings === undefined) return;
    const { clock, dns, log } = this.#context;
    const adopt = (nodes: readonly NodeSettings[]): Promise<void> =>
      this.#inLine(async () => {
        if (discovery !== this.#discovery || same(nodes, this.#found)) return;
        this.#found = nodes;
        await this.#apply();
      });
    const lingering = new Lingering(settings);
    const found = (nodes: readonly NodeSettings[]) => adopt(lingering.with(nodes, clock.now().mono));
    const discovery = discover(settings, { clock, dns, log: log.with({ cluster }), found });
    this.#discovery = discovery;
    void discovery.first.then(() => adopt(this.#found ?? this.nodes().map((member) => member.settings)));
  }

  async #apply(): Promise<void> {
    if (this.#stopped || !this.isSettled()) return;
    const { settings, link } = this.#wanted;
    const gone = this.#members.become(settings, this.#found ?? settings.nodes, link);
    await this.#context.pipeline.declare(settings.name, [...this.#feeds()]);
    if (this.#stopped) return;
    this.#context.scheduler.sync(settings.name, [...this.#tasks()]);
    this.#retire(gone);
  }

  /** Closes what is no longer used as soon as the reads under way are over. */
  #retire(gone: readonly Closable[]): void {
    const close = async (): Promise<void> => {
      await this.#runner.idle();
      await Promise.all(gone.map((link) => link.close()));
    };
    const retiring = close().finally(() => this.#retiring.delete(retiring));
    this.#retiring.add(retiring);
  }

  *#feeds(): Generator<Feed> {
    for (const planned of this.planned) {
      for (const node of this.#placesOf(planned.collector.scope)) {
        yield feedOf(this.settings, planned, node, this.planned);
      }
    }
  }

  *#tasks(): Generator<Task> {
    for (const planned of this.planned) {
      for (const node of this.#placesOf(planned.collector.scope)) yield this.#task(planned, node);
    }
  }

  #placesOf(scope: 'node' | 'cluster'): readonly string[] {
    return scope === 'cluster' ? [''] : this.nodes().map((member) => member.settings.name);
  }

  #task({ collector, settings: { every, cron } }: Planned, node: string): Task {
    const cluster = this.settings.name;
    const place = { cluster, collector: collector.name, node };
    const patience = (): Millis => this.#patience(collector.name, node);
    return {
      key: taskKey(place),
      cluster,
      node,
      every,
      ...(cron === undefined ? {} : { cron }),
      get patience() {
        return patience();
      },
      dear: isDear(collector),
      steady: collector.failed !== undefined,
      run: () => this.#beat(collector.name, node),
      skipped: (reason, beats) => this.#context.pipeline.record(place)?.skip(reason, beats),
    };
  }

  /** The settings are looked up at every beat: a task outlives a reload that leaves its timing alone. */
  #plannedOf(name: string): Planned | undefined {
    return this.planned.find(({ collector }) => collector.name === name);
  }

  #patience(name: string, node: string): Millis {
    const timeout = this.#plannedOf(name)?.settings.timeout ?? 0;
    return 2 * (timeout + abortGrace) * (node === '' ? Math.max(1, this.nodes().length) : 1);
  }

  async #beat(name: string, node: string): Promise<Done | undefined> {
    const planned = this.#plannedOf(name);
    if (planned === undefined) return undefined;
    const { settings } = planned;
    const place = { cluster: this.settings.name, collector: name, node };
    const cycle = beginCycle(place, settings.timeout, this.#context);
    const reading = await this.#readInTurn(planned, node, cycle);
    if (reading === undefined) return undefined;
    const error = reading.result.ok ? undefined : reading.result.error;
    return {
      good: reading.result.ok,
      cost: reading.ended.mono - reading.started.mono,
      ...(error?.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
      show: async (interval) => {
        const { pipeline } = this.#context;
        // What is read less often than configured, because it is dear, stays for longer.
        const lifetime = interval > 0 ? (settings.staleAfter * interval) / settings.every : Infinity;
        await pipeline.take(place, { ...reading, ...(cycle && { cycle: cycle.cycle }) }, { interval, lifetime });
        cycle?.over(reading, pipeline.record(place));
      },
    };
  }

  /** A heavy read waits for the end of one that a probe began, instead of sharing its short deadline. */
  async #readInTurn(planned: Planned, node: string, cycle?: OpenCycle): Promise<Reading | undefined> {
    if (planned.settings.cron === undefined) return this.read(planned, node, cycle);
    while (this.#heavy !== undefined) await this.#heavy;
    return this.#readAlone(planned, node, cycle);
  }

  #readAlone(planned: Planned, node: string, cycle?: OpenCycle): Promise<Reading | undefined> {
    const reading = this.read(planned, node, cycle).finally(() => {
      this.#heavy = undefined;
    });
    this.#heavy = reading;
    return reading;
  }

  #readCluster(planned: Planned, cycle?: OpenCycle): Promise<Reading | undefined> {
    const { clock, board } = this.#context;
    const cluster = this.settings.name;
    const place = { cluster, collector: planned.collector.name, node: '' };
    return readCluster({
      cluster,
      planned,
      nodes: board.candidates(place, this.#placesOf('node'), this.down()),
      clock,
      ask: (node) =>
        cycle?.attempt(node, (watch) => this.#readNode(planned, node, watch)) ?? this.#readNode(planned, node),
      isStopped: () => this.#stopped,
    });
  }

  #readNode({ collector, settings }: Planned, node: string, watch?: CallWatch): Promise<Reading | undefined> {
    const link = this.#members.get(node)?.link;
    if (link === undefined) return Promise.resolve(undefined);
    const db = watch === undefined ? link.db : link.watched(watch);
    return this.#runner.read({ collector, db, timeout: settings.timeout }) ?? Promise.resolve(undefined);
  }

  #inLine(work: () => Promise<void>): Promise<void> {
    const turn = this.#line.then(work);
    this.#line = turn.catch(() => undefined);
    return turn;
  }
}

/** A failed reading with a part of the facts comes from a node that answered. */
function isDown({ reading: { result } }: Entry): boolean {
  return !result.ok && result.partial === undefined;
}
