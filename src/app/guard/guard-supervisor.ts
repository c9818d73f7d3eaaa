import type { PauseReason } from '../../api/guard.ts';
import { rawProcessListOf } from '../../collect/collector.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import { queries } from '../../collect/queries.ts';
import type { RemainingBudget } from '../../guard/decision/budgets.ts';
import { notOwnedMessage } from '../../kernel/ownership.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import { type AbortView, type BreakerView, type GuardView, mayHaveEndedQuery } from '../../model/guard.ts';
import type { CollectorFeed } from '../poll/collector-feed.ts';
import type { PollTiming } from '../poll/poll-result-listener.ts';
import { ClusterGuard } from './cluster-guard.ts';
import type { ClusterGuardSettings } from './cluster-guard-settings.ts';
import { DuplicateNodes } from './duplicate-nodes.ts';
import type {
  DecisionView,
  ExplainedQuery,
  GuardControl,
  GuardedConfig,
  GuardSupervisorContext,
  LiveExplanation,
  ManualAbort,
  PauseView,
  Refusal,
} from './guard-control.ts';
import { OperatorActionLog } from './guard-persistence.ts';
import type { PolicyReadiness } from './guard-readiness.ts';
import { DelayQueues, polledGateSources, polledPressures } from './host-pressure.ts';
import { hasGuardSockets, toListInput } from './node-access.ts';
import { createPauseStore } from './pause-store.ts';
import { PauseSwitch, stateLost } from './pause-switch.ts';
import { explanationReport } from './query-explanation-report.ts';
import { createQueryStatusLookup, type QueryGuardStatusLookup } from './query-guard-status.ts';

/** Guards of all clusters, with the actions of operators. */
export class GuardSupervisor implements GuardControl {
  readonly #context: GuardSupervisorContext;
  readonly #pause: PauseSwitch;
  readonly #actionLog: OperatorActionLog;
  readonly #guards = new Map<string, ClusterGuard>();
  readonly #duplicates = new DuplicateNodes();
  readonly #queues = new DelayQueues();
  /** Whether the state of earlier runs was read from the disk. */
  #isStoreLoaded = false;
  #isLoading = false;
  readonly #stopped = new AbortController();
  readonly #pending = new Set<Promise<void>>();

