import type { Silence } from '../alert/alerting.ts';
import type { Reading } from '../collect/runner.ts';
import type { Logger } from '../kernel/logger.ts';
import { ok, type Result } from '../kernel/result.ts';
import type { Change, Store } from '../kernel/store.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { Alert } from '../model/alert.ts';
import type { SelfSituation, Situation } from '../model/situation.ts';
import type { ReplicaId, Transition } from '../model/transition.ts';
import type { TrackOutput } from '../track/differences.ts';
import type { TrackerSettings } from '../track/settings.ts';
import { statusCodesOf } from '../track/status-codes.ts';
import { keyOf, type TrackInput } from '../track/tracker.ts';
import { isUnheardOf } from '../track/tracker-metrics.ts';
import type { Alerts, AlertsSettings, Outcome } from './alerts.ts';
import type { Feed } from './content.ts';
import type { Pace } from './pipeline.ts';
import type { Tracked } from './situations.ts';
import { StoreWatch } from './store-watch.ts';
import { Trackers } from './trackers.ts';

/** What the line behind the readings works with. */
export interface IncidentContext {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Store;
  readonly alerts: Alerts;
  /** What rules may know of a cluster now; undefined for one that is not watched yet. */
  readonly situation: (cluster: string, tracked: Tracked, now: Instant) => Situation | undefined;
  /** What rules may know of ourselves now. */
  readonly self: (now: Instant) => SelfSituation;
  /** Tells those who look on, once it is stored. */
  readonly publish: (news: News) => void;
}

/** What those who look on are told. */
export type News =
  | { readonly kind: 'transition'; readonly transition: Transition }
  | { readonly kind: 'alert'; readonly alert: Alert };

/** What the line is told to follow. */
export interface IncidentSettings extends AlertsSettings {
  readonly tracker: TrackerSettings;
}

/**
 * The line behind the readings: what they say of services goes through the tracker and what it makes of them through
 * the rules, and what follows from both is stored in one transaction before anybody is told.
 */
export class Incidents {
  readonly #context: IncidentContext;
  readonly #trackers: Trackers;
  readonly #storeWatch: StoreWatch;
  #clusters: readonly string[] = [];

  constructor(context: IncidentContext) {
    this.#context = context;
    this.#trackers = new Trackers(context.store);
    this.#storeWatch = new StoreWatch(context.store, context.log);
  }

  /** Follows these clusters from now on; what was known of them is read from the store. */
  async follow(settings: IncidentSettings): Promise<void> {
    const { alerts, clock } = this.#context;
    await this.#trackers.follow(settings.clusters, settings.tracker, clock.now());
    const outcome = await alerts.follow(settings, clock.now());
    this.#clusters = settings.clusters;
    await this.#settle(outcome);
  }

  /** Takes a reading that is on the page now. */
  taken({ cluster, of }: Feed, { result, source, ended }: Reading, { interval }: Pace): void {
    if (of.statuses === undefined) return;
    const report = result.ok ? of.statuses(result.value) : undefined;
    if (report?.kind === 'states')
      void this.#step(cluster, { kind: 'states', source, states: report.states, interval }, ended);
    else if (report?.kind === 'page') {
      const codes = statusCodesOf(report.families, report.prefix);
      void this.#step(cluster, { kind: 'codes', codes, interval }, ended);
    } else if (of.metrics.some(({ name }) => name === 'graphdb_service_status')) {
      void this.#step(cluster, { kind: 'unable' }, ended);
    }
  }

