import { categories } from './categories.ts';
import type { Collector } from './collector.ts';
import { consistency } from './consistency.ts';
import { dataSources } from './data-sources.ts';
import { delayedQueries } from './delayed-queries.ts';
import { detachedQueries } from './detached-queries.ts';
import { endpoints } from './endpoints.ts';
import { expiredTokens } from './expired-tokens.ts';
import { graphSizes } from './graph-sizes.ts';
import { health } from './health.ts';
import { license } from './license.ts';
import { loadingJobs } from './loading-jobs.ts';
import { metrics } from './metrics.ts';
import { optimizerStatistics } from './optimizer-statistics.ts';
import { queries } from './queries.ts';
import { queryDefinitions } from './query-definitions.ts';
import { rebuild } from './rebuild.ts';
import { schema } from './schema.ts';
import { schemaVersions } from './schema-versions.ts';
import { scim } from './scim.ts';
import { services } from './services.ts';
import { statements } from './statements.ts';
import { statistics } from './statistics.ts';
import { userFunctions } from './user-functions.ts';
import { users } from './users.ts';
import { vectorIndexes } from './vector-indexes.ts';
import { workloadQueues } from './workload-queues.ts';

/** All collectors. Configuration keys, documentation, `doctor` and the scheduler are derived from this list. */
export const collectors: readonly Collector[] = [
  health,
  metrics,
  categories,
  services,
  statistics,
  queries,
  delayedQueries,
  workloadQueues,
  license,
  consistency,
  endpoints,
  schema,
  schemaVersions,
  graphSizes,
  queryDefinitions,
  loadingJobs,
  dataSources,
  vectorIndexes,
  userFunctions,
  optimizerStatistics,
  users,
  scim,
  detachedQueries,
  statements,
  rebuild,
  expiredTokens,
];
