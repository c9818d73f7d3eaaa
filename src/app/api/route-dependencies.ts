import type { LatestResults } from '../../collect/latest-results.ts';
import type { Config } from '../../config/config.ts';
import type { GuardSupervisor } from '../guard/guard-supervisor.ts';
import type { AlertEngine } from '../incidents/alert-engine.ts';
import type { IncidentProcessor } from '../incidents/incident-processor.ts';
import type { CheckRuns } from '../poll/check-runs.ts';
import type { ClusterPoller } from '../poll/cluster-poller.ts';
import type { Pipeline } from '../poll/pipeline.ts';
import type { ProbeHistory } from '../poll/probe-history.ts';
import type { Scheduler } from '../poll/scheduler.ts';
import type { AppDependencies } from '../ports/app-dependencies.ts';
import type { AppPorts } from '../ports/app-ports.ts';
import type { OtherReplicas } from './other-replicas.ts';

/** Parts of the running application that the routes read, and act on. */
export interface RouteDependencies {
  readonly ports: AppPorts;
  readonly parts: AppDependencies;
  readonly board: LatestResults;
  readonly pipeline: Pipeline;
  readonly scheduler: Pick<Scheduler, 'nextRun' | 'runScheduled'>;
  readonly incidents: IncidentProcessor;
  readonly alerts: AlertEngine;
  readonly guard: GuardSupervisor;
  readonly checkRuns: Pick<CheckRuns, 'latest'>;
  readonly probes: Pick<ProbeHistory, 'counts'>;
  /** Other replicas, which own some of the clusters; absent if no other replica shares the state. */
  readonly replicas?: OtherReplicas;
  config(): Config;
  /** Pollers of the clusters, in the order of the configuration. */
  pollers(): readonly ClusterPoller[];
  /** Whether the first round of polls has finished, with success or failure, and the application is not stopping. */
  isReady(): boolean;
  /** Whether polls are so long overdue that only a restart helps. */
  isStalled(): boolean;
}
