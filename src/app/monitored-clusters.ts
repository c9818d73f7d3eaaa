import { watchdog } from '../alert/rules/watchdog.ts';
import type { Config } from '../config/config.ts';
import type { MetricsPage } from '../expose/metrics-page.ts';
import { withDeadline } from '../kernel/deadline.ts';
import { deepEqual } from '../kernel/deep-equal.ts';
import { type Ownership, type ReplicaAddress, soleOwnership } from '../kernel/ownership.ts';
import type { ReplyMemory } from '../kernel/reply-memory.ts';
import type { Result } from '../kernel/result.ts';
import { SerialQueue } from '../kernel/serial-queue.ts';
import type { Digest } from '../kernel/system.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import { hasGuardSockets } from './guard/node-access.ts';
import { OwnershipFollower, replicaRegistration } from './ownership-follower.ts';
import { ownershipSources } from './page/ownership-metrics.ts';
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
import { ClusterPoller, type ClusterPollerContext } from './poll/cluster-poller.ts';
import { needsNoState, planCollectors, planConfigured } from './poll/collector-plan.ts';
import type { InventoryChanges } from './poll/inventory-changes.ts';
import type { LimitLog } from './poll/limit-log.ts';
import type { ProbeHistory } from './poll/probe-history.ts';
import type { SituationBuilder } from './poll/situation-builder.ts';
import type { AppDependencies } from './ports/app-dependencies.ts';
import { TickLoop } from './tick-loop.ts';
import type { TraceRecorder } from './tracing/tracing.ts';

/** Longest wait for the results of aborts at the stop. */
const abortTimeout: Millis = 3000;

/** Longest wait for receivers at the stop. */
const notificationFlushTimeout: Millis = 2000;

/** Longest wait for receivers if another replica continues with the notifications. */
const settleTimeout: Millis = 500;

/** Components that the monitoring of clusters controls. */
interface MonitoringContext extends ClusterPollerContext, IncidentComponents, QueryComponents {
  readonly tracing?: TraceRecorder;
  readonly calls: CallDurations;
  readonly changes: InventoryChanges;
  readonly limitLog: LimitLog;
  readonly probes: ProbeHistory;
  readonly situations: SituationBuilder;
  readonly replyMemory?: ReplyMemory | undefined;
  /** Absent: this process owns all clusters. */
  readonly ownership?: Ownership;
  readonly digest: Digest;
  readonly build: { readonly version: string };
  readonly hostname: string;
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
  readonly #ownership: Ownership;
  readonly #follower: OwnershipFollower;
  readonly #ticks: TickLoop;
  #address: ReplicaAddress = { url: '' };
  #tickLoop: Promise<void> = Promise.resolve();
  #started = false;
  #wasReady = false;
  #areAlertsDue = false;

  constructor(config: Config, parts: AppDependencies, context: MonitoringContext) {
    this.config = config;
    this.#parts = parts;
    this.#context = context;
    this.#ownership = context.ownership ?? soleOwnership;
    this.#follower = new OwnershipFollower(
      { ...context, ownership: this.#ownership, queue: this.#queue },
      {
        clusters: () => clusterNames(this.config),
        gain: (clusters) => this.#gain(clusters),
        poll: (clusters) => this.#applyToPollers(this.#configOf(clusters), needsNoState),
        lose: (clusters) => this.#lose(clusters),
      },
    );
    this.#ticks = new TickLoop(context, { tick: (now) => this.#tick(now), isIdle: () => this.#isIdle() });
  }