  constructor(context: GuardSupervisorContext) {
    this.#context = context;
    const { files, clock, log, store, pauseFile, ownership } = context;
    this.#actionLog = new OperatorActionLog(context);
    this.#pause = new PauseSwitch({
      files,
      clock,
      log,
      pauses: createPauseStore(store, clock, ownership?.isShared),
      file: pauseFile,
      changed: () => {
        for (const [cluster, guard] of this.#guards)
          guard.handle({ kind: 'paused', isPaused: this.#pause.view(cluster).isPaused });
      },
    });
  }

  /** Starts to check the pause switch. Pauses the guard if its state was lost, because spent budgets are unknown then. */
  start(): void {
    const { store } = this.#context;
    this.#isStoreLoaded = store.durable;
    if (store.wasRecreated) void this.#pause.pause('graphwarden', stateLost);
    this.#track(this.#pause.run(this.#stopped.signal));
  }

  /**
   * Ends the guard of a cluster that another replica is to own: drops decisions without an intent, and waits for aborts in flight
   * as long as `signal` allows. The next owner verifies the open intents.
   */
  async disown(cluster: string, signal: AbortSignal): Promise<void> {
    const guard = this.#guards.get(cluster);
    this.#guards.delete(cluster);
    await guard?.stop(signal);
  }

  /** Reads the stored pauses again, because another replica changed them. */
  reloadPauses(): Promise<void> {
    return this.#pause.follow();
  }

  /** Applies the clusters and policies of a configuration. */
  applyConfig({ guard, clusters, collectors, rejection }: GuardedConfig): void {
    this.#pause.setConfigReadable(rejection?.isGuardUnreadable !== true);
    const { interval, staleAfter, enabled } = collectors[queries.name] ?? {
      interval: queries.defaults.interval,
      staleAfter: queries.defaults.interval,
      enabled: true,
    };
    for (const settings of clusters) {
      const { name: cluster, nodes } = settings;
      const reported = nodes.flatMap(({ name, instance }) => (instance === undefined ? [] : [[name, instance]]));
      const known = this.#guards.get(cluster)?.settings;
      const now = { nodes: nodes.map(({ name }) => name), instances: Object.fromEntries(reported) };
      const latest = nodes.length === 0 && known !== undefined ? known : now;
      const { nodes: names, instances } = latest;
      const isGuarded = hasGuardSockets(settings, guard);
      const common = { cluster, guard, interval, staleAfter, isPolled: enabled, isGuarded };
      this.#guardCluster({ ...common, gateSources: polledGateSources(collectors), nodes: names, instances });
    }
    for (const [name, gone] of this.#guards) {
      if (clusters.some((cluster) => cluster.name === name)) continue;
      this.#guards.delete(name);
      this.#track(gone.stop(this.#stopped.signal));
    }
  }

  /** Passes process lists and the values of gates to the guard of the cluster. */
  onPollResult(feed: CollectorFeed, pollResult: PollResult, timing: PollTiming): void {
    const { definition } = feed;
    if (definition.processList !== undefined) {
      this.#duplicates.record(feed, rawProcessListOf(definition, pollResult.result)?.address);
      this.#guards.get(feed.cluster)?.receiveList(toListInput(feed, pollResult));
    } else this.#updateGates(feed, pollResult, timing);
  }

  /** Called at an interval: loads the store once it is durable, finds duplicate nodes, and advances the guards. */
  tick(now: Instant): void {
    if (this.#context.store.durable && !this.#isStoreLoaded && !this.#isLoading) this.#track(this.#loadStore());
    this.#duplicates.update(this.#guards, (cluster) => this.#context.nodeAccess(cluster)?.nodes() ?? []);
    this.#forEachGuard((guard) => guard.tick(now));
  }

  /** Returns the guard of a cluster; undefined if no policy applies to it. */
  activeGuard(cluster: string): ClusterGuard | undefined {
    const guard = this.#guards.get(cluster);
    return guard === undefined || guard.policies.length === 0 ? undefined : guard;
  }

  /** Returns the guard state for alert rules; undefined if the cluster has no policy and no manual abort. */
  view(cluster: string): GuardView | undefined {
    const guard = this.#guards.get(cluster);
    const view = guard?.view(this.#context.clock.now());
    // Manual aborts before the start are unknown until the store is loaded.
    const isIdle = guard?.policies.length === 0 && view?.aborts.length === 0 && view.isRestored !== false;
    return isIdle || view === undefined ? undefined : { ...view, paused: this.#pause.inEffect(cluster) };
  }

  /** Returns a lookup of the policy status of the listed queries of a cluster, at this time. */
  queryStatuses(cluster: string): QueryGuardStatusLookup {
    const guard = this.activeGuard(cluster);
    if (guard === undefined) return createQueryStatusLookup(undefined);
    const { protect } = guard.settings.guard;
    return createQueryStatusLookup({ guard, protect, now: this.#context.clock.now() });
  }

  /** Returns the local time minus the time of a node; undefined before the first list that shows it. */
  clockOffset(cluster: string, node: string): Millis | undefined {
    return this.#guards.get(cluster)?.state.views.get(node)?.offset.offset;
  }

  /** Returns the policy that aborted a query, `''` for a manual abort; undefined if the guard did not abort it. */
  abortedBy(cluster: string, node: string, id: string): string | undefined {
    const { aborts = [] } = this.view(cluster) ?? {};
    const abort = aborts.findLast((one) => one.node === node && one.id === id);
    return abort !== undefined && mayHaveEndedQuery(abort) ? abort.policy : undefined;
  }

  paused(cluster?: string): PauseView {
    return this.#pause.view(cluster);
  }

  async pause(by: string, reason: PauseReason, cluster = ''): Promise<Result<void, string>> {
    const stored = await this.#pause.pause(by, { reason, cluster });
    await this.#actionLog.append({ what: 'pause', by, cluster, subject: reason });
    return stored;
  }

  async resume(by: string, cluster?: string): Promise<Result<void, string>> {
    const resumed = await this.#pause.resume(by, cluster);
    await this.#actionLog.append({ what: 'resume', by, ...(cluster === undefined ? {} : { cluster }) });
    return resumed;
  }

  async resetBreaker(cluster: string, breaker: string, by: string): Promise<Result<boolean, string>> {
    const foreign = notOwnedMessage(this.#context.ownership, cluster);
    if (foreign !== undefined) return err(foreign);
    const wasOpen = this.#guards.get(cluster)?.reset(breaker) ?? false;
    if (!wasOpen) return ok(false);
    const stored = await this.#actionLog.append({ what: 'reset_breaker', by, cluster, subject: breaker });
    return stored.ok ? ok(true) : stored;
  }

  breakers(cluster: string): readonly BreakerView[] {
    return this.#guards.get(cluster)?.breakers() ?? [];
  }

  budgets(cluster: string): readonly RemainingBudget[] {
    return this.activeGuard(cluster)?.budgets(this.#context.clock.now()) ?? [];
  }

  readiness(cluster: string): readonly PolicyReadiness[] {
    return this.#guards.get(cluster)?.readiness(this.#context.clock.now()) ?? [];
  }

  explain(query: ExplainedQuery): LiveExplanation | undefined {
    return explanationReport(this.#guards.get(query.cluster), query, this.#context.clock.now());
  }

  async abort(request: ManualAbort): Promise<Result<AbortView, Refusal>> {
    const { cluster, node, id, by, reason } = request;
    const guard = this.#guards.get(cluster);
    const foreign = notOwnedMessage(this.#context.ownership, cluster);
    if (foreign !== undefined) return err({ kind: 'refused', message: foreign });
    if (guard === undefined && this.#context.ownership?.isShared === true) {
      const message = `the state of the cluster '${cluster}' is not restored yet; try again when the database answers`;
      return err({ kind: 'refused', message });
    }
    if (guard === undefined) return err({ kind: 'unknown_node', message: `unknown cluster '${cluster}'` });
    const outcome = await guard.abort(request);
    const what = outcome.ok ? 'manual_abort' : 'manual_abort_refused';
    await this.#actionLog.append({ what, by, cluster, subject: `${node} ${id}`, reason });
    return outcome;
  }

  decisions(): readonly DecisionView[] {
    const now = this.#context.clock.now();
    const all = [...this.#guards.values()].flatMap((guard) => guard.decisions(now));
    return all.toSorted((one, other) => other.at - one.at);
  }

  /** Drops decisions without an intent, and waits for aborts in flight until `signal` aborts. */
  async stop(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.#guards.values()].map((guard) => guard.stop(signal)));
    this.#stopped.abort();
    await Promise.all(this.#pending);
    await this.#context.flightRecorder?.stop();
  }

  /** Loads stored pauses, aborts and excluded queries. The guard aborts nothing before. */
  async #loadStore(): Promise<void> {
    this.#isLoading = true;
    if (this.#context.store.wasRecreated) void this.#pause.pause('graphwarden', stateLost);
    await this.#pause.reload();
    await Promise.all([...this.#guards.values()].map((guard) => this.#startGuard(guard)));
    this.#isLoading = false;
    this.#isStoreLoaded = true;
  }

  #startGuard(guard: ClusterGuard): Promise<void> {
    return guard.start(() => this.#pause.view(guard.settings.cluster).isPaused, this.#stopped.signal);
  }

  #guardCluster(settings: ClusterGuardSettings): void {
    const { cluster } = settings;
    const known = this.#guards.get(cluster);
    if (known !== undefined) {
      known.reconfigure(settings);
      return;
    }
    const { log, store, nodeAccess, record } = this.#context;
    const guard = new ClusterGuard(settings, {
      ...this.#context,
      log: log.with({ cluster }),
      nodeAccess: () => nodeAccess(cluster),
      record: (changes) => record(cluster, changes),
      checkPause: () => this.#pause.check(),
      isAuditable: () => store.durable && this.#isStoreLoaded,
      pause: (reason) => void this.pause('graphwarden', reason, cluster),
    });
    this.#guards.set(cluster, guard);
    this.#track(this.#startGuard(guard));
  }

  #updateGates(feed: CollectorFeed, pollResult: PollResult, timing: PollTiming): void {
    const { cluster } = feed;
    const guard = this.activeGuard(cluster);
    if (guard === undefined) return;
    const pressures = polledPressures(feed, pollResult, {
      interval: timing.interval,
      facts: (family) => this.#context.facts(cluster, family),
      nodes: this.#context.nodeAccess(cluster)?.nodes() ?? [],
      offset: (node) => this.clockOffset(cluster, node),
      queues: this.#queues,
    });
    for (const pressure of pressures) guard.handle({ kind: 'gate_value', pressure });
  }

  #forEachGuard(act: (guard: ClusterGuard) => void): void {
    for (const guard of this.#guards.values()) act(guard);
  }

  #track(work: Promise<void>): void {
    const ended: Promise<void> = work.finally(() => this.#pending.delete(ended));
    this.#pending.add(ended);
  }
}
