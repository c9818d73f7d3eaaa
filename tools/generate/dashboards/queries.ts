import { abortAnnotations, incidentAnnotations } from './annotations.ts';
import type { DashboardDefinition } from './definition.ts';
import { detached } from './queries/detached.ts';
import { durations } from './queries/durations.ts';
import { endpoints } from './queries/endpoints.ts';
import { guardActions } from './queries/guard-actions.ts';
import { guardLimits, guardState } from './queries/guard-state.ts';
import { load } from './queries/load.ts';
import { queues } from './queries/queues.ts';

/** Queries by node and graph, and the actions of the guard. */
export const queries: DashboardDefinition = {
  name: 'queries',
  title: 'Graphwarden / Queries',
  description: 'Queries by node and graph: which queries run or wait, for how long, and which the guard aborts.',
  annotations: [abortAnnotations, incidentAnnotations],
  rows: [load, durations, detached, queues, guardState, guardActions, guardLimits, endpoints],
};
