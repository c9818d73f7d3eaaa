import type { DashboardDefinition } from './definition.ts';
import { abortMarks, transitionMarks } from './marks.ts';
import { durations } from './queries/durations.ts';
import { endpoints } from './queries/endpoints.ts';
import { guardActs } from './queries/guard-acts.ts';
import { guardState } from './queries/guard-state.ts';
import { load } from './queries/load.ts';
import { queues } from './queries/queues.ts';

/** What runs where, for how long, and what is done about what runs too long? */
export const queries: DashboardDefinition = {
  name: 'queries',
  title: 'Graphwarden / Queries',
  description: 'Queries by node and graph: what runs, what waits, for how long, and what the guard does about it.',
  marks: [abortMarks, transitionMarks],
  rows: [load, durations, queues, endpoints, guardActs, guardState],
};
