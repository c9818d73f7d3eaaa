import type { PollResult } from '../../collect/poll-runner.ts';
import { checkedReads } from '../../kernel/checked-reads.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import type { Store } from '../../kernel/store.ts';
import type { Instant, Millis } from '../../kernel/time.ts';
import type { Sample } from '../../metric/metric.ts';
import type { StateMachine } from '../../metric/state-machine.ts';
import { restoreTracker } from '../../track/restore.ts';
import type { TrackerSettings } from '../../track/settings.ts';
import { statusCodesOf } from '../../track/status-codes.ts';
import { createTracker, type TrackerInput, type TrackerState } from '../../track/tracker.ts';
import type { TrackerOutput } from '../../track/transitions.ts';
import { viewsOf } from '../../track/views.ts';
import type { CollectorFeed } from '../poll/collector-feed.ts';
import type { TrackerViews } from '../poll/situation-builder.ts';

interface TrackedCluster {
  machine: StateMachine<TrackerState, TrackerInput, TrackerOutput>;
  state: TrackerState;
  /** Samples that were returned last, and the state that they show. */
  renderedSamples?: { readonly state: TrackerState; readonly samples: Iterable<Sample> };
  /** Views that were returned last, and the state that they show. */
  reported?: { readonly state: TrackerState; readonly tracked: TrackerViews };
}

const noServices: TrackerViews = { replicas: [], partitions: [] };

/** The trackers of all clusters, each with its state. */
export class ClusterTrackers {
  readonly #store: Store;
  readonly #clusters = new Map<string, TrackedCluster>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Follows these clusters and no others; restores the state of a new one from the store. */
  async configure(clusters: readonly string[], settings: TrackerSettings, now: Instant): Promise<void> {
    for (const cluster of this.#clusters.keys()) if (!clusters.includes(cluster)) this.#clusters.delete(cluster);
    for (const cluster of clusters) {
      const machine = createTracker(cluster, settings);
      const known = this.#clusters.get(cluster);
      if (known !== undefined) known.machine = machine;
      else this.#clusters.set(cluster, { machine, state: await restoreTracker(cluster, this.#store, now) });
    }
  }

  /** Follows clusters from their stored states; if the store cannot be read, follows none and returns the error. */
  async adopt(clusters: readonly string[], settings: TrackerSettings, now: Instant): Promise<Result<void, string>> {
    const { reads, problem } = checkedReads(this.#store);
    const restore = async (cluster: string) => [cluster, await restoreTracker(cluster, reads, now)] as const;
    const restored = await Promise.all(clusters.map(restore));
    const error = problem();
    if (error !== undefined) return err(error);
    for (const [cluster, state] of restored)
      this.#clusters.set(cluster, { machine: createTracker(cluster, settings), state });
    return ok(undefined);
  }

  /** Stops following clusters; their states stay in the store. */
  disown(clusters: Iterable<string>): void {
    for (const cluster of clusters) this.#clusters.delete(cluster);
  }

  /** Runs one step of the tracker of a cluster; returns no outputs if the cluster is not followed. */
  step(cluster: string, input: TrackerInput, now: Instant): readonly TrackerOutput[] {
    const tracked = this.#clusters.get(cluster);
    if (tracked === undefined) return [];
    const { state, outputs } = tracked.machine.step(tracked.state, input, now);
    tracked.state = state;
    return outputs;
  }

  /** Returns the state of the services of a cluster. */
  tracked(cluster: string): TrackerViews {
    const tracked = this.#clusters.get(cluster);
    if (tracked === undefined) return noServices;
    const { state } = tracked;
    if (tracked.reported?.state !== state) tracked.reported = { state, tracked: viewsOf(state, cluster) };
    return tracked.reported.tracked;
  }

  /** Returns the state of the services of these clusters. */
  trackedIn(clusters: readonly string[]): TrackerViews {
    const all = clusters.map((cluster) => this.tracked(cluster));
    return {
      replicas: all.flatMap(({ replicas }) => replicas),
      partitions: all.flatMap(({ partitions }) => partitions),
    };
  }

  /** Samples of a cluster's tracker, computed on iteration. Returns the same object while the state does not change. */
  samples(cluster: string, now: Instant): Iterable<Sample> {
    const tracked = this.#clusters.get(cluster);
    if (tracked === undefined) return [];
    const { machine, state } = tracked;
    if (tracked.renderedSamples?.state !== state) {
      tracked.renderedSamples = {
        state,
        samples: { [Symbol.iterator]: () => machine.samples(state, now)[Symbol.iterator]() },
      };
    }
    return tracked.renderedSamples.samples;
  }
}

/** Returns what a poll result states about services, for the tracker; undefined if the collector does not poll them. */
export function trackerInputOf(
  { definition }: CollectorFeed,
  { result, source }: PollResult,
  interval: Millis,
): TrackerInput | undefined {
  if (definition.serviceStatuses === undefined) return undefined;
  const report = result.ok ? definition.serviceStatuses(result.value) : undefined;
  if (report?.kind === 'states') return { kind: 'states', source, states: report.states, interval };
  if (report?.kind === 'page') return { kind: 'codes', codes: statusCodesOf(report.families, report.prefix), interval };
  return definition.metrics.some(({ name }) => name === 'graphdb_service_status') ? { kind: 'poll_failed' } : undefined;
}