  /** A slow tick: what time alone decides, and what the rules make of all that is known. */
  beat(now: Instant): void {
    if (this.#context.store.trouble !== undefined) this.#storeWatch.note();
    for (const cluster of this.#clusters) void this.#step(cluster, { kind: 'beat' }, now);
    if (this.#clusters.length > 0) void this.#settle(this.#judgeSelf(now));
  }

  /** Forgets a replica that will not come back; false where none such is known. `also` is stored with it. */
  async forget(replica: ReplicaId, also: readonly Change[] = []): Promise<Result<boolean, string>> {
    const key = keyOf(replica);
    if (!this.tracked(replica.cluster).replicas.some((view) => keyOf(view) === key)) return ok(false);
    const stored = await this.#step(replica.cluster, { kind: 'forget', replica }, this.#context.clock.now(), also);
    return stored.ok ? ok(true) : stored;
  }

  /** Silences what matches; it holds from now on even where it cannot be stored, which is the error. `also` is stored with it. */
  silence(silence: Silence, also: readonly Change[] = []): Promise<Result<void, string>> {
    const { alerts, clock } = this.#context;
    return this.#settle(alerts.step({ kind: 'silence', silence }, clock.now()), [], also);
  }

  /** Ends a silence; false where none such is known. `also` is stored with it. */
  async unsilence(id: string, also: readonly Change[] = []): Promise<Result<boolean, string>> {
    const { alerts, clock } = this.#context;
    const now = clock.now();
    if (!alerts.silences(now).some((silence) => silence.id === id)) return ok(false);
    const stored = await this.#settle(alerts.step({ kind: 'unsilence', id }, now), [], also);
    return stored.ok ? ok(true) : stored;
  }

  /** Stores what another part has to keep, with what the rules make of it by then, as one: on disk where that is good. */
  record(cluster: string, changes: readonly Change[]): Promise<Result<void, string>> {
    const isFollowed = this.#clusters.includes(cluster);
    const judged = isFollowed ? this.#judge(cluster, this.#context.clock.now()) : undefined;
    return this.#settle(judged, [], changes);
  }

  /** What is known of a cluster's services. */
  tracked(cluster: string): Tracked {
    return this.#trackers.tracked(cluster);
  }

  /** What is known of all services. */
  views(): Tracked {
    const all = this.#clusters.map((cluster) => this.tracked(cluster));
    return {
      replicas: all.flatMap(({ replicas }) => replicas),
      partitions: all.flatMap(({ partitions }) => partitions),
    };
  }

  /** What the tracker of a cluster shows. */
  samples(cluster: string, now: Instant): Iterable<Sample> {
    return this.#trackers.samples(cluster, now);
  }

  /** A page must not wait for the next beat: what becomes hard is judged with the reading that made it so. */
  #step(cluster: string, input: TrackInput, now: Instant, also: readonly Change[] = []): Promise<Result<void, string>> {
    const outputs = this.#trackers.step(cluster, input, now);
    this.#noteUnknown(outputs);
    const isUrgent = input.kind === 'beat' || outputs.some(({ kind }) => kind === 'hard');
    // The reading ended a moment ago, and a beat may have come in between: rules go by a clock that does not turn back.
    const judged = isUrgent ? this.#judge(cluster, this.#context.clock.now()) : undefined;
    return this.#settle(judged, outputs, also);
  }

  #judge(cluster: string, now: Instant): Outcome | undefined {
    const { alerts, situation } = this.#context;
    const known = situation(cluster, this.tracked(cluster), now);
    return known && alerts.step({ kind: 'situation', situation: known }, now);
  }

  #judgeSelf(now: Instant): Outcome {
    const { alerts, self } = this.#context;
    return alerts.step({ kind: 'self', self: self(now) }, now);
  }

  async #settle(
    judged: Outcome | undefined,
    outputs: readonly TrackOutput[] = [],
    also: readonly Change[] = [],
  ): Promise<Result<void, string>> {
    const tracked = outputs.flatMap((output): readonly Change[] => (output.kind === 'change' ? [output.change] : []));
    const changes = [...tracked, ...(judged?.changes ?? []), ...also];
    if (changes.length === 0) {
      judged?.release();
      return ok(undefined);
    }
    const { store, publish } = this.#context;
    const stored = await store.commit(changes);
    // Any doubt means send: what could not be stored is told nevertheless.
    judged?.release();
    this.#storeWatch.note(stored.ok ? undefined : stored.error);
    for (const output of outputs) if (output.kind === 'transition') publish(output);
    for (const alert of judged?.news ?? []) publish({ kind: 'alert', alert });
    return stored;
  }

  /** Metrics show such a word as unrecognised; whoever looks into it needs the word itself. */
  #noteUnknown(outputs: readonly TrackOutput[]): void {
    for (const output of outputs) {
      if (output.kind !== 'transition' || !isUnheardOf(output.transition.to)) continue;
      const { cluster, service, partition, replica, to: status } = output.transition;
      this.#context.log.warn('a status that the documents do not name', {
        cluster,
        service,
        partition,
        replica,
        status,
      });
    }
  }
}
