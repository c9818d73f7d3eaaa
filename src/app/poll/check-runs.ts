import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Sample } from '../../metric/metric.ts';
import type { CollectorFeed } from './collector-feed.ts';
import type { PollResultListener } from './poll-result-listener.ts';

/** Run of a check. */
export interface CheckRun {
  readonly cluster: string;
  /** Name of the collector if the run returned no result of a check. */
  readonly check: string;
  /** End of the run, ms since the epoch. */
  readonly endedAt: number;
  /** Undefined if the server does not state it. */
  readonly duration: Millis | undefined;
  readonly verdict: 'passed' | 'failed' | 'no result';
  /** Unsynced entries of all graphs, partitions and engines. */
  readonly unsyncedEntries: number | undefined;
  /** Why there is no result. */
  readonly message: string;
}

/** Number of runs of a check that are kept; checks run weekly by default. */
const maxRuns = 20;

/** Latest runs of each consistency check since the start. */
export class CheckRuns implements PollResultListener {
  /** Runs of each check, the latest last, by cluster and check. */
  readonly #runs = new Map<string, CheckRun[]>();

  onPollResult({ cluster, collector, definition }: CollectorFeed, { result, started, ended }: PollResult): void {
    if (!definition.metrics.some(({ name }) => name === 'graphdb_check_passed')) return;
    const facts = result.ok ? result.value : result.partial;
    if (facts !== undefined) {
      const byCheck = Map.groupBy(definition.samples(facts, ended), ({ labels }) => labels.check ?? '');
      for (const [check, samples] of byCheck) this.#add(runOf(cluster, check, samples));
    }
    if (result.ok) return;
    const { message } = result.error;
    const failed = { endedAt: ended.wall, duration: ended.mono - started.mono, message };
    this.#add({ cluster, check: collector, verdict: 'no result', unsyncedEntries: undefined, ...failed });
  }

  /** Returns the runs in these clusters, the latest first. */
  latest(clusters: readonly string[]): readonly CheckRun[] {
    const runs = [...this.#runs.values()].flat().filter(({ cluster }) => clusters.includes(cluster));
    return runs.toSorted((one, other) => other.endedAt - one.endedAt);
  }

  #add(run: CheckRun): void {
    const runs = getOrCreate(this.#runs, JSON.stringify([run.cluster, run.check]), () => []);
    runs.push(run);
    if (runs.length > maxRuns) runs.shift();
  }
}

function runOf(cluster: string, check: string, samples: readonly Sample[]): CheckRun {
  const values = Map.groupBy(samples, ({ metric }) => metric.name);
  const valuesOf = (name: string): readonly number[] => (values.get(name) ?? []).map(({ value }) => value);
  const [duration] = valuesOf('graphdb_check_duration_seconds');
  const unsynced = valuesOf('graphdb_check_unsynced_entries');
  const passed = valuesOf('graphdb_check_passed');
  const isEmpty = passed.length === 0;
  return {
    cluster,
    check,
    endedAt: (valuesOf('graphdb_check_last_run_timestamp_seconds')[0] ?? 0) * 1000,
    duration: duration === undefined ? undefined : duration * 1000,
    verdict: isEmpty ? 'no result' : passed.every((value) => value === 1) ? 'passed' : 'failed',
    unsyncedEntries: unsynced.length === 0 ? undefined : unsynced.reduce((sum, value) => sum + value, 0),
    message: isEmpty ? 'the server returned no result' : '',
  };
}
