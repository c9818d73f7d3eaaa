import type { Evidence, Finding } from '../evidence.ts';
import { checkDeliveries, type Deliveries } from './deliveries.ts';
import { type DigestReceiver, missingIncidents, missingOutages } from './digests.ts';
import { servedStatuses } from './served-statuses.ts';
import { missingFromTimeline } from './timeline.ts';

/** What to check. */
export interface OracleInput {
  readonly receivers: readonly string[];
  readonly digests: DigestReceiver;
  /** Service instances that changed. */
  readonly instances: readonly string[];
}

/** Result of the evaluation. */
export interface OracleResult {
  readonly findings: readonly Finding[];
  readonly deliveries: readonly Deliveries[];
  /** Spans of one status that the daemon must have noticed. */
  readonly spans: number;
  readonly missedReplies: number;
}

/**
 * Checks the logs of the receivers and of the cluster. Of the output of the daemon, it uses only the timeline, which it
 * also checks.
 */
export function checkEvidence({ receivers, digests, instances }: OracleInput, evidence: Evidence): OracleResult {
  const deliveries = receivers.map((receiver) => checkDeliveries(receiver, evidence));
  const served = instances.map((instance) => ({ instance, ...servedStatuses(instance, evidence.statusReplies) }));
  return {
    findings: [
      ...deliveries.flatMap(({ findings }) => findings),
      ...missingIncidents(digests, evidence),
      ...served.flatMap(({ instance, spans }) => [
        ...missingFromTimeline(instance, spans, evidence.timeline),
        ...missingOutages(instance, spans, digests, evidence),
      ]),
    ],
    deliveries,
    spans: served.reduce((sum, { spans }) => sum + spans.length, 0),
    missedReplies: served.reduce((sum, { missedReplies }) => sum + missedReplies, 0),
  };
}
