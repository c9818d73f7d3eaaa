import type { ClusterRule } from '../rule.ts';
import { knowsProbe } from './probe-failed.ts';
import { formatPercent } from './text-format.ts';
import { probePlaceTemplate } from './twin-templates.ts';

const duration = 'graphdb_probe_duration_seconds';
const limit = 'graphdb_probe_duration_limit_seconds';
const success = 'graphdb_probe_success';

/** A synthetic check still succeeds, but its duration is close to the limit. */
export const probeSlow: ClusterRule = {
  name: 'probe_slow',
  about: 'The runs of a probe take almost their maximum duration.',
  scope: 'cluster',
  severity: 'warning',
  for: 300_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'above',
      about: 'Duration of a run as a share of max_latency, or of the timeout, above which the alert fires.',
      unit: 'ratio',
      value: 0.8,
      above: 0,
      below: 1,
    },
  ],
  labels: ['probe', 'node'],
  needs: [],
  families: [duration, limit, success],
  summary: 'The probe {{probe}} is slow on {{place}}',
  description:
    'The last run of the probe {{probe}} on {{place}} took {{share}} of its limit, which is max_latency or the timeout. A run that exceeds the limit fails. Compare the phases in graphdb_probe_phase_duration_seconds: queue is the wait in graphwarden, response is the wait for the server.',
  resolved: 'The runs of the probe {{probe}} on {{place}} no longer exceed the threshold of this rule.',
  twin: `${duration} > {{above}} * ${limit} unless ${success} == 0`,
  twinTexts: {
    facts: { place: probePlaceTemplate },
    description:
      'The last run of the probe {{probe}} on {{place}} took nearly as long as max_latency or the timeout allows. A run that exceeds the limit fails. Compare the phases in graphdb_probe_phase_duration_seconds: queue is the wait in graphwarden, response is the wait for the server.',
  },
  knows: (situation, labels) => knowsProbe(situation, labels),
  current: ({ cluster }, { node = '' }) => ({ place: node === '' ? cluster : `${cluster}/${node}` }),
  *evaluate(situation, { above = 0 }) {
    for (const { labels, value } of situation.samples(duration)) {
      const { probe = '', node = '' } = labels;
      const sampleOf = (family: string): number | undefined =>
        situation.samples(family).find((one) => one.labels.probe === probe && (one.labels.node ?? '') === node)?.value;
      const most = sampleOf(limit);
      // A probe that fails has an alert of its own.
      if (most === undefined || value <= above * most || sampleOf(success) === 0) continue;
      const place = node === '' ? situation.cluster : `${situation.cluster}/${node}`;
      yield { labels: { probe, node }, facts: { place, share: formatPercent(value / most) } };
    }
  },
};
