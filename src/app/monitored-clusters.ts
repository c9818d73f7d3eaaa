import { watchdog } from '../alert/rules/watchdog.ts';
import type { Config } from '../config/config.ts';
import type { MetricsPage } from '../expose/metrics-page.ts';
import { withDeadline } from '../kernel/deadline.ts';
import { deepEqual } from '../kernel/deep-equal.ts';
import type { ReplyMemory } from '../kernel/reply-memory.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';
import type { Millis } from '../kernel/time.ts';
import { hasGuardSockets } from './guard/node-access.ts';
import { PublishedSources } from './page/published-sources.ts';
import {
  alertSources,
  clusterSources,
  droppedSources,
  type IncidentComponents,
  incidentSources,
  type QueryComponents,
  querySources,
} from './page/self-metrics.ts';
import type { CallDurations } from './poll/call-metrics.ts';
import { type ClusterPlan, ClusterPoller, type ClusterPollerContext } from './poll/cluster-poller.ts';
import { planCollectors, planConfigured } from './poll/collector-plan.ts';
import type { InventoryChanges } from './poll/inventory-changes.ts';
import type { LimitLog } from './poll/limit-log.ts';
import type { ProbeHistory } from './poll/probe-history.ts';
import type { SituationBuilder } from './poll/situation-builder.ts';
import type { AppDependencies } from './ports/app-dependencies.ts';
import type { TraceRecorder } from './tracing/tracing.ts';

/** Interval at which overdue poll results expire. */
const tickInterval: Millis = 1000;

/** Interval at which everything else is updated while there are no poll results, alerts, policies or storage problems. */
const idleTickInterval: Millis = 5000;

/** Longest wait for the results of aborts at the stop. */
const abortTimeout: Millis = 3000;

/** Longest wait for receivers at the stop. */
const notificationFlushTimeout: Millis = 2000;

/** Components that the monitoring of clusters controls. */
interface MonitoringContext extends ClusterPollerContext, IncidentComponents, QueryComponents {
  readonly tracing?: TraceRecorder;
  readonly calls: CallDurations;
  readonly changes: InventoryChanges;
  readonly limitLog: LimitLog;
  readonly probes: ProbeHistory;
  readonly situations: SituationBuilder;
  readonly replyMemory?: ReplyMemory | undefined;
}

/** Starts, reconfigures and stops the pollers, one action after the other. */
export class MonitoredClusters {
  config: Config;
  readonly #parts: AppDependencies;
  readonly #context: MonitoringContext;
  readonly #pollers = new Map<string, ClusterPoller>();
  readonly #selfMetrics = new PublishedSources();
  readonly #stopped = new AbortController();
  readonly #queue = new SerialQueue();
  #tickLoop: Promise<void> = Promise.resolve();
  #started = false;
  #wasReady = false;
  #areAlertsDue = false;
  /** Number of poll results so far. */
  #resultCount = 0;
  /** Ends the wait for the next tick while nothing happens. */
  #wake = new AbortController();

  constructor(config: Config, parts: AppDependencies, context: MonitoringContext) {
    this.config = config;
    this.#parts = parts;
    this.#context = context;
    context.pipeline.subscribe({
      onPollResult: () => {
        this.#resultCount += 1;
        this.#wake.abort('poll result');
      },
    });
  }

  pollers(): readonly ClusterPoller[] {
    return this.config.clusters.flatMap(({ name }) => this.#pollers.get(name) ?? []);
  }

  isReady(): boolean {
    if (this.#stopped.signal.aborted) return false;
    this.#wasReady ||= this.#started && this.#isFirstPollDone();
    return this.#wasReady;
  }

  start(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#started) return;
      this.#context.guard.start();
      await this.#applyConfig();
      this.#started = true;
      this.#tickLoop = this.#runTicks();
    });
  }

