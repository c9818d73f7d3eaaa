import type { Acknowledgement, Silence } from '../../alert/alerting.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { Logger } from '../../kernel/logger.ts';
import { notOwnedMessage, type Ownership, selfCluster, soleOwnership } from '../../kernel/ownership.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import type { CommitPriority, Store, StoreChange } from '../../kernel/store.ts';
import type { Clock, Instant } from '../../kernel/time.ts';
import { startTimeSlices } from '../../kernel/time-slices.ts';
import type { Sample } from '../../metric/metric.ts';
import type { SelfSituation, Situation } from '../../model/situation.ts';
import type { ReplicaId } from '../../model/transition.ts';
import type { TrackerSettings } from '../../track/settings.ts';
import { keyOf, type TrackerInput } from '../../track/tracker.ts';
import { batchesOf, type TrackerOutput } from '../../track/transitions.ts';
import type { CollectorFeed } from '../poll/collector-feed.ts';
import type { PollTiming } from '../poll/poll-result-listener.ts';
import type { TrackerViews } from '../poll/situation-builder.ts';
import type { AlertEngine, AlertEngineSettings, AlertStepResult } from './alert-engine.ts';
import { ClusterTrackers, trackerInputOf } from './cluster-trackers.ts';
import { EvaluationTurns } from './evaluation-turns.ts';
import { type IncidentEvent, publishedEvents, recentEvents } from './incident-events.ts';
import { logTracked, StoreHealthLogger } from './incident-log.ts';

/** Dependencies of the incident processor. */
export interface IncidentDependencies {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Store;
  readonly alerts: AlertEngine;
  /** Returns the input of the rules for a cluster; undefined for a cluster that is not polled yet. */
  readonly situation: (cluster: string, tracked: TrackerViews, now: Instant) => Situation | undefined;
  /** Returns the input of rules about graphwarden itself. */
  readonly self: (now: Instant) => SelfSituation;
  /** Absent: this process owns all clusters. */
  readonly ownership?: Ownership;
  /** Sends an event to subscribers after it is stored. */
  readonly publish: (event: IncidentEvent) => void;
}

/** Settings of the incident processor. */
export interface IncidentSettings extends AlertEngineSettings {
  readonly tracker: TrackerSettings;
}

/**
 * Passes service statuses from poll results to the tracker and its output to the alert rules. The changes of both are
 * stored before notifications and events are sent, in one transaction unless hundreds of instances change at once: then the
 * changes of the rules are in the first one.
 */
export class IncidentProcessor {
  readonly #dependencies: IncidentDependencies;
  readonly #trackers: ClusterTrackers;
  readonly #storeHealth: StoreHealthLogger;
  readonly #restores = new SerialQueue();
  readonly #turns = new EvaluationTurns();
  /** Clusters with further incidents that are due. */
  readonly #unfinished = new Set<string>();
  readonly #ownership: Ownership;
  /** The owned clusters. */
  #clusters: readonly string[] = [];
  #settings: IncidentSettings | undefined;
  /** Whether this process evaluates the rules about graphwarden itself. */
  #ownsSelf: boolean;
  #mergeCount: number;
  #isTryingDisk = false;

  constructor(context: IncidentDependencies) {
    this.#dependencies = context;
    this.#trackers = new ClusterTrackers(context.store);
    this.#storeHealth = new StoreHealthLogger(context.store, context.log);
    this.#mergeCount = context.store.mergeCount;
    this.#ownership = context.ownership ?? soleOwnership;
    this.#ownsSelf = !this.#ownership.isShared;
  }

