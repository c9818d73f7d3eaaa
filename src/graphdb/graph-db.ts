import type { Failure } from '../kernel/failure.ts';
import type { Result } from '../kernel/result.ts';
import type { Instant, Millis } from '../kernel/time.ts';
import type { ParsedPage } from '../model/exposition.ts';
import type { UserFunctions } from '../model/functions.ts';
import type { DataSource, EndpointItem, GraphSize, QueryDefinition, VectorStatus } from '../model/inventory.ts';
import type { LoadingRun } from '../model/loading.ts';
import type { CategoryRow, CheckResult, ComponentVersion, InformantCategory, License } from '../model/node.ts';
import type { ProbeReply, ProbeRequest } from '../model/probe.ts';
import type { DelayedQuery, DetachedQueries, EndpointStatistics, QueueStatus, RunningQuery } from '../model/query.ts';
import type { QueryRun } from '../model/query-run.ts';
import type { GraphSchema, SchemaList, SchemaVersion } from '../model/schema.ts';
import type { ServiceState } from '../model/service.ts';
import type { StatementList } from '../model/statement.ts';
import type { AccountList, RoleCounts } from '../model/users.ts';
import type { JsonObject } from './reply.ts';

/** Result of every call of {@link GraphDb}: facts or a failure. */
export type Answer<Facts> = Promise<Result<Facts, Failure>>;

/**
 * One node of the database, as collectors see it. Each method is one documented call; no other call can be expressed.
 * If `signal` aborts, the call fails with `timeout`.
 */
