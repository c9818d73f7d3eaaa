import { mapResult } from '../kernel/result.ts';
import type { ComponentVersion } from '../model/node.ts';
import type { ClusterSettings } from '../model/settings.ts';
import type { AccountComparison } from './account-gains.ts';
import type { Caller } from './caller.ts';
import { fetchRoles, fetchUserGroups, fetchUsers } from './endpoints/accounts.ts';
import { fetchCardinality } from './endpoints/cardinality.ts';
import { fetchCategory } from './endpoints/category.ts';
import { fetchDataConsistency, fetchDeletedVertices } from './endpoints/consistency.ts';
import { fetchDataPoints } from './endpoints/data-points.ts';
import { fetchDataSources } from './endpoints/data-sources.ts';
import { fetchEndpoints } from './endpoints/endpoint-list.ts';
import { fetchGlobalSchemaJobs, fetchGraphSchema, fetchSchemaVersion } from './endpoints/graph-schema.ts';
import { fetchGraphSize } from './endpoints/graph-size.ts';
import { fetchInformantMetrics, type PrefixDetector } from './endpoints/informant-metrics.ts';
import { fetchLicense } from './endpoints/license.ts';
import { fetchEcho, fetchPing } from './endpoints/liveness.ts';
import { fetchLoadingRuns } from './endpoints/loading-runs.ts';
import { createGraphProcessListCall, fetchDelayedList } from './endpoints/process-lists.ts';
import { fetchQueryDefinitions } from './endpoints/query-definitions.ts';
import { fetchQueryResults } from './endpoints/query-results.ts';
import { fetchQueueStatus } from './endpoints/queue-status.ts';
import { rebuildGraph, removeExpiredTokens } from './endpoints/scheduled-tasks.ts';
import { fetchScimCount } from './endpoints/scim.ts';
import { fetchServiceStatus } from './endpoints/service-status.ts';
import { fetchStatements } from './endpoints/statements.ts';
import { fetchStatistics } from './endpoints/statistics.ts';
import { type ConfirmedFunctions, fetchUserFunctions } from './endpoints/user-functions.ts';
import { fetchVectorStatus } from './endpoints/vector-status.ts';
import { type AnswerCache, fetchGsqlVersion, fetchRestppVersion, fetchVersions } from './endpoints/versions.ts';
import type { SharedParser } from './exposition-parser.ts';
import type { Answer, GraphDb } from './graph-db.ts';
import type { GraphDiscovery } from './graph-discovery.ts';
import type { StatementFile } from './statement-file.ts';

/** Dependencies of the calls to one node. */
export interface NodeCallOptions {
  readonly settings: ClusterSettings;
  readonly graphs: GraphDiscovery;
  readonly parser: SharedParser;
  readonly detectPrefix: PrefixDetector;
  /** File with further statements; absent if none is configured. */
  readonly statementFile: StatementFile | undefined;
  /** Cache of the versions of the node. */
  readonly versions: AnswerCache<readonly ComponentVersion[]>;
  readonly accounts: AccountComparison;
  readonly functions: ConfirmedFunctions;
}

