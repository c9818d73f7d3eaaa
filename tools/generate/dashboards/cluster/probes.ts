import { collapsedRow, query, timeseries } from '../panels.ts';
import { deduplicated, increase } from '../promql.ts';

const noProbes = 'no probe is configured by default';

/** Synthetic checks of the configuration. */
export const probes = collapsedRow('Probes', 12, [
  timeseries(
    'Success of probes',
    'Whether the last run of each probe succeeded (1) or failed (0).',
    query(deduplicated('graphdb_probe_success'), '{{cluster_name}} {{probe}} {{node}}'),
    { emptyWhenHealthy: noProbes, rules: ['probe_failed'] },
  ),
  timeseries(
    'Duration of probes',
    'Duration of the last run of each probe. Compare it with graphdb_probe_duration_limit_seconds, at which a run fails.',
    query(deduplicated('graphdb_probe_duration_seconds'), '{{cluster_name}} {{probe}} {{node}}'),
    { unit: 's', emptyWhenHealthy: noProbes, rules: ['probe_slow'] },
  ),
  timeseries(
    'Phases of probes',
    'Duration of the phases of the last run of each probe: queue is the time that the run waited in graphwarden, response is the response time of the server.',
    query(deduplicated('graphdb_probe_phase_duration_seconds'), '{{cluster_name}} {{probe}} {{node}} {{phase}}'),
    { unit: 's', emptyWhenHealthy: noProbes },
  ),
  timeseries(
    'Failed runs of probes',
    'Failed runs by reason.',
    query(
      `sum by (cluster_name, probe, reason) (${increase('graphdb_probe_failures_total')})`,
      '{{cluster_name}} {{probe}} {{reason}}',
    ),
    { emptyWhenHealthy: noProbes },
  ),
  timeseries(
    'Success ratio of probes',
    'Share of successful runs within the window of the objective of each probe.',
    query(deduplicated('graphdb_probe_success_ratio'), '{{cluster_name}} {{probe}} {{node}}'),
    { unit: 'percentunit', emptyWhenHealthy: noProbes },
  ),
  timeseries(
    'Visibility of writes',
    'Time from the start of the write of a heartbeat until each node returned the row.',
    query(deduplicated('graphdb_probe_visible_after_seconds'), '{{cluster_name}} {{probe}} {{reader}}'),
    { unit: 's', emptyWhenHealthy: noProbes },
  ),
  timeseries(
    'Age of results of probes',
    'Age of the timestamp in the result of each probe with an age assertion. It grows when loading stops.',
    query(deduplicated('graphdb_probe_result_age_seconds'), '{{cluster_name}} {{probe}} {{node}}'),
    { unit: 's', emptyWhenHealthy: noProbes },
  ),
]);
