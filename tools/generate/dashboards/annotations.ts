import type { AnnotationDefinition } from './definition.ts';
import { deduplicated, increase } from './promql.ts';

/**
 * Incidents: one range for each cause and cluster, from firing to resolved. Effects are no incidents of their own, and
 * Grafana joins the values of a series without a gap to one annotation.
 */
export const incidentAnnotations: AnnotationDefinition = {
  name: 'Incidents',
  expr: `sum by (cluster_name, rule) (${deduplicated('graphwarden_incidents_open', 'rule!="watchdog"')}) > 0`,
  title: '{{cluster_name}}: {{rule}}',
  color: 'red',
  emptyWhenHealthy: 'no alert is firing',
};

/** Aborts that the guard or an operator requested. */
export const abortAnnotations: AnnotationDefinition = {
  name: 'Aborts',
  expr: `sum by (cluster_name, policy) (${increase('graphwarden_guard_abort_attempts_total')}) > 0`,
  title: '{{cluster_name}}: aborts by {{policy}}',
  color: 'orange',
  emptyWhenHealthy: 'no query is aborted',
};
