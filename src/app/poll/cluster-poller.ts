import { type Collector, isList } from '../../collect/collector.ts';
import { abortGrace, ListTurns, type PollResult, PollRunner } from '../../collect/poll-runner.ts';
import type { CallObserver } from '../../graphdb/completed-call.ts';
import { deepEqual } from '../../kernel/deep-equal.ts';
import type { Logger } from '../../kernel/logger.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { Store } from '../../kernel/store.ts';
import type { Dns } from '../../kernel/system.ts';
import type { Millis } from '../../kernel/time.ts';
import { collectorKey } from '../../model/collector-key.ts';
import type { ClusterSettings, NodeSettings } from '../../model/settings.ts';
import type { AppDependencies } from '../ports/app-dependencies.ts';
import { type Closable, type ClusterNode, ClusterNodes, type NodeLinkOptions } from './cluster-nodes.ts';
import { pollCluster } from './cluster-poll.ts';
import { type CollectorFeed, createFeed } from './collector-feed.ts';
import type { PlannedCollector } from './collector-plan.ts';
import { type CycleTrace, type CycleTraceContext, startCycleTrace } from './cycle-trace.ts';
import { type Discovery, discover, RetainedNodes } from './discovery.ts';
import { ListTimer, serverTime } from './list-timer.ts';
import type { Pipeline } from './pipeline.ts';
import type { PollTask, PollTaskResult } from './poll-task.ts';
import { ScheduledPolls } from './scheduled-polls.ts';
import type { Scheduler } from './scheduler.ts';

/** Dependencies of a poller, shared by all clusters. */
export interface ClusterPollerContext extends CycleTraceContext {
  readonly log: Logger;
  readonly dns: Dns;
  readonly store: Store;
  readonly openCluster: AppDependencies['openCluster'];
  readonly pipeline: Pipeline;
  readonly scheduler: Scheduler;
}

/** Desired configuration of a poller. */
export interface ClusterPlan {
  readonly settings: ClusterSettings;
  readonly planned: readonly PlannedCollector[];
  readonly link: NodeLinkOptions;
}

/** Polls one cluster: manages its nodes, schedules the collectors, and passes the results on. */
export class ClusterPoller {
  readonly #context: ClusterPollerContext;
  readonly #nodes: ClusterNodes;
  readonly #runner: PollRunner;
  /** Runs the process lists of probes: they share no poll with others, and their results are not published. */
  readonly #probeRunner: PollRunner;
  readonly #closing = new Set<Promise<void>>();
  #plan: ClusterPlan;
  #discovery: Discovery | undefined;
  /** Discovered nodes; undefined before the first discovery. */
  #discovered: readonly NodeSettings[] | undefined;
  readonly #queue = new SerialQueue();
  readonly #scheduled: ScheduledPolls;
  #stopped = false;

  constructor(wanted: ClusterPlan, context: ClusterPollerContext) {
    this.#context = context;
    this.#plan = wanted;
    this.#nodes = new ClusterNodes(context.openCluster);
    const log = context.log.with({ cluster: wanted.settings.name });
    this.#scheduled = new ScheduledPolls(context);
    const lists = new ListTurns();
    this.#runner = new PollRunner(context.clock, log, lists);
    this.#probeRunner = new PollRunner(context.clock, log, lists);
  }

  /** Returns the current settings. */
  get settings(): ClusterSettings {
    return this.#plan.settings;
  }

  /** Returns the enabled collectors. */
  get planned(): readonly PlannedCollector[] {
    return this.#plan.planned;
  }

  /** Returns the current nodes. */
  nodes(): readonly ClusterNode[] {
    return this.#nodes.all();
  }

  /** Returns whether the nodes are known, or discovery has failed at least once. */
  isSettled(): boolean {
    return this.#plan.settings.discover === undefined || this.#discovered !== undefined;
  }

