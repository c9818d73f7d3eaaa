import type { Rule } from '../rule.ts';
import { abortUnconfirmed } from './abort-unconfirmed.ts';
import { authFailed } from './auth-failed.ts';
import { checkFailed } from './check-failed.ts';
import { checkOverdue } from './check-overdue.ts';
import { clusterDown } from './cluster-down.ts';
import { collectorBlind } from './collector-blind.ts';
import { configRejected } from './config-rejected.ts';
import { delayQueuePressure } from './delay-queue-pressure.ts';
import { deliveryFailing } from './delivery-failing.ts';
import { destructivePrivilegeGranted } from './destructive-privilege-granted.ts';
import { diskFilling } from './disk-filling.ts';
import { endpointTimeouts } from './endpoint-timeouts.ts';
import { failedLogins } from './failed-logins.ts';
import { functionChanged } from './function-changed.ts';
import { graphShrunk } from './graph-shrunk.ts';
import { guardBlind } from './guard-blind.ts';
import { guardBreakerOpen } from './guard-breaker-open.ts';
import { guardNotReady } from './guard-not-ready.ts';
import { guardPaused } from './guard-paused.ts';
import { informantFrozen } from './informant-frozen.ts';
import { leaseLost } from './lease-lost.ts';
import { licenseExpiring } from './license-expiring.ts';
import { loadingJobFailed } from './loading-job-failed.ts';
import { loadingRejectsLines } from './loading-rejects-lines.ts';
import { loadingStalled } from './loading-stalled.ts';
import { memoryNearAbort } from './memory-near-abort.ts';
import { newSuperuser } from './new-superuser.ts';
import { noOwner } from './no-owner.ts';
import { nodeUnreachable } from './node-unreachable.ts';
import { optimizerStatisticsDrifted } from './optimizer-statistics-drifted.ts';
import { partitionUnavailable } from './partition-unavailable.ts';
import { partitionWithoutOnlineReplica } from './partition-without-online-replica.ts';
import { probeFailed } from './probe-failed.ts';
import { probeSlow } from './probe-slow.ts';
import { queryAborted } from './query-aborted.ts';
import { queryDisappeared } from './query-disappeared.ts';
import { queryInstallationHanging } from './query-installation-hanging.ts';
import { queryOverdue } from './query-overdue.ts';
import { queryUnusable } from './query-unusable.ts';
import { queueSaturated } from './queue-saturated.ts';
import { rebuildFailed } from './rebuild-failed.ts';
import { rebuildSlow } from './rebuild-slow.ts';
import { replicasDiffer } from './replicas-differ.ts';
import { schemaVersionsDiffer } from './schema-versions-differ.ts';
import { seriesDropped } from './series-dropped.ts';
import { serviceFlapping } from './service-flapping.ts';
import { serviceNotOnline } from './service-not-online.ts';
import { serviceReadonly } from './service-readonly.ts';
import { serviceWithoutOnlineReplica } from './service-without-online-replica.ts';
import { stateNotDurable } from './state-not-durable.ts';
import { statementFailed } from './statement-failed.ts';
import { statementHanging } from './statement-hanging.ts';
import { statusSourcesDisagree } from './status-sources-disagree.ts';
import { tokenCleanupFailed } from './token-cleanup-failed.ts';
import { tokenExpiring } from './token-expiring.ts';
import { vectorIndexesNotReady } from './vector-indexes-not-ready.ts';
import { watchdog } from './watchdog.ts';

/** The catalogue, in the order in which documents list it. A rule is one file and one line here. */
export const rules: readonly Rule[] = [
  clusterDown,
  nodeUnreachable,
  serviceWithoutOnlineReplica,
  partitionWithoutOnlineReplica,
  partitionUnavailable,
  serviceNotOnline,
  serviceFlapping,
  serviceReadonly,
  statusSourcesDisagree,
  informantFrozen,
  memoryNearAbort,
  diskFilling,
  graphShrunk,
  schemaVersionsDiffer,
  queryUnusable,
  queryDisappeared,
  queryInstallationHanging,
  loadingJobFailed,
  loadingStalled,
  loadingRejectsLines,
  vectorIndexesNotReady,
  functionChanged,
  optimizerStatisticsDrifted,
  statementFailed,
  statementHanging,
  rebuildFailed,
  rebuildSlow,
  tokenCleanupFailed,
  newSuperuser,
  destructivePrivilegeGranted,
  failedLogins,
  probeFailed,
  probeSlow,
  queryOverdue,
  queueSaturated,
  delayQueuePressure,
  endpointTimeouts,
  queryAborted,
  abortUnconfirmed,
  guardBreakerOpen,
  guardBlind,
  guardNotReady,
  checkFailed,
  checkOverdue,
  authFailed,
  tokenExpiring,
  licenseExpiring,
  collectorBlind,
  seriesDropped,
  deliveryFailing,
  stateNotDurable,
  noOwner,
  leaseLost,
  replicasDiffer,
  configRejected,
  guardPaused,
  watchdog,
];
