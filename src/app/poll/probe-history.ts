import type { Collector, ProbeTraits } from '../../collect/collector.ts';
import { getOrCreate } from '../../collect/keyed-rows.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { ProbeFailureReason, ProbeObjective, ProbeRun } from '../../collect/probes/probe.ts';
import { failure } from '../../kernel/failure.ts';
import { type Instant, type Millis, toSeconds } from '../../kernel/time.ts';
import { FirstUse } from '../../metric/first-use.ts';
import { counter, gauge, type Metric, type Sample, sample } from '../../metric/metric.ts';
import { type CollectorTarget, collectorKey } from '../../model/collector-key.ts';
import type { CollectorFeed } from './collector-feed.ts';
import type { PlannedCollector } from './collector-plan.ts';
import type { PollResultListener } from './poll-result-listener.ts';

const source = 'measured by graphwarden';

const runs = counter({
  name: 'graphdb_probe_runs_total',
  help: 'Runs of the probe by result.',
  labels: ['probe', 'result'],
  source,
});
const failures = counter({
  name: 'graphdb_probe_failures_total',
  help: 'Failed runs of the probe by reason.',
  labels: ['probe', 'reason'],
  source,
});
const lastSuccess = gauge({
  name: 'graphdb_probe_last_success_timestamp_seconds',
  help: 'Unix timestamp of the last successful run of the probe; 0 if no run succeeded since the start.',
  labels: ['probe'],
  source,
});
const objectiveRatio = gauge({
  name: 'graphdb_probe_objective_ratio',
  help: 'Target share of successful runs of the probe.',
  labels: ['probe'],
  source: 'configuration',
});
const successRatio = gauge({
  name: 'graphdb_probe_success_ratio',
  help: 'Share of the runs of the probe that succeeded within the window of its objective, or since the start if that is shorter.',
  labels: ['probe'],
  source,
});

/** Metric families of the runs of probes since the start. */
export const probeHistoryMetrics: readonly Metric[] = [runs, failures, lastSuccess, objectiveRatio, successRatio];

/** Number of parts into which the window of an objective is divided; runs are counted by part. */
const windowParts = 60;

interface WindowPart {
  readonly at: number;
  succeeded: number;
  all: number;
}

class ProbeRecord {
  readonly feed: CollectorFeed;
  readonly failures = new Map<ProbeFailureReason, number>();
  /** New series of failures are 0 first, so that the first failure is an increase. */
  readonly firstFailure = new FirstUse<'failure'>();
  readonly firstFailures = new FirstUse<ProbeFailureReason>();
  readonly #parts: WindowPart[] = [];
  traits: ProbeTraits;
  succeeded = 0;
  failed = 0;
  lastSuccess: number | undefined;

  constructor(feed: CollectorFeed, traits: ProbeTraits) {
    this.feed = feed;
    this.traits = traits;
  }

  add(run: ProbeRun, { ended }: PollResult): void {
    const part = this.#partAt(ended, this.traits.slo);
    part.all += 1;
    if (run.failure === undefined) {
      part.succeeded += 1;
      this.succeeded += 1;
      this.lastSuccess = ended.wall;
      return;
    }
    this.failed += 1;
    this.failures.set(run.failure.reason, (this.failures.get(run.failure.reason) ?? 0) + 1);
  }

  ratio({ mono }: Instant): number | undefined {
    const recent = this.#parts.filter(({ at }) => mono - at <= this.traits.slo.window);
    const all = recent.reduce((sum, part) => sum + part.all, 0);
    return all === 0 ? undefined : recent.reduce((sum, part) => sum + part.succeeded, 0) / all;
  }

