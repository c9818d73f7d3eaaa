import type { ClusterRule } from '../rule.ts';

const success = 'graphdb_probe_success';
const failing = 'graphdb_probe_failing';

/** A synthetic check fails: clients that do the same get errors, wrong results, or results too late. */
export const probeFailed: ClusterRule = {
  name: 'probe_failed',
  about: 'The runs of a probe fail.',
  scope: 'cluster',
  severity: 'critical',
  for: 120_000,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['probe', 'node'],
  needs: [],
  families: [success, failing],
  summary: 'The probe {{probe}} fails on {{place}}',
  description:
    'The last run of the probe {{probe}} on {{place}} failed: {{reason}}. Clients that do the same get errors, wrong results, or results too late. `graphwarden doctor` runs the probe once and states what did not match.',
  resolved: 'The probe {{probe}} succeeds on {{place}}.',
  twin: `${success} == 0`,
  knows: (situation, { probe = '', node = '' }) => situation.isFresh(`probe_${probe}`, node),
  current: ({ cluster }, { node = '' }) => ({ place: node === '' ? cluster : `${cluster}/${node}` }),
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(success)) {
      if (value !== 0) continue;
      const { probe = '', node = '' } = labels;
      const reasons = situation.samples(failing).filter((one) => one.labels.probe === probe);
      const own = reasons.find((one) => (one.labels.node ?? '') === node);
      const place = node === '' ? situation.cluster : `${situation.cluster}/${node}`;
      yield { labels: { probe, node }, facts: { place, reason: own?.labels.reason ?? 'unknown' } };
    }
  },
};