  /** Applies settings and restores the state of the clusters from the store. */
  configure(settings: IncidentSettings): Promise<void> {
    return this.#restores.run(async () => {
      const { alerts, clock } = this.#dependencies;
      this.#settings = settings;
      // If replicas share the clusters, each replica follows those that it adopted.
      const isFollowed = (cluster: string) => !this.#ownership.isShared || this.#clusters.includes(cluster);
      const followed = settings.clusters.filter(isFollowed);
      await this.#trackers.configure(followed, settings.tracker, clock.now());
      const outcome = await alerts.configure(settings, clock.now());
      this.#clusters = followed;
      await this.#commit(outcome);
    });
  }

  /**
   * Continues with the stored state of clusters that this replica owns from now on. If the store cannot be read, none of
   * them is followed yet, and the error is returned.
   */
  adopt(clusters: ReadonlySet<string>): Promise<Result<void, string>> {
    return this.#restores.run(async () => {
      const { alerts, clock } = this.#dependencies;
      const { tracker, clusters: tracked = [] } = this.#settings ?? {};
      const followed = tracked.filter((cluster) => clusters.has(cluster));
      if (tracker !== undefined) {
        const restored = await this.#trackers.adopt(followed, tracker, clock.now());
        if (!restored.ok) return restored;
      }
      const adopted = await alerts.adopt(clusters, clock.now());
      if (!adopted.ok) return adopted;
      this.#clusters = [...this.#clusters, ...followed];
      if (clusters.has(selfCluster)) this.#ownsSelf = true;
      await this.#commit(adopted.value);
      return ok(undefined);
    });
  }

  /** Drops the state of clusters that another replica owns from now on, without events or notifications. */
  disown(clusters: ReadonlySet<string>): Promise<void> {
    this.#clusters = this.#clusters.filter((one) => !clusters.has(one));
    if (clusters.has(selfCluster)) this.#ownsSelf = false;
    this.#trackers.disown(clusters);
    return this.#restores.run(() => {
      const { alerts, clock } = this.#dependencies;
      alerts.disown(clusters, clock.now());
    });
  }

  /** Reads the silences again, because another replica changed them. */
  reloadSilences(): Promise<void> {
    const { alerts, clock } = this.#dependencies;
    return this.#restores.run(() => alerts.reloadSilences(clock.now()));
  }

  /** Processes a poll result that the metrics page already shows. */
  onPollResult(feed: CollectorFeed, pollResult: PollResult, { interval }: PollTiming): void {
    const input = trackerInputOf(feed, pollResult, interval);
    if (input !== undefined) void this.#step(feed.cluster, input, pollResult.ended);
  }

  /** Applies timeouts and evaluates the rules of the clusters that are due. */
  tick(now: Instant): void {
    this.#storeHealth.follow();
    this.#followStore();
    const due = this.#turns.due(this.#clusters, this.#dependencies.alerts.clustersWithIncidents(), now.mono);
    for (const cluster of this.#clusters) void this.#step(cluster, { kind: 'tick' }, now, { isDue: due.has(cluster) });
    const hasSelf = this.#ownership.isShared || this.#clusters.length > 0;
    if (hasSelf && this.#ownsSelf) void this.#commit(this.#evaluateSelf(now));
  }

  /** Removes a replica that will not return; false if it is unknown. `also` is stored in the same transaction. */
  async forget(replica: ReplicaId, also: readonly StoreChange[] = []): Promise<Result<boolean, string>> {
    const foreign = notOwnedMessage(this.#ownership, replica.cluster);
    if (foreign !== undefined) return err(foreign);
    const key = keyOf(replica);
    if (!this.tracked(replica.cluster).replicas.some((view) => keyOf(view) === key)) return ok(false);
    const now = this.#dependencies.clock.now();
    const stored = await this.#step(replica.cluster, { kind: 'forget', replica }, now, { also });
    return stored.ok ? ok(true) : stored;
  }

  /** Adds a silence, which is active even if the store fails. `also` is stored in the same transaction. */
  silence(silence: Silence, also: readonly StoreChange[] = []): Promise<Result<void, string>> {
    const { alerts, clock } = this.#dependencies;
    return this.#commit(alerts.step({ kind: 'silence', silence }, clock.now()), [], also);
  }

  /** Ends a silence; false if it is unknown. `also` is stored in the same transaction. */
  async unsilence(id: string, also: readonly StoreChange[] = []): Promise<Result<boolean, string>> {
    const { alerts, clock } = this.#dependencies;
    const now = clock.now();
    if (!alerts.silences(now).some((silence) => silence.id === id)) return ok(false);
    const stored = await this.#commit(alerts.step({ kind: 'unsilence', id }, now), [], also);
    return stored.ok ? ok(true) : stored;
  }

  /**
   * Acknowledges a firing incident, or without `acknowledgement` withdraws that. It takes effect even if the store fails.
   * `also` is stored in the same transaction.
   */
  acknowledge(
    id: string,
    acknowledgement: Acknowledgement | undefined,
    also: readonly StoreChange[] = [],
  ): Promise<Result<void, string>> {
    const { alerts, clock } = this.#dependencies;
    const input =
      acknowledgement === undefined
        ? ({ kind: 'unacknowledge', id } as const)
        : ({ kind: 'acknowledge', id, acknowledgement } as const);
    return this.#commit(alerts.step(input, clock.now()), [], also);
  }

  /**
   * Stores decisions of the guard in one transaction with the result of an evaluation of the rules, before other changes
   * that wait, because aborts wait for it.
   */
  record(cluster: string, changes: readonly StoreChange[]): Promise<Result<void, string>> {
    const isFollowed = this.#clusters.includes(cluster);
    const evaluated = isFollowed ? this.#evaluate(cluster, this.#dependencies.clock.now()) : undefined;
    return this.#commit(evaluated, [], changes, 'urgent');
  }

  /** Tracked services of a cluster. */
  tracked(cluster: string): TrackerViews {
    return this.#trackers.tracked(cluster);
  }

  /** Tracked services of all clusters. */
  trackedServices(): TrackerViews {
    return this.#trackers.trackedIn(this.#clusters);
  }

  /** Samples of a cluster's tracker. */
  samples(cluster: string, now: Instant): Iterable<Sample> {
    return this.#trackers.samples(cluster, now);
  }

  /** Also evaluates rules that are not due when a status is confirmed, since a critical alert must not wait. */
  #step(
    cluster: string,
    input: TrackerInput,
    now: Instant,
    { isDue = false, also = [] }: { readonly isDue?: boolean; readonly also?: readonly StoreChange[] } = {},
  ): Promise<Result<void, string>> {
    const outputs = this.#trackers.step(cluster, input, now);
    logTracked(this.#dependencies.log, outputs);
    this.#dependencies.alerts.addEvents(recentEvents(outputs), now);
    const isUrgent = isDue || outputs.some(({ kind }) => kind === 'confirmed');
    // A tick may have run after the poll ended. Rules need a clock that never goes back, so take the current time.
    const evaluated = isUrgent ? this.#evaluate(cluster, this.#dependencies.clock.now()) : undefined;
    if (evaluated?.isUnfinished === true) void this.#continue(cluster);
    return this.#commit(evaluated, outputs, also);
  }

  /** Evaluates a cluster until all incidents that are due have begun or ended; yields to other work after each step. */
  async #continue(cluster: string): Promise<void> {
    if (this.#unfinished.has(cluster)) return;
    this.#unfinished.add(cluster);
    const { clock } = this.#dependencies;
    for (let isUnfinished = true; isUnfinished; ) {
      await clock.yieldToEventLoop();
      const evaluated = this.#evaluate(cluster, clock.now());
      await this.#commit(evaluated);
      isUnfinished = evaluated?.isUnfinished === true;
    }
    this.#unfinished.delete(cluster);
  }

  /** Lets a store in memory try the disk again, and adopts the state of a folder that became available later. */
  #followStore(): void {
    const { store, alerts, clock, log } = this.#dependencies;
    if (!store.durable && !this.#isTryingDisk) {
      this.#isTryingDisk = true;
      void store.commit([]).finally(() => {
        this.#isTryingDisk = false;
      });
    }
    if (store.mergeCount === this.#mergeCount) return;
    this.#mergeCount = store.mergeCount;
    void this.#restores.run(async () => {
      await this.#commit(await alerts.merge(clock.now()));
      log.info('state directory merged');
    });
  }

  #evaluate(cluster: string, now: Instant): AlertStepResult | undefined {
    const { alerts, situation } = this.#dependencies;
    const known = situation(cluster, this.tracked(cluster), now);
    return known && alerts.step({ kind: 'situation', situation: known }, now);
  }

  #evaluateSelf(now: Instant): AlertStepResult {
    const { alerts, self } = this.#dependencies;
    return alerts.step({ kind: 'self', self: self(now) }, now);
  }

  async #commit(
    evaluated: AlertStepResult | undefined,
    outputs: readonly TrackerOutput[] = [],
    also: readonly StoreChange[] = [],
    priority: CommitPriority = 'normal',
  ): Promise<Result<void, string>> {
    const [tracked = [], ...further] = batchesOf(outputs);
    const first = [...tracked, ...(evaluated?.changes ?? []), ...also];
    if (first.length === 0) {
      evaluated?.release();
      return ok(undefined);
    }
    const { clock, store, publish } = this.#dependencies;
    const all = await Promise.all([first, ...further].map((changes) => store.commit(changes, priority)));
    const stored = all.find(({ ok: isStored }) => !isStored) ?? ok(undefined);
    // A notification is sent even if the store failed: a duplicate is better than a lost alert.
    evaluated?.release();
    this.#storeHealth.report(stored.ok ? undefined : stored.error);
    const slices = startTimeSlices(clock);
    for (const event of publishedEvents(outputs, evaluated?.changedAlerts ?? [])) {
      if (slices.shouldYield()) await slices.nextSlice();
      publish(event);
    }
    return stored;
  }
}
