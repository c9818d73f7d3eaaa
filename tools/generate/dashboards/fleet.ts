import { incidentAnnotations } from './annotations.ts';
import type { DashboardDefinition } from './definition.ts';
import { alerts, versions } from './fleet/alerts.ts';
import { clusters, clusterTrends } from './fleet/clusters.ts';
import { overview } from './fleet/overview.ts';

/** Overview of all clusters. */
export const fleet: DashboardDefinition = {
  name: 'fleet',
  title: 'Graphwarden / Fleet',
  description: 'All clusters at a glance: which cluster is unhealthy?',
  annotations: [incidentAnnotations],
  rows: [overview, clusters, alerts, clusterTrends, versions],
};