  /** Starts polling. */
  start(): Promise<void> {
    return this.#queue.run(async () => {
      this.#startDiscovery();
      await this.#apply();
    });
  }

  /** Applies another configuration; unchanged tasks continue without interruption. */
  reconfigure(wanted: ClusterPlan): Promise<void> {
    return this.#queue.run(async () => {
      const before = this.settings.discover;
      this.#plan = wanted;
      if (!deepEqual(before, wanted.settings.discover)) this.#startDiscovery();
      await this.#apply();
    });
  }

  /**
   * Polls one node, or for a fact of the whole cluster the nodes one after another until one succeeds. Joins a poll in
   * flight; returns undefined while a stuck poll holds the permit.
   */
  poll(planned: PlannedCollector, node: string, cycle?: CycleTrace): Promise<PollResult | undefined> {
    return node === '' ? this.#pollCluster(planned, cycle) : this.#pollNode(planned, node, cycle);
  }

  /** Polls for `/probe`; undefined for a collector with a schedule while another such poll is in flight. */
  probe(planned: PlannedCollector, node: string): Promise<PollResult | undefined> {
    if (planned.collector.processList !== undefined) return this.#pollNode(planned, node, undefined, this.#probeRunner);
    if (planned.settings.schedule === undefined) return this.poll(planned, node);
    return this.#scheduled.isBusy ? Promise.resolve(undefined) : this.#scheduled.run(() => this.poll(planned, node));
  }

  /** Returns the nodes whose last liveness call failed. */
  nodesDown(): ReadonlySet<string> {
    const checks = this.planned.filter(({ collector }) => collector.failureSamples !== undefined);
    const { name: cluster } = this.settings;
    const { board } = this.#context;
    const isDown = (node: string) =>
      checks.some(({ collector }) => board.hasFailed({ cluster, collector: collector.name, node }));
    return new Set(this.#nodesOf({ scope: 'node' }).filter(isDown));
  }

  /** Aborts all polls and closes all sockets; the samples stay on the page. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#discovery?.stop();
    this.#context.scheduler.sync(this.settings.name, []);
    this.#runner.stop();
    this.#probeRunner.stop();
    await this.#queue.idle();
    await Promise.all([this.#runner.idle(), this.#probeRunner.idle()]);
    await Promise.all([...this.#closing, this.#nodes.close()]);
  }

  #startDiscovery(): void {
    this.#discovery?.stop();
    this.#discovered = undefined;
    const { discover: settings, name: cluster } = this.settings;
    if (settings === undefined) return;
    const { clock, dns, log } = this.#context;
    const adopt = (nodes: readonly NodeSettings[]): Promise<void> =>
      this.#queue.run(async () => {
        if (discovery !== this.#discovery || deepEqual(nodes, this.#discovered)) return;
        this.#discovered = nodes;
        await this.#apply();
      });
    const retained = new RetainedNodes(settings);
    const onNodes = (nodes: readonly NodeSettings[]) => adopt(retained.merge(nodes, clock.now().mono));
    const discovery = discover(settings, { clock, dns, log: log.with({ cluster }), onNodes });
    this.#discovery = discovery;
    void discovery.firstRound.then(() => adopt(this.#discovered ?? this.nodes().map((member) => member.settings)));
  }

  async #apply(): Promise<void> {
    if (this.#stopped || !this.isSettled()) return;
    const { settings, link } = this.#plan;
    const gone = this.#nodes.reconfigure(settings, this.#discovered ?? settings.nodes, link);
    await this.#context.pipeline.setFeeds(settings.name, [...this.#feeds()]);
    if (this.#stopped) return;
    this.#context.scheduler.sync(settings.name, [...this.#tasks()]);
    this.#closeWhenIdle(gone);
  }

  /** Closes removed connections as soon as their polls have ended. */
  #closeWhenIdle(gone: readonly Closable[]): void {
    const closed = this.#runner.idle().then(() => Promise.all(gone.map((link) => link.close())));
    const retiring = closed.then(() => undefined).finally(() => this.#closing.delete(retiring));
    this.#closing.add(retiring);
  }

  *#feeds(): Generator<CollectorFeed> {
    for (const planned of this.planned) {
      for (const node of this.#nodesOf(planned.collector)) {
        yield createFeed(this.settings, planned, node, this.planned);
      }
    }
  }

  *#tasks(): Generator<PollTask> {
    for (const planned of this.planned) {
      for (const node of this.#nodesOf(planned.collector)) yield this.#task(planned, node);
    }
  }

  #nodesOf({ scope, nodes: polled }: Pick<Collector, 'scope' | 'nodes'>): readonly string[] {
    const names = this.nodes().map((member) => member.settings.name);
    return scope === 'cluster' ? [''] : names.filter((name) => polled?.includes(name) ?? true);
  }

  #task({ collector, settings: { interval, schedule } }: PlannedCollector, node: string): PollTask {
    const target = { cluster: this.settings.name, collector: collector.name, node };
    const timeout = (): Millis => this.#stuckAfter(collector.name, node);
    return {
      key: collectorKey(target),
      ...target,
      interval,
      ...(schedule === undefined ? {} : { schedule }),
      get stuckAfter() {
        return timeout();
      },
      isExpensive: isList(collector),
      changesServer: collector.taskRuns !== undefined,
      neverBacksOff: collector.failureSamples !== undefined,
      run: () => this.#runCycle(collector.name, node),
      onSkipped: (reason, cycles) => this.#context.pipeline.statusOf(target)?.skip(reason, cycles),
      onDelayed: (until) => this.#context.pipeline.statusOf(target)?.delay(until),
    };
  }

  /** Looked up at every interval: a task outlives a reload that does not change its timing. */
  #plannedCollector(name: string): PlannedCollector | undefined {
    return this.planned.find(({ collector }) => collector.name === name);
  }

  #stuckAfter(name: string, node: string): Millis {
    const timeout = this.#plannedCollector(name)?.settings.timeout ?? 0;
    return 2 * (timeout + abortGrace) * (node === '' ? Math.max(1, this.nodes().length) : 1);
  }

  async #runCycle(name: string, node: string): Promise<PollTaskResult | undefined> {
    const planned = this.#plannedCollector(name);
    if (planned === undefined) return undefined;
    const { settings, collector } = planned;
    const target = { cluster: this.settings.name, collector: name, node };
    const cycle = startCycleTrace({ target, collector, timeout: settings.timeout }, this.#context);
    const pollResult = await this.#pollInTurn(planned, node, cycle);
    if (pollResult === undefined) return undefined;
    const { result } = pollResult;
    const error = result.ok ? undefined : result.error;
    return {
      isSuccess: result.ok,
      ...(!result.ok && result.partial !== undefined && { isPartial: true }),
      cost: serverTime(pollResult, settings.timeout),
      ...(error?.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
      publish: async (interval) => {
        const { pipeline } = this.#context;
        const lifetime = interval > 0 ? settings.staleAfter : Infinity;
        await pipeline.accept(target, { ...pollResult, ...(cycle && { cycle: cycle.cycle }) }, { interval, lifetime });
        cycle?.finish(pollResult, pipeline.statusOf(target));
      },
    };
  }

  /** Waits for its turn if it has a schedule; undefined if it must not run now. */
  async #pollInTurn(planned: PlannedCollector, node: string, cycle?: CycleTrace): Promise<PollResult | undefined> {
    const { collector, settings } = planned;
    if (settings.schedule === undefined) return this.poll(planned, node, cycle);
    const target = { cluster: this.settings.name, collector: collector.name, node };
    const next = this.#context.scheduler.nextRun(collectorKey(target));
    const start = { ...target, interval: settings.interval, next };
    if (collector.taskRuns !== undefined && !(await this.#scheduled.reserve(start))) return undefined;
    return this.#scheduled.runInTurn(() => this.poll(planned, node, cycle));
  }

  #pollCluster(planned: PlannedCollector, cycle?: CycleTrace): Promise<PollResult | undefined> {
    return pollCluster({
      cluster: this.settings.name,
      planned,
      nodes: this.#candidates(planned),
      clock: this.#context.clock,
      pollNode: (node) =>
        cycle?.traceAttempt(node, (observer) => this.#pollNode(planned, node, observer)) ??
        this.#pollNode(planned, node),
      isStopped: () => this.#stopped,
    });
  }

  /**
   * Returns the nodes to try in order. A task that changes the server is tried on one node only: a node that fails may have
   * started the change, and another one would start it again.
   */
  #candidates({ collector }: PlannedCollector): readonly string[] {
    const target = { cluster: this.settings.name, collector: collector.name, node: '' };
    const nodes = this.#context.board.candidateNodes(target, this.#nodesOf({ scope: 'node' }), this.nodesDown());
    return collector.taskRuns === undefined ? nodes : nodes.slice(0, 1);
  }

  async #pollNode(
    { collector, settings }: PlannedCollector,
    node: string,
    observer?: CallObserver,
    runner = this.#runner,
  ): Promise<PollResult | undefined> {
    const link = this.#nodes.get(node)?.link;
    if (link === undefined) return undefined;
    const timer = isList(collector) ? new ListTimer(observer) : undefined;
    const follower = timer ?? observer;
    const db = follower === undefined ? link.db : link.observedBy(follower);
    return runner.poll({ collector, db, timeout: settings.timeout, ...(timer && { listTime: timer.read }) });
  }
}
