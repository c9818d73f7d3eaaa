import type { Failure } from '../kernel/failure.ts';
import type { Result } from '../kernel/result.ts';
import type { ParsedPage } from '../model/exposition.ts';
import type { CategoryRow, CheckVerdict, ComponentVersion, InformantCategory, License } from '../model/node.ts';
import type { DelayedQuery, EndpointStatistics, RunningQuery, WorkloadQueue } from '../model/query.ts';
import type { ServiceState } from '../model/service.ts';

/** What every call of {@link GraphDb} gives: facts, or the reason why there are none. */
export type Answer<Facts> = Promise<Result<Facts, Failure>>;

/**
 * One node of the database, as collectors see it. Each method is one documented call: there is no way to
 * express any other. The abort of `signal` ends the call as `timeout`.
 */
export interface GraphDb {
  readonly cluster: string;
  readonly node: string;
  /** The configured graphs, or the discovered ones (asked once in a while for the whole cluster). */
  graphs(signal: AbortSignal): Answer<readonly string[]>;
  /** `GET /api/ping`; good when the server says so. */
  ping(signal: AbortSignal): Answer<true>;
  /** `GET /restpp/echo`. */
  echo(signal: AbortSignal): Answer<true>;
  /** `GET /restpp/version` and `GET /gsql/v1/version`; remembered for some minutes, they change with a restart alone. */
  versions(signal: AbortSignal): Answer<readonly ComponentVersion[]>;
  /** `GET /informant/metrics`. */
  informantMetrics(signal: AbortSignal): Answer<InformantPage>;
  /** `POST /informant/metrics/get/{category}`, the newest item of each host and service. */
  category(category: InformantCategory, signal: AbortSignal): Answer<readonly CategoryRow[]>;
  /** `POST /informant/current-service-status` for every known service name. */
  serviceStatus(signal: AbortSignal): Answer<readonly ServiceState[]>;
  /** `GET /restpp/statistics/{graph}?seconds=60&segments=100`. */
  statistics(graph: string, signal: AbortSignal): Answer<readonly EndpointStatistics[]>;
  /** `GET /restpp/showprocesslistall`: needs a global privilege. */
  processListAll(signal: AbortSignal): Answer<readonly RunningQuery[]>;
  /** `GET /restpp/showprocesslist/{graph}`: without `elapsed`. */
  processList(graph: string, signal: AbortSignal): Answer<readonly RunningQuery[]>;
  /** `GET /restpp/showdelayedlistall`. */
  delayedList(signal: AbortSignal): Answer<readonly DelayedQuery[]>;
  /** `POST /restpp/workload-manager/queuestatus`. */
  queueStatus(signal: AbortSignal): Answer<readonly WorkloadQueue[]>;
  /** `GET /restpp/showlicenseinfo`. */
  license(signal: AbortSignal): Answer<License>;
  /** `GET /restpp/data_consistency_check`: heavy. */
  dataConsistency(signal: AbortSignal): Answer<readonly CheckVerdict[]>;
  /** `GET /restpp/deleted_vertex_check`: heavy. */
  deletedVertices(signal: AbortSignal): Answer<readonly CheckVerdict[]>;
}

/** The informant's page with the prefix its families carry (`svc_`, detected or configured). */
export interface InformantPage extends ParsedPage {
  /** With the underscore; undefined where no family `<prefix>service_status` was found. */
  readonly prefix: string | undefined;
}
