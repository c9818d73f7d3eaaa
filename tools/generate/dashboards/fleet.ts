import { transitionAnnotations } from './annotations.ts';
import type { DashboardDefinition } from './definition.ts';
import { alerts } from './fleet/alerts.ts';
import { clusters } from './fleet/clusters.ts';
import { overview } from './fleet/overview.ts';

/** Overview of all clusters. */
export const fleet: DashboardDefinition = {
  name: 'fleet',
  title: 'Graphwarden / Fleet',
  description: 'All clusters at a glance: which cluster is unhealthy?',
  annotations: [transitionAnnotations],
  rows: [overview, clusters, alerts],
};