/** Returns the calls to a node that need nothing but a caller. */
export function createNodeCalls(
  node: string,
  caller: Caller,
  { settings, graphs, parser, detectPrefix, versions, accounts, functions, statementFile }: NodeCallOptions,
): Omit<GraphDb, 'processListAll' | 'detachedQueries' | 'probe'> {
  /** Sends a ping. After a failure, the cached versions are dropped, because the node may return with another version. */
  async function ping(signal: AbortSignal): Answer<true> {
    const answer = await fetchPing(caller, signal);
    if (!answer.ok) versions.clear();
    return answer;
  }

  async function inGraph<Facts>(answer: Answer<Facts>): Answer<Facts> {
    const reported = await answer;
    if (!reported.ok && reported.error.reason === 'unsupported') graphs.invalidate();
    return reported;
  }

  const processList = createGraphProcessListCall(caller);
  const informantMetrics: GraphDb['informantMetrics'] = (signal) =>
    fetchInformantMetrics(caller, { parser: parser.of(node), detectPrefix }, signal);

  return {
    cluster: settings.name,
    node,
    graphs: (signal) => graphs.names(caller, signal),
    ping,
    echo: (signal) => fetchEcho(caller, signal),
    versions: (signal) => versions.get(() => fetchVersions(caller, signal)),
    restppVersion: (signal) => fetchRestppVersion(caller, signal),
    gsqlVersion: (signal) => fetchGsqlVersion(caller, signal),
    informantMetrics,
    category: (category, signal) => fetchCategory(caller, category, signal),
    dataPoints: (signal) => fetchDataPoints(caller, signal),
    serviceStatus: (signal) => fetchServiceStatus(caller, signal),
    statistics: (graph, signal) => inGraph(fetchStatistics(caller, graph, signal)),
    processList: (graph, signal) => inGraph(processList(graph, signal)),
    delayedList: (signal) => fetchDelayedList(caller, signal),
    queueStatus: (signal) => fetchQueueStatus(caller, signal),
    license: (signal) => fetchLicense(caller, () => informantMetrics(signal), signal),
    dataConsistency: (signal) => fetchDataConsistency(caller, signal),
    runQuery: (run, signal) => fetchQueryResults(caller, run, signal),
    rebuildGraph: (graph, signal) => rebuildGraph(caller, graph, signal),
    removeExpiredTokens: (signal) => removeExpiredTokens(caller, signal),
    ...gsqlCalls(caller, { settings, statementFile, accounts }),
    deletedVertices: (signal) => fetchDeletedVertices(caller, signal),
    ...inventoryCalls(caller, inGraph),
    userFunctions: (signal) => fetchUserFunctions(caller, functions, signal),
  };
}

/** Marks the graphs as outdated if the server does not know the graph of a call. */
type InGraph = <Facts>(answer: Answer<Facts>) => Answer<Facts>;

/** Calls that list what the server contains. */
function inventoryCalls(caller: Caller, inGraph: InGraph) {
  return {
    endpoints: (signal) => fetchEndpoints(caller, signal),
    graphSchema: (graph, signal) => inGraph(fetchGraphSchema(caller, graph, signal)),
    globalSchemaJobs: (signal) => fetchGlobalSchemaJobs(caller, signal),
    schemaVersion: (graph, signal) => inGraph(fetchSchemaVersion(caller, graph, signal)),
    graphSize: (graph, signal) => inGraph(fetchGraphSize(caller, graph, signal)),
    queryDefinitions: (graph, signal) => fetchQueryDefinitions(caller, graph, signal),
    loadingRuns: (graph, signal) => fetchLoadingRuns(caller, graph, signal),
    dataSources: (signal) => fetchDataSources(caller, signal),
    cardinality: (graph, signal) => fetchCardinality(caller, graph, signal),
    vectorStatus: (graph, signal) => inGraph(fetchVectorStatus(caller, graph, signal)),
  } satisfies Partial<GraphDb>;
}

/** Calls to the GSQL server that take no graph. */
function gsqlCalls(
  caller: Caller,
  { settings, statementFile, accounts }: Pick<NodeCallOptions, 'settings' | 'statementFile' | 'accounts'>,
): Pick<GraphDb, 'users' | 'userGroups' | 'roles' | 'scimUsers' | 'scimGroups' | 'statements'> {
  return {
    statements: async (signal) => {
      const file = await statementFile?.read();
      const all = { ...file?.statements, ...settings.statements };
      const answer = await fetchStatements(caller, all, signal);
      return mapResult(answer, (statements) => ({ statements, fileProblems: file?.problems.length }));
    },
    users: (signal) => fetchUsers(caller, accounts, signal),
    userGroups: (signal) => fetchUserGroups(caller, accounts, signal),
    roles: (signal) => fetchRoles(caller, signal),
    scimUsers: (signal) => fetchScimCount(caller, 'scimUsers', signal),
    scimGroups: (signal) => fetchScimCount(caller, 'scimGroups', signal),
  };
}
