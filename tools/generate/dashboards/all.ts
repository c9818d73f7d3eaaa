import { rules } from '../../../src/alert/rules/all.ts';
import { cluster } from './cluster.ts';
import type { DashboardDefinition } from './definition.ts';
import { fleet } from './fleet.ts';
import { graphwarden } from './graphwarden.ts';
import { queries } from './queries.ts';
import { withRuleLinks } from './rule-links.ts';

/** All dashboards. Each is one file in this folder and one line here. */
export const dashboards: readonly DashboardDefinition[] = [fleet, cluster, queries, graphwarden].map((dashboard) =>
  withRuleLinks(dashboard, rules),
);
