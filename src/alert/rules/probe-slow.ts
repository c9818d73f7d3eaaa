import type { ClusterRule } from '../rule.ts';
import { formatPercent } from './text-format.ts';

const duration = 'graphdb_probe_duration_seconds';
const limit = 'graphdb_probe_duration_limit_seconds';

/** A synthetic check still succeeds, and soon will not. */
export const probeSlow: ClusterRule = {
  name: 'probe_slow',
  about: 'The runs of a probe take nearly as long as they may.',
  scope: 'cluster',
  severity: 'warning',
  for: 300_000,
  keepFiringFor: 60_000,
  thresholds: [
    {
      name: 'above',
      about: 'Share of max_latency, or of the timeout, that a run takes.',
      unit: 'ratio',
      value: 0.8,
      above: 0,
      below: 1,
    },
  ],
  labels: ['probe', 'node'],
  needs: [],
  families: [duration, limit],
  summary: 'The probe {{probe}} is slow on {{place}}',
  description:
    'The last run of the probe {{probe}} on {{place}} took {{share}} of its limit, which is max_latency or the timeout. At the limit it fails. Compare graphdb_probe_phase_duration_seconds: queue is time in graphwarden, response is time of the server.',
  resolved: 'The probe {{probe}} is fast enough on {{place}}.',
  twin: `${duration} > {{above}} * ${limit}`,
  knows: (situation, { probe = '', node = '' }) => situation.isFresh(`probe_${probe}`, node),
  current: ({ cluster }, { node = '' }) => ({ place: node === '' ? cluster : `${cluster}/${node}` }),
  *evaluate(situation, { above = 0 }) {
    for (const { labels, value } of situation.samples(duration)) {
      const { probe = '', node = '' } = labels;
      const most = situation
        .samples(limit)
        .find((one) => one.labels.probe === probe && (one.labels.node ?? '') === node)?.value;
      if (most === undefined || value <= above * most) continue;
      const place = node === '' ? situation.cluster : `${situation.cluster}/${node}`;
      yield { labels: { probe, node }, facts: { place, share: formatPercent(value / most) } };
    }
  },
};
