import type { GraphSize, QueryDefinition } from './inventory.ts';
import type { LoadingRun } from './loading.ts';

/** Contents of the server, for the API; each collector of contents adds its part. */
export interface DatabaseContents {
  /** Sizes of graphs; a graph and a type occur once. */
  readonly graphSizes: readonly GraphSize[];
  /** Latest run of each loading job. */
  readonly loadingRuns: readonly LoadingRun[];
  /** Definitions of queries; a name occurs once in a graph. */
  readonly queryDefinitions: readonly QueryDefinition[];
}
