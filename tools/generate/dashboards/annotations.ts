import type { AnnotationDefinition } from './definition.ts';
import { increase } from './promql.ts';

/** Status changes of service instances. */
export const transitionAnnotations: AnnotationDefinition = {
  name: 'Status transitions',
  expr: `${increase('graphdb_service_transitions_total')} > 0`,
  title: '{{cluster_name}}: {{service_name}} {{partition}}#{{replica}} → {{to}}',
  color: 'orange',
  emptyWhenHealthy: 'no status changes',
};

/** Aborts that the guard or an operator requested. */
export const abortAnnotations: AnnotationDefinition = {
  name: 'Aborts',
  expr: `${increase('graphwarden_guard_abort_attempts_total')} > 0`,
  title: '{{cluster_name}}: abort on {{node}} ({{policy}})',
  color: 'red',
  emptyWhenHealthy: 'no query is aborted',
};