export interface GraphDb {
  readonly cluster: string;
  readonly node: string;
  /** Returns the configured graphs, or the discovered ones (requested periodically for the whole cluster). */
  graphs(signal: AbortSignal): Answer<readonly string[]>;
  /** `GET /api/ping`; succeeds if the server reports success. */
  ping(signal: AbortSignal): Answer<true>;
  /** `GET /restpp/echo`. */
  echo(signal: AbortSignal): Answer<true>;
  /**
   * Components of {@link restppVersion} and {@link gsqlVersion}, of which one is enough; cached for some minutes, because
   * versions change only with a restart.
   */
  versions(signal: AbortSignal): Answer<readonly ComponentVersion[]>;
  /** `GET /restpp/version`. */
  restppVersion(signal: AbortSignal): Answer<readonly ComponentVersion[]>;
  /** `GET /gsql/v1/version`. */
  gsqlVersion(signal: AbortSignal): Answer<readonly ComponentVersion[]>;
  /** `GET /informant/metrics`. */
  informantMetrics(signal: AbortSignal): Answer<InformantPage>;
  /** `POST /informant/metrics/get/{category}`, the newest item of each host and service. */
  category(category: InformantCategory, signal: AbortSignal): Answer<readonly CategoryRow[]>;
  /** `GET /ts3/api/datapoints`, for processors and memory: on the first node, before 4.0. */
  dataPoints(signal: AbortSignal): Answer<readonly CategoryRow[]>;
  /** `POST /informant/current-service-status` for every known service name. */
  serviceStatus(signal: AbortSignal): Answer<readonly ServiceState[]>;
  /** `GET /restpp/statistics/{graph}?seconds=60&segments=100`. */
  statistics(graph: string, signal: AbortSignal): Answer<readonly EndpointStatistics[]>;
  /** `GET /restpp/showprocesslistall`: needs a global privilege. */
  processListAll(signal: AbortSignal): Answer<ProcessList>;
  /** `GET /restpp/showprocesslist/{graph}`: without `elapsed`. */
  processList(graph: string, signal: AbortSignal): Answer<readonly RunningQuery[]>;
  /** `GET /restpp/query_status` of a graph, for running queries, and for those that have ended since the call before. */
  detachedQueries(graph: string, signal: AbortSignal): Answer<DetachedQueries>;
  /** `GET /restpp/showdelayedlistall`. */
  delayedList(signal: AbortSignal): Answer<readonly DelayedQuery[]>;
  /** `POST /restpp/workload-manager/queuestatus`. */
  queueStatus(signal: AbortSignal): Answer<QueueStatus>;
  /** `GET /restpp/showlicenseinfo`. */
  license(signal: AbortSignal): Answer<License>;
  /** `GET /restpp/endpoints`, once for each kind. */
  endpoints(signal: AbortSignal): Answer<readonly EndpointItem[]>;
  /** `GET /gsql/v1/schema` of a graph, with the lists of its indexes and schema change jobs. */
  graphSchema(graph: string, signal: AbortSignal): Answer<GraphSchema>;
  /** `GET /gsql/v1/schema/jobs`: the schema change jobs of all graphs. */
  globalSchemaJobs(signal: AbortSignal): Answer<SchemaList>;
  /** `POST /restpp/builtins/{graph}`: the version of the schema in the reply. */
  schemaVersion(graph: string, signal: AbortSignal): Answer<SchemaVersion>;
  /** `POST /restpp/builtins/{graph}`, for vertices and for edges. */
  graphSize(graph: string, signal: AbortSignal): Answer<GraphSize>;
  /** `GET /gsql/v1/queries/info` of a graph. */
  queryDefinitions(graph: string, signal: AbortSignal): Answer<readonly QueryDefinition[]>;
  /**
   * `GET /restpp/query/{graph}/{query}`, or `POST /gsql/v1/queries/interpret`: runs a query of the configuration and
   * returns what it prints, the member `results`.
   */
  runQuery(run: QueryRun, signal: AbortSignal): Answer<unknown>;
  /**
   * Runs a probe of the configuration: a query, a read or a search, or the write heartbeat, which loads, reads and deletes a
   * row of its own vertex type. Never rejects.
   */
  probe(request: ProbeRequest, signal: AbortSignal): Promise<ProbeReply>;
  /** `POST /restpp/rebuildnow/{graph}`: rebuilds the data of a graph, and returns how long that took when it has ended. */
  rebuildGraph(graph: string, signal: AbortSignal): Answer<Millis>;
  /** `DELETE /gsqlserver/gsql/expiredtoken`: removes the expired tokens of all users, and returns how long that took. */
  removeExpiredTokens(signal: AbortSignal): Answer<Millis>;
  /** `GET /gsql/v1/loading-jobs/status` of a graph. */
  loadingRuns(graph: string, signal: AbortSignal): Answer<readonly LoadingRun[]>;
  /** `GET /gsql/v1/data-sources`. */
  dataSources(signal: AbortSignal): Answer<readonly DataSource[]>;
  /** `GET /restpp/vector/status/{graph}`. */
  vectorStatus(graph: string, signal: AbortSignal): Answer<VectorStatus>;
  /** `GET /gsql/v1/udt/files/{file}`, `/gsql/v1/library/.*` and `/gsql/v1/udt/tuples`. */
  userFunctions(signal: AbortSignal): Answer<UserFunctions>;
  /** `GET /gsql/v1/stats/cardinality` of a graph. */
  cardinality(graph: string, signal: AbortSignal): Answer<GraphSize>;
  /** `GET /gsql/v1/statements/{requestId}` of each statement in the configuration and the statements file of the cluster. */
  statements(signal: AbortSignal): Answer<StatementList>;
  /** `GET /gsql/v1/users`, and what they have gained since the call before. */
  users(signal: AbortSignal): Answer<AccountList>;
  /** `GET /gsql/v1/groups`, and what they have gained since the call before. */
  userGroups(signal: AbortSignal): Answer<AccountList>;
  /** `GET /gsql/v1/roles`. */
  roles(signal: AbortSignal): Answer<RoleCounts>;
  /** `GET /gsql/scim/v2/Users`: their number. */
  scimUsers(signal: AbortSignal): Answer<number>;
  /** `GET /gsql/scim/v2/Groups`: their number. */
  scimGroups(signal: AbortSignal): Answer<number>;
  /** `GET /restpp/data_consistency_check`: heavy. */
  dataConsistency(signal: AbortSignal): Answer<readonly CheckResult[]>;
  /** `GET /restpp/deleted_vertex_check`: heavy. */
  deletedVertices(signal: AbortSignal): Answer<readonly CheckResult[]>;
}

/** Reply to `GET /restpp/showprocesslistall`: the entries that match the schema, and the whole body. */
export interface ProcessList {
  readonly queries: readonly RunningQuery[];
  readonly raw: RawProcessList;
}

/** Body of a process list before its entries are checked, for the guard. Its URLs hold user data. */
export interface RawProcessList {
  readonly body: JsonObject;
  /** `ip:port` of the peer that replied; `''` if unknown. */
  readonly address: string;
  /** Connection that the list came over; `''` if unknown. */
  readonly connection: string;
  /** Time before the first request of the call, so that token requests and path detection count as list time. */
  readonly started: Instant;
  readonly received: Instant;
}

/** The informant page with the prefix of its families (`svc_`, detected or configured). */
export interface InformantPage extends ParsedPage {
  /** Prefix with the underscore; undefined if the page has no family `<prefix>service_status`. */
  readonly prefix: string | undefined;
}