  #partAt({ mono }: Instant, { window }: ProbeObjective): WindowPart {
    const length: Millis = window / windowParts;
    const last = this.#parts.at(-1);
    if (last !== undefined && mono - last.at < length) return last;
    const next = { at: mono, succeeded: 0, all: 0 };
    this.#parts.push(next);
    while ((this.#parts[0]?.at ?? mono) < mono - window) this.#parts.shift();
    return next;
  }
}

/** Collectors of a cluster, probes among them, and its nodes. */
export interface PlannedProbes {
  readonly planned: readonly Pick<PlannedCollector, 'collector'>[];
  readonly nodes: readonly string[];
}

/** Runs of a probe on one node or cluster. */
export interface ProbeCounts {
  readonly succeeded: number;
  readonly failed: number;
  /** Share of the runs in the window of the objective that succeeded; undefined without runs in it. */
  readonly ratio: number | undefined;
}

/** Runs of each probe since the start. Runs on request are not among them. */
export class ProbeHistory implements PollResultListener {
  readonly #records = new Map<string, ProbeRecord>();

  onPollResult(feed: CollectorFeed, result: PollResult): void {
    const traits = feed.definition.probe;
    if (traits === undefined) return;
    const record = getOrCreate(this.#records, collectorKey(feed), () => new ProbeRecord(feed, traits));
    record.traits = traits;
    record.add(runOf(feed, result), result);
  }

  /** Returns the runs of a probe on one node or cluster; undefined before the first one. */
  counts(target: CollectorTarget, now: Instant): ProbeCounts | undefined {
    const record = this.#records.get(collectorKey(target));
    return record && { succeeded: record.succeeded, failed: record.failed, ratio: record.ratio(now) };
  }

  /**
   * Returns the samples of a cluster by node, `''` for the whole cluster; forgets the probes that are not planned, and
   * those of removed nodes.
   */
  samples(cluster: string, { planned, nodes }: PlannedProbes, now: Instant): ReadonlyMap<string, readonly Sample[]> {
    const keys = new Set(planned.flatMap(({ collector }) => keysOf(cluster, collector, nodes)));
    const own: (readonly [node: string, sample: Sample])[] = [];
    for (const [key, record] of this.#records) {
      if (record.feed.cluster !== cluster) continue;
      if (!keys.has(key)) this.#records.delete(key);
      else for (const one of recordSamples(record, now)) own.push([record.feed.node, one]);
    }
    const byNode = Map.groupBy(own, ([node]) => node);
    return new Map(Array.from(byNode, ([node, pairs]) => [node, pairs.map(([, one]) => one)]));
  }

  /** Forgets a cluster that is no longer configured. */
  forget(cluster: string): void {
    for (const [key, record] of this.#records) if (record.feed.cluster === cluster) this.#records.delete(key);
  }
}

/** Returns the run of a probe in a poll result. A poll without facts is a failed run. */
export function runOf(
  { definition }: { readonly definition: Pick<Collector, 'probeRun'> },
  { result, started, ended }: PollResult,
): ProbeRun {
  const run = result.ok ? definition.probeRun?.(result.value) : undefined;
  if (run !== undefined) return run;
  const { reason, message } = result.ok ? failure('body', 'the poll returned no probe run') : result.error;
  const measured = { duration: ended.mono - started.mono, phases: {}, visibility: [], resultAge: undefined };
  return { failure: { reason, message }, ...measured };
}

function* recordSamples(record: ProbeRecord, now: Instant): Generator<Sample> {
  const { name: probe, slo } = record.traits;
  const { failed, firstFailure } = record;
  yield sample(runs, { probe, result: 'success' }, record.succeeded);
  yield sample(runs, { probe, result: 'failure' }, failed > 0 && firstFailure.isZero('failure', now) ? 0 : failed);
  for (const [reason, count] of record.firstFailures.shown(record.failures, now))
    yield sample(failures, { probe, reason }, count);
  yield sample(lastSuccess, { probe }, toSeconds(record.lastSuccess ?? 0));
  yield sample(objectiveRatio, { probe }, slo.objective);
  const ratio = record.ratio(now);
  if (ratio !== undefined) yield sample(successRatio, { probe }, ratio);
}

/** Returns the keys of the nodes or the cluster on which a probe runs. */
function keysOf(cluster: string, { name, scope, nodes: only }: Collector, nodes: readonly string[]): readonly string[] {
  const own = scope === 'cluster' ? [''] : nodes.filter((node) => only?.includes(node) ?? true);
  return own.map((node) => collectorKey({ cluster, collector: name, node }));
}
