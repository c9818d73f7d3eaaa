import type { Store } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import type { Machine } from '../metric/machine.ts';
import type { Sample } from '../metric/metric.ts';
import type { TrackOutput } from '../track/differences.ts';
import { restoreTracker } from '../track/restore.ts';
import type { TrackerSettings } from '../track/settings.ts';
import { createTracker, type TrackerState, type TrackInput } from '../track/tracker.ts';
import { viewsOf } from '../track/views.ts';
import type { Tracked } from './situations.ts';

interface Line {
  machine: Machine<TrackerState, TrackInput, TrackOutput>;
  state: TrackerState;
  /** What was shown last, and of which state. */
  shown?: { readonly state: TrackerState; readonly samples: Iterable<Sample> };
  /** What was told of it last, and of which state. */
  told?: { readonly state: TrackerState; readonly tracked: Tracked };
}

const nothing: Tracked = { replicas: [], partitions: [] };

/** The trackers of all clusters, each with its state. */
export class Trackers {
  readonly #store: Store;
  readonly #lines = new Map<string, Line>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Follows these clusters and no others: what was known of a new one is read from the store. */
  async follow(clusters: readonly string[], settings: TrackerSettings, now: Instant): Promise<void> {
    for (const cluster of this.#lines.keys()) if (!clusters.includes(cluster)) this.#lines.delete(cluster);
    for (const cluster of clusters) {
      const machine = createTracker(cluster, settings);
      const known = this.#lines.get(cluster);
      if (known !== undefined) known.machine = machine;
      else this.#lines.set(cluster, { machine, state: await restoreTracker(cluster, this.#store, now) });
    }
  }

  /** One step of one cluster's tracker; nothing where the cluster is not followed. */
  step(cluster: string, input: TrackInput, now: Instant): readonly TrackOutput[] {
    const line = this.#lines.get(cluster);
    if (line === undefined) return [];
    const { state, outputs } = line.machine.step(line.state, input, now);
    line.state = state;
    return outputs;
  }

  /** What is known of a cluster's services. */
  tracked(cluster: string): Tracked {
    const line = this.#lines.get(cluster);
    if (line === undefined) return nothing;
    const { state } = line;
    if (line.told?.state !== state) line.told = { state, tracked: viewsOf(state, cluster) };
    return line.told.tracked;
  }

  /** What the tracker of a cluster shows: the same object as long as nothing happens, read when somebody wants to. */
  samples(cluster: string, now: Instant): Iterable<Sample> {
    const line = this.#lines.get(cluster);
    if (line === undefined) return [];
    const { machine, state } = line;
    if (line.shown?.state !== state) {
      line.shown = { state, samples: { [Symbol.iterator]: () => machine.samples(state, now)[Symbol.iterator]() } };
    }
    return line.shown.samples;
  }
}
