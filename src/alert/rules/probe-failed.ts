import type { Situation } from '../../model/situation.ts';
import type { ClusterRule } from '../rule.ts';
import { timeOrStart } from './collector-freshness.ts';
import { processLabels } from './text-format.ts';
import { probePlaceTemplate } from './twin-templates.ts';

/** Shortest pending period. */
const shortest = 120_000;
/** Part of it that a second run may be late. */
const margin = 30_000;

const success = 'graphdb_probe_success';
const failing = 'graphdb_probe_failing';

/** Interval in seconds up to which two runs fit into the pending period of the rule in Prometheus. */
const shortInterval = (shortest - margin) / 1000;
const longInterval = `label_replace(graphwarden_collector_configured_interval_seconds{collector=~"probe_.+"} > ${shortInterval}, "probe", "$1", "collector", "probe_(.+)")`;
const timeWithoutSuccess = `graphdb_probe_last_run_timestamp_seconds - ${timeOrStart('graphdb_probe_last_success_timestamp_seconds')}`;
const probeOfProcess = `on (${processLabels}, cluster_name, node, probe)`;

/** A synthetic check fails: clients that do the same get errors, wrong results, or results too late. */
export const probeFailed: ClusterRule = {
  name: 'probe_failed',
  about: 'The runs of a probe fail.',
  scope: 'cluster',
  severity: 'critical',
  for: shortest,
  keepFiringFor: 60_000,
  thresholds: [],
  labels: ['probe', 'node'],
  needs: [],
  families: [success, failing],
  summary: 'The probe {{probe}} fails on {{place}}',
  description:
    'The last run of the probe {{probe}} on {{place}} failed: {{reason}}. Clients that do the same get errors, wrong results, or results too late. `graphwarden doctor` runs the probe once and states what did not match.',
  resolved: 'The probe {{probe}} succeeds on {{place}}.',
  // One failed run of a probe with a long interval is shown until the next one.
  twin: `${success} == 0 unless ${probeOfProcess} (${timeWithoutSuccess} < ${probeOfProcess} 1.5 * ${longInterval})`,
  twinTexts: {
    facts: { place: probePlaceTemplate },
    description:
      'The last run of the probe {{probe}} on {{place}} failed; graphdb_probe_failing names the reason. Clients that do the same get errors, wrong results, or results too late. `graphwarden doctor` runs the probe once and states what did not match.',
  },
  knows: (situation, labels) => knowsProbe(situation, labels),
  current: ({ cluster }, { node = '' }) => ({ place: node === '' ? cluster : `${cluster}/${node}` }),
  *evaluate(situation) {
    for (const { labels, value } of situation.samples(success)) {
      if (value !== 0) continue;
      const { probe = '', node = '' } = labels;
      const reasons = situation.samples(failing).filter((one) => one.labels.probe === probe);
      const own = reasons.find((one) => (one.labels.node ?? '') === node);
      const place = node === '' ? situation.cluster : `${situation.cluster}/${node}`;
      const { interval = 0 } = viewOf(situation, { probe, node }) ?? {};
      const facts = { place, reason: own?.labels.reason ?? 'unknown' };
      // One run that failed is shown until the next one: a page takes two.
      yield { labels: { probe, node }, facts, for: Math.max(shortest, interval + margin) };
    }
  },
};

/** Whether the state of a probe is known: its last run is not overdue, or it is no longer configured for this node. */
export function knowsProbe(situation: Situation, labels: Readonly<Record<string, string>>): boolean {
  const { probe = '', node = '' } = labels;
  return situation.isFresh(`probe_${probe}`, node) || viewOf(situation, labels) === undefined;
}

function viewOf({ collectors }: Situation, { probe = '', node = '' }: Readonly<Record<string, string>>) {
  return collectors.find((one) => one.collector === `probe_${probe}` && one.node === node);
}