  pollers(): readonly ClusterPoller[] {
    return this.config.clusters.flatMap(({ name }) => this.#pollers.get(name) ?? []);
  }

  /** Whether this process monitors a cluster with its state, and not only polls it until that is restored. */
  isFollowed(cluster: string): boolean {
    return this.#pollers.has(cluster) && this.#follower.isFollowed(cluster);
  }

  isReady(): boolean {
    if (this.#stopped.signal.aborted) return false;
    const areSettled = this.pollers().every((poller) => poller.isSettled());
    this.#wasReady ||= this.#started && areSettled && this.#context.scheduler.isFirstRoundOver();
    return this.#wasReady;
  }

  /** Starts; other replicas reach this one at `address`, unless the configuration names another address. */
  start(address: ReplicaAddress): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#started) return;
      this.#address = address;
      this.#context.guard.start();
      this.#follower.start(() => this.#followSharedRows());
      await this.#applyConfig();
      this.#started = true;
      this.#tickLoop = this.#ticks.run(this.#stopped.signal);
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

  /** Puts changed alerts on the page at once, as the API shows them; simultaneous changes are one update. */
  async showAlerts(): Promise<void> {
    if (this.#areAlertsDue || !this.#started || this.#stopped.signal.aborted) return;
    const { alerts, clock, pipeline } = this.#context;
    this.#areAlertsDue = true;
    await clock.yieldToEventLoop();
    this.#areAlertsDue = false;
    await this.#selfMetrics.update(pipeline.page, alertSources(alerts, this.pollers(), clock.now()));
  }

  async stop(): Promise<void> {
    const { clock, guard, deliverer } = this.#context;
    this.#stopped.abort();
    this.#follower.stop();
    this.#ownership.drain();
    // A reload in progress may take long: the guard stops at once.
    await Promise.all([withDeadline(clock, abortTimeout, (signal) => guard.stop(signal)), this.#queue.idle()]);
    await Promise.all([...this.#pollers.values()].map((poller) => poller.stop()));
    await this.#context.scheduler.idle();
    await this.#tickLoop;
    // Notifications that are not sent in time stay in the store.
    const flushTime = this.#ownership.isShared ? settleTimeout : notificationFlushTimeout;
    await withDeadline(clock, flushTime, (signal) => deliverer.stop(signal));
    await this.#ownership.stop();
  }

  /** Applies the clusters in the order of the configuration: the first one has the first rank on the page. */
  async #applyConfig(): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    await this.#restoreHistory(clusterNames(this.config).filter((name) => this.#follower.isFollowed(name)));
    await this.#context.incidents.configure({ ...this.config, clusters: this.#trackedClusters() });
    if (this.#stopped.signal.aborted) return;
    this.#context.guard.applyConfig(this.#monitoredConfig());
    this.#context.ages.setLimits(this.config.limits);
    this.#context.replyMemory?.limitProcess(this.config.limits.memory);
    this.#context.pipeline.largestNumber = this.config.limits.instanceNumber;
    for (const [name, poller] of this.#pollers) {
      if (this.config.clusters.every((cluster) => cluster.name !== name)) await this.#stopPoller(name, poller);
    }
    await this.#applyToPollers(this.#monitoredConfig());
    await this.#follower.releaseRemoved();
    const { digest, build, hostname } = this.#context;
    const { advertiseUrl: url = this.#address.url } = this.config.web;
    const about = { ...this.#address, name: hostname, url, version: build.version };
    this.#ownership.start(replicaRegistration(this.config, about, digest));
  }

  async #applyToPollers(
    { clusters, limits, guard }: Config,
    isPolled: typeof needsNoState = () => true,
  ): Promise<void> {
    const common = planCollectors(this.#parts.collectors, this.config);
    for (const settings of clusters) {
      const { name } = settings;
      const planned = [...common, ...planConfigured(this.config, name)].filter(isPolled);
      const isGuarded = hasGuardSockets(settings, guard);
      const wanted = { settings, planned, link: { bodyLimit: limits.body, guarded: isGuarded } };
      const known = this.#pollers.get(name);
      const poller = known ?? new ClusterPoller(wanted, this.#context);
      this.#pollers.set(name, poller);
      await (known === undefined ? poller.start() : poller.reconfigure(wanted));
    }
    await this.#renderMetrics(this.#context.pipeline.page);
    this.#ticks.wake();
  }

  /** Returns the configuration with the clusters that this process monitors. */
  #monitoredConfig(also: ReadonlySet<string> = new Set()): Config {
    const followed = clusterNames(this.config).filter((name) => this.#follower.isFollowed(name));
    return this.#configOf(new Set([...also, ...followed]));
  }

  #configOf(included: ReadonlySet<string>): Config {
    const clusters = this.config.clusters.filter(({ name }) => included.has(name));
    return clusters.length === this.config.clusters.length ? this.config : { ...this.config, clusters };
  }

  async #restoreHistory(clusters: readonly string[]): Promise<void> {
    const { tracing, situations, clock } = this.#context;
    await tracing?.restore(this.#trackedClusters().filter((name) => clusters.includes(name)));
    await situations.restore(clusters, clock.now());
  }

  async #gain(clusters: ReadonlySet<string>): Promise<Result<void, string>> {
    const adopted = await this.#context.incidents.adopt(clusters);
    if (!adopted.ok || this.#stopped.signal.aborted) return adopted;
    await this.#restoreHistory(clusterNames(this.config).filter((name) => clusters.has(name)));
    this.#context.guard.applyConfig(this.#monitoredConfig(clusters));
    await this.#applyToPollers(this.#configOf(clusters));
    return adopted;
  }

  async #lose(clusters: ReadonlySet<string>): Promise<void> {
    const { pipeline, incidents } = this.#context;
    await Promise.all([...clusters].map((cluster) => this.#endEffects(cluster)));
    const pollers = [...this.#pollers].filter(([cluster]) => clusters.has(cluster));
    await Promise.all(pollers.map(([, poller]) => poller.stop()));
    for (const [cluster, poller] of pollers) await this.#stopPoller(cluster, poller, 'disown');
    await incidents.disown(clusters);
    await this.#renderMetrics(pipeline.page);
  }

  /** Ends effects while the lease lasts: aborts and notifications in flight are awaited for a moment. */
  async #endEffects(cluster: string): Promise<void> {
    const { clock, guard, deliverer } = this.#context;
    const length = this.#ownership.remaining(cluster) > 0 ? settleTimeout : 0;
    const settle = (signal: AbortSignal) =>
      Promise.all([guard.disown(cluster, signal), deliverer.settle(new Set([cluster]), signal)]);
    await withDeadline(clock, length, settle);
  }

  /** Another replica may have changed a pause or a silence. */
  #followSharedRows(): void {
    void this.#context.guard.reloadPauses();
    void this.#context.incidents.reloadSilences();
  }

  /** A sidecar tracks no services: the daemon of the cluster does. */
  #trackedClusters(): readonly string[] {
    return this.config.scope === 'node' ? [] : clusterNames(this.config);
  }

  /** `disown` keeps the stored state, with which another replica continues. */
  async #stopPoller(name: string, poller: ClusterPoller, end: 'forget' | 'disown' = 'forget'): Promise<void> {
    this.#pollers.delete(name);
    await poller.stop();
    const { pipeline, ages, calls, tracing, situations, changes, limitLog, probes } = this.#context;
    await pipeline.setFeeds(name, []);
    // Tracing comes after the query ages, which record the lost queries as spans.
    for (const one of [ages, situations]) one[end](name);
    for (const one of [calls, tracing, changes, limitLog, probes]) one?.forget(name);
  }

  #tick(now: Instant): Promise<void> {
    const { incidents, guard, pipeline } = this.#context;
    incidents.tick(now);
    guard.tick(now);
    return this.#renderMetrics(pipeline.page);
  }

  /** Returns whether no state depends on time until the next poll result. The watchdog always fires and is ignored. */
  #isIdle(): boolean {
    const { alerts, guard, store } = this.#context;
    const isGuarding = this.config.clusters.some(({ name }) => guard.activeGuard(name) !== undefined);
    const hasAlerts = alerts.alerts().some(({ phase, rule }) => phase !== 'resolved' && rule !== watchdog.name);
    return !isGuarding && store.problem === undefined && !hasAlerts;
  }

  #renderMetrics(page: MetricsPage): Promise<void> {
    const { clock, pipeline } = this.#context;
    const pollers = this.pollers();
    const polled = pipeline.feeds().map(({ feed, status }) => [feed.cluster, status.shown.dropped] as const);
    pipeline.dropped.update([...polled, ...this.#selfMetrics.dropped()]);
    const incidents = incidentSources(this.#context, pollers, clock.now());
    const queries = querySources(this.#context, pollers, clock.now());
    const dropped = droppedSources(pipeline.dropped, pollers);
    const owners = ownershipSources(this.#ownership, this.config.clusters, clock.now());
    const all = [...clusterSources(pollers), ...incidents, ...queries, ...dropped, ...owners];
    return this.#selfMetrics.publish(page, new Map(all));
  }
}

function clusterNames({ clusters }: Config): readonly string[] {
  return clusters.map(({ name }) => name);
}
