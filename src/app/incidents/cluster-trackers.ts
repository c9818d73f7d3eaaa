import type { Store } from '../../kernel/store.ts';
import type { Instant } from '../../kernel/time.ts';
import type { Sample } from '../../metric/metric.ts';
import type { StateMachine } from '../../metric/state-machine.ts';
import { restoreTracker } from '../../track/restore.ts';
import type { TrackerSettings } from '../../track/settings.ts';
import { createTracker, type TrackerInput, type TrackerState } from '../../track/tracker.ts';
import type { TrackerOutput } from '../../track/transitions.ts';
import { viewsOf } from '../../track/views.ts';
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

  /** Follows these clusters and no others: what was known of a new one is read from the store. */
  async configure(clusters: readonly string[], settings: TrackerSettings, now: Instant): Promise<void> {
    for (const cluster of this.#clusters.keys()) if (!clusters.includes(cluster)) this.#clusters.delete(cluster);
    for (const cluster of clusters) {
      const machine = createTracker(cluster, settings);
      const known = this.#clusters.get(cluster);
      if (known !== undefined) known.machine = machine;
      else this.#clusters.set(cluster, { machine, state: await restoreTracker(cluster, this.#store, now) });
    }
  }

  /** One step of one cluster's tracker; nothing where the cluster is not followed. */
  step(cluster: string, input: TrackerInput, now: Instant): readonly TrackerOutput[] {
    const line = this.#clusters.get(cluster);
    if (line === undefined) return [];
    const { state, outputs } = line.machine.step(line.state, input, now);
    line.state = state;
    return outputs;
  }

  /** What is known of a cluster's services. */
  tracked(cluster: string): TrackerViews {
    const line = this.#clusters.get(cluster);
    if (line === undefined) return noServices;
    const { state } = line;
    if (line.reported?.state !== state) line.reported = { state, tracked: viewsOf(state, cluster) };
    return line.reported.tracked;
  }

  /** Samples of a cluster's tracker, computed on iteration. Returns the same object while the state does not change. */
  samples(cluster: string, now: Instant): Iterable<Sample> {
    const line = this.#clusters.get(cluster);
    if (line === undefined) return [];
    const { machine, state } = line;
    if (line.renderedSamples?.state !== state) {
      line.renderedSamples = {
        state,
        samples: { [Symbol.iterator]: () => machine.samples(state, now)[Symbol.iterator]() },
      };
    }
    return line.renderedSamples.samples;
  }
}
