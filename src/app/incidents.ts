import type { Reading } from '../collect/runner.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Change, Store } from '../kernel/store.ts';
import type { Clock, Instant } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { ReplicaId, Transition } from '../model/transition.ts';
import type { TrackOutput } from '../track/differences.ts';
import type { TrackerSettings } from '../track/settings.ts';
import { statusCodesOf } from '../track/status-codes.ts';
import { keyOf, type TrackInput } from '../track/tracker.ts';
import { isUnheardOf } from '../track/tracker-metrics.ts';
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
  /** Tells those who look on, once it is stored. */
  readonly publish: (transition: Transition) => void;
}

/**
 * The line behind the readings: what they say of services goes through the tracker, and what follows from it is
 * stored before anybody is told.
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
  async follow(clusters: readonly string[], settings: TrackerSettings): Promise<void> {
    await this.#trackers.follow(clusters, settings, this.#context.clock.now());
    this.#clusters = clusters;
  }

  /** Takes a reading that is on the page now. */
  taken({ cluster, of }: Feed, { result, source, ended }: Reading, { interval }: Pace): void {
    if (of.statuses === undefined) return;
    const report = result.ok ? of.statuses(result.value) : undefined;
    if (report?.kind === 'states')
      this.#step(cluster, { kind: 'states', source, states: report.states, interval }, ended);
    else if (report?.kind === 'page') {
      const codes = statusCodesOf(report.families, report.prefix);
      this.#step(cluster, { kind: 'codes', codes, interval }, ended);
    } else if (of.metrics.some(({ name }) => name === 'graphdb_service_status')) {
      this.#step(cluster, { kind: 'unable' }, ended);
    }
  }

  /** A slow tick: what time alone decides. */
  beat(now: Instant): void {
    if (this.#context.store.trouble !== undefined) this.#storeWatch.note();
    for (const cluster of this.#clusters) this.#step(cluster, { kind: 'beat' }, now);
  }

  /** Forgets a replica that will not come back; false where none such is known. */
  forget(replica: ReplicaId): boolean {
    const key = keyOf(replica);
    const isKnown = this.tracked(replica.cluster).replicas.some((view) => keyOf(view) === key);
    if (isKnown) this.#step(replica.cluster, { kind: 'forget', replica }, this.#context.clock.now());
    return isKnown;
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

  #step(cluster: string, input: TrackInput, now: Instant): void {
    const outputs = this.#trackers.step(cluster, input, now);
    const changes = outputs.flatMap((output): readonly Change[] => (output.kind === 'change' ? [output.change] : []));
    this.#noteUnknown(outputs);
    if (changes.length > 0) void this.#settle(changes, outputs);
  }

  async #settle(changes: readonly Change[], outputs: readonly TrackOutput[]): Promise<void> {
    const { store, publish } = this.#context;
    const stored = await store.commit(changes);
    this.#storeWatch.note(stored.ok ? undefined : stored.error);
    for (const output of outputs) if (output.kind === 'transition') publish(output.transition);
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
