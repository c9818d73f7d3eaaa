import { ok } from '../../kernel/result.ts';
import { type Millis, toSeconds } from '../../kernel/time.ts';
import { gauge, type Metric, type Sample, sample } from '../../metric/metric.ts';
import { type ProbeReply, probePhases } from '../../model/probe.ts';
import { type Collector, collector } from '../collector.ts';
import { evaluateAssertions } from './assertions.ts';
import { probeKinds } from './kinds/all.ts';
import type { Probe, ProbeRun } from './probe.ts';
import { adviceOnProbe } from './probe-advice.ts';

const source = 'measured by graphwarden';
const probeLabels = ['probe'] as const;

const info = gauge({
  name: 'graphdb_probe_info',
  help: 'Kind and graph of the probe; always 1.',
  labels: ['probe', 'kind', 'graph'],
  source: 'configuration',
});
const success = gauge({
  name: 'graphdb_probe_success',
  help: 'Whether the last run of the probe succeeded (1) or failed (0).',
  labels: probeLabels,
  source,
});
const failing = gauge({
  name: 'graphdb_probe_failing',
  help: 'Reason of the failure of the last run of the probe; absent if it succeeded.',
  labels: ['probe', 'reason'],
  source,
});
const duration = gauge({
  name: 'graphdb_probe_duration_seconds',
  help: 'Duration of the last run of the probe, until the response was complete or the row was visible on all nodes.',
  labels: probeLabels,
  source,
});
const limit = gauge({
  name: 'graphdb_probe_duration_limit_seconds',
  help: 'Duration above which a run of the probe fails.',
  labels: probeLabels,
  source: 'configuration',
});
const phaseDuration = gauge({
  name: 'graphdb_probe_phase_duration_seconds',
  help: 'Duration of a phase of the last run of the probe.',
  labels: ['probe', 'phase'],
  source,
});
const lastRun = gauge({
  name: 'graphdb_probe_last_run_timestamp_seconds',
  help: 'Unix timestamp of the end of the last run of the probe.',
  labels: probeLabels,
  source,
});
const resultAge = gauge({
  name: 'graphdb_probe_result_age_seconds',
  help: 'Age of the timestamp that assert.age selects in the result of the probe.',
  labels: probeLabels,
  source,
});
const visibleAfter = gauge({
  name: 'graphdb_probe_visible_after_seconds',
  help: 'Time from the start of the write until the node returned the row; absent if it did not within the timeout.',
  labels: ['probe', 'reader'],
  source,
});

/** Metric families of the result of a probe. */
export const probeMetrics: readonly Metric[] = [
  info,
  success,
  failing,
  duration,
  limit,
  phaseDuration,
  lastRun,
  resultAge,
  visibleAfter,
];

/** Returns the name of the collector of a probe, in labels and in the log. */
export function probeCollectorName({ name }: Pick<Probe, 'name'>): string {
  return `probe_${name}`;
}

/** Returns the collector that runs a probe. A run that fails is a fact of the probe, and no failure of the collector. */
export function probeCollector(probe: Probe): Collector {
  const { name, kind, request, nodes, polling, slo } = probe;
  return collector<ProbeRun>({
    name: probeCollectorName(probe),
    about: `Probe ${name} of the graph ${request.graph}, as the configuration defines it.`,
    scope: nodes === 'one' ? 'cluster' : 'node',
    ...(typeof nodes === 'string' ? {} : { nodes }),
    isCustom: true,
    metrics: probeMetrics,
    defaults: { enabled: true, interval: polling.interval, timeout: polling.timeout },
    calls: [],
    privilege: probeKinds.find((one) => one.name === kind)?.privilege ?? '',
    poll: async (db, signal) => ok(evaluate(probe, await db.probe(request, signal))),
    samples: (run, at) => samples(probe, run, toSeconds(at.wall)),
    probe: {
      name,
      kind,
      graph: request.graph,
      slo,
      limit: limitOf(probe),
      adviceOn: (reason) => adviceOnProbe(reason, probe),
    },
    probeRun: (run) => run,
  });
}

function evaluate({ assertions }: Probe, reply: ProbeReply): ProbeRun {
  const { outcome, duration: length, phases, visibility, endedAt } = reply;
  const measured = { duration: length, phases, visibility };
  if (!outcome.ok) {
    const { heartbeat, reason, message } = outcome.error;
    return { ...measured, failure: { reason: heartbeat ?? reason, message }, resultAge: undefined };
  }
  return { ...measured, ...evaluateAssertions(assertions, { results: outcome.value, duration: length, endedAt }) };
}

/** Duration above which a run fails. */
function limitOf({ assertions, request }: Probe): Millis {
  return assertions.maxLatency ?? request.timeout;
}

function* samples(definition: Probe, run: ProbeRun, at: number): Generator<Sample> {
  const { name: probe, kind, request } = definition;
  const { failure } = run;
  yield sample(info, { probe, kind, graph: request.graph }, 1);
  yield sample(success, { probe }, failure === undefined ? 1 : 0);
  if (failure !== undefined) yield sample(failing, { probe, reason: failure.reason }, 1);
  yield sample(duration, { probe }, toSeconds(run.duration));
  yield sample(limit, { probe }, toSeconds(limitOf(definition)));
  yield sample(lastRun, { probe }, at);
  for (const phase of probePhases) {
    const length = run.phases[phase];
    if (length !== undefined) yield sample(phaseDuration, { probe, phase }, toSeconds(length));
  }
  if (run.resultAge !== undefined) yield sample(resultAge, { probe }, toSeconds(run.resultAge));
  for (const { node, after } of run.visibility) {
    if (after !== undefined) yield sample(visibleAfter, { probe, reader: node }, toSeconds(after));
  }
}
