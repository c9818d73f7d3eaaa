import type { MarkDefinition } from './definition.ts';
import { increase } from './series.ts';

/** Every change of the status of a service instance. */
export const transitionMarks: MarkDefinition = {
  name: 'Status transitions',
  expr: `${increase('graphdb_service_transitions_total')} > 0`,
  title: '{{cluster_name}}: {{service_name}} {{partition}}#{{replica}} → {{to}}',
  color: 'orange',
  emptyWhenHealthy: 'no status changes',
};

/** Every abort that the guard or an operator asked for. */
export const abortMarks: MarkDefinition = {
  name: 'Aborts',
  expr: `${increase('graphwarden_guard_abort_attempts_total')} > 0`,
  title: '{{cluster_name}}: abort on {{node}} ({{policy}})',
  color: 'red',
  emptyWhenHealthy: 'no query is aborted',
};
