import type { Alerting } from '../../alert/create-alerting.ts';
import type { AlertingState } from '../../alert/incident.ts';
import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { Instant } from '../../kernel/time.ts';
import { FirstUse } from '../../metric/first-use.ts';
import type { Sample } from '../../metric/metric.ts';

/** Samples of a cluster without incidents, with the input from which they were built. */
interface QuietSamples extends Pick<AlertSource, 'now'> {
  readonly counts: AlertingState['counts'];
  readonly samples: readonly Sample[];
}

/** Input from which the samples of the alerts of a cluster are built. */
export interface AlertSource {
  readonly machine: Alerting;
  readonly state: AlertingState;
  readonly now: Instant;
  /** Whether the cluster has no incident. */
  readonly isQuiet: boolean;
}

/** Creates the samples of alerts of each cluster, and keeps those of clusters without incidents. */
export class AlertSamples {
  /** Tracks, for each cluster, the counters that are new and still shown as 0. */
  readonly #firstUses = new Map<string, FirstUse<string>>();
  readonly #quiet = new Map<string, QuietSamples>();

  /** Returns the samples of a cluster; the same list while it has no incident and nothing changes, as in most clusters. */
  of(cluster: string, { machine, state, now, isQuiet }: AlertSource): readonly Sample[] {
    const uses = getOrCreate(this.#firstUses, cluster, () => new FirstUse<string>());
    const last = isQuiet ? this.#quiet.get(cluster) : undefined;
    if (last?.counts === state.counts && !uses.settledBetween(last.now.mono, now.mono)) return last.samples;
    const samples = [...machine.samplesOf(state, cluster, (counts) => uses.shown(counts, now))];
    if (isQuiet) this.#quiet.set(cluster, { counts: state.counts, now, samples });
    return samples;
  }

  /** Forgets the samples of the rules before a reload, also those of clusters that it removed. */
  reset(): void {
    this.#quiet.clear();
  }

  /** Forgets a cluster that another replica owns. */
  disown(cluster: string): void {
    this.#firstUses.delete(cluster);
    this.#quiet.delete(cluster);
  }
}
