import type { DashboardDefinition } from './definition.ts';
import { alerts } from './fleet/alerts.ts';
import { clusters } from './fleet/clusters.ts';
import { now } from './fleet/now.ts';
import { transitionMarks } from './marks.ts';

/** Is anything wrong anywhere, and where? */
export const fleet: DashboardDefinition = {
  name: 'fleet',
  title: 'Graphwarden / Fleet',
  description: 'All clusters at a glance: is anything wrong anywhere, and where?',
  marks: [transitionMarks],
  rows: [now, clusters, alerts],
};
