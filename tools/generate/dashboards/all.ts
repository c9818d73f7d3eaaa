import { cluster } from './cluster.ts';
import type { DashboardDefinition } from './definition.ts';
import { fleet } from './fleet.ts';
import { graphwarden } from './graphwarden.ts';
import { queries } from './queries.ts';

/** All dashboards. Each is one file in this folder and one line here. */
export const dashboards: readonly DashboardDefinition[] = [fleet, cluster, queries, graphwarden];