  reconfigure(config: Config): Promise<void> {
    return this.#queue.run(async () => {
      const { limits } = this.config;
      this.config = config;
      await this.#applyConfig();
      if (deepEqual(limits, config.limits)) return;
      const page = this.#parts.createPage(config.limits);
      await this.#context.pipeline.switchPage(page, () => this.#renderMetrics(page));
    });
  }

  /** Puts changed alerts on the page at once, as the API shows them; the changes of one turn together. */
  async showAlerts(): Promise<void> {
    if (this.#areAlertsDue || !this.#started || this.#stopped.signal.aborted) return;
    const { alerts, clock, pipeline } = this.#context;
    this.#areAlertsDue = true;
    await clock.yieldToEventLoop();
    this.#areAlertsDue = false;
    await this.#selfMetrics.update(pipeline.page, alertSources(alerts, this.pollers(), clock.now()));
  }

  async stop(): Promise<void> {
    const { clock, guard } = this.#context;
    this.#stopped.abort();
    // A reload in progress may take long: the guard stops at once.
    await Promise.all([withDeadline(clock, abortTimeout, (signal) => guard.stop(signal)), this.#queue.idle()]);
    await Promise.all([...this.#pollers.values()].map((watch) => watch.stop()));
    await this.#context.scheduler.idle();
    await this.#tickLoop;
    await this.#flushNotifications();
  }

  /** Sends the notifications that are due, within the timeout; the rest stays in the store. */
  #flushNotifications(): Promise<void> {
    const { clock, deliverer } = this.#context;
    return withDeadline(clock, notificationFlushTimeout, (signal) => deliverer.stop(signal));
  }

  /** Applies the clusters in the order of the configuration: the first one has the first rank on the page. */
  async #applyConfig(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    await this.#context.tracing?.restore(this.#trackedClusters());
    await this.#context.situations.restore(clusterNames(this.config), this.#context.clock.now());
    await this.#context.incidents.configure({ ...this.config, clusters: this.#trackedClusters() });
    if (this.#stopped.signal.aborted) return;
    this.#context.guard.applyConfig(this.config);
    this.#context.ages.setLimits(this.config.limits);
    this.#context.replyMemory?.limitProcess(this.config.limits.memory);
    this.#context.pipeline.largestNumber = this.config.limits.instanceNumber;
    for (const [name, watch] of this.#pollers) {
      if (this.config.clusters.every((cluster) => cluster.name !== name)) await this.#stopPoller(name, watch);
    }
    for (const wanted of this.#pollerOptions()) {
      const { name } = wanted.settings;
      const watch = this.#pollers.get(name);
      if (watch !== undefined) await watch.reconfigure(wanted);
      else await this.#startPoller(name, wanted);
    }
    await this.#renderMetrics(this.#context.pipeline.page);
    this.#wake.abort('configuration');
  }

  /** A sidecar tracks no services: the daemon of the cluster does. */
  #trackedClusters(): readonly string[] {
    return this.config.scope === 'node' ? [] : clusterNames(this.config);
  }

  async #startPoller(name: string, wanted: ClusterPlan): Promise<void> {
    const watch = new ClusterPoller(wanted, this.#context);
    this.#pollers.set(name, watch);
    await watch.start();
  }

  async #stopPoller(name: string, watch: ClusterPoller): Promise<void> {
    this.#pollers.delete(name);
    await watch.stop();
    const { pipeline, ages, calls, tracing, situations, changes, limitLog, probes } = this.#context;
    await pipeline.setFeeds(name, []);
    // Tracing comes after the query ages, which record the lost queries as spans.
    for (const one of [ages, calls, tracing, situations, changes, limitLog, probes]) one?.forget(name);
  }

  *#pollerOptions(): Generator<ClusterPlan> {
    const { clusters, limits, guard } = this.config;
    const planned = planCollectors(this.#parts.collectors, this.config);
    for (const settings of clusters) {
      const link = { bodyLimit: limits.body, guarded: hasGuardSockets(settings, guard) };
      yield { settings, planned: [...planned, ...planConfigured(this.config, settings.name)], link };
    }
  }

  #isFirstPollDone(): boolean {
    return this.pollers().every((watch) => watch.isSettled()) && this.#context.scheduler.isFirstRoundOver();
  }

  async #runTicks(): Promise<void> {
    const { clock, pipeline, incidents, guard } = this.#context;
    let last = { mono: Number.NEGATIVE_INFINITY, resultCount: 0 };
    while (!this.#stopped.signal.aborted) {
      const hasExpired = await pipeline.expire(clock.now());
      const resultCount = this.#resultCount;
      const { mono } = clock.now();
      const isIdle = !hasExpired && resultCount === last.resultCount && this.#isIdle();
      if (!isIdle || mono - last.mono >= idleTickInterval) {
        last = { mono, resultCount };
        incidents.tick(clock.now());
        guard.tick(clock.now());
        await this.#renderMetrics(pipeline.page);
      }
      if (isIdle && this.#resultCount === last.resultCount) await this.#sleepUntilDue(last.mono + idleTickInterval);
      else await clock.sleep(tickInterval, this.#stopped.signal);
    }
  }

  /** Waits until `time`, until a poll result arrives or becomes overdue, or until the configuration changes. */
  async #sleepUntilDue(time: number): Promise<void> {
    const { clock, board } = this.#context;
    this.#wake = new AbortController();
    const due = Math.min(time, board.nextOverdue());
    await clock.sleep(due - clock.now().mono, AbortSignal.any([this.#wake.signal, this.#stopped.signal]));
  }

  /** Returns whether nothing waits for a time, as far as poll results do not change. The watchdog always fires. */
  #isIdle(): boolean {
    const { alerts, guard, store } = this.#context;
    const isGuarding = this.config.clusters.some(({ name }) => guard.activeGuard(name) !== undefined);
    const hasAlerts = alerts.alerts().some(({ phase, rule }) => phase !== 'resolved' && rule !== watchdog.name);
    return !isGuarding && store.problem === undefined && !hasAlerts;
  }

  #renderMetrics(page: MetricsPage): Promise<void> {
    const { clock, pipeline } = this.#context;
    const watches = this.pollers();
    const polled = pipeline.feeds().map(({ feed, status }) => [feed.cluster, status.shown.dropped] as const);
    pipeline.dropped.update([...polled, ...this.#selfMetrics.dropped()]);
    const incidents = incidentSources(this.#context, watches, clock.now());
    const queries = querySources(this.#context, watches, clock.now());
    const dropped = droppedSources(pipeline.dropped, watches);
    const all = [...clusterSources(watches), ...incidents, ...queries, ...dropped];
    return this.#selfMetrics.publish(page, new Map(all));
  }
}

function clusterNames({ clusters }: Config): readonly string[] {
  return clusters.map(({ name }) => name);
}
