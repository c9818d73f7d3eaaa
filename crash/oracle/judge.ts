import type { Evidence, Finding } from '../evidence.ts';
import { type Deliveries, judgeDeliveries } from './deliveries.ts';
import { type Chronicle, missingIncidents, missingTroubles } from './digest.ts';
import { servedOf } from './served.ts';
import { missingFromTimeline } from './timeline.ts';

/** Whom to judge by what. */
export interface Case {
  readonly receivers: readonly string[];
  readonly chronicle: Chronicle;
  /** Service instances that changed. */
  readonly instances: readonly string[];
}

/** What came of it all. */
export interface Judgement {
  readonly findings: readonly Finding[];
  readonly deliveries: readonly Deliveries[];
  /** Stretches of one status that the daemon had to notice. */
  readonly stretches: number;
  readonly unseen: number;
}

/** Judges by what the receivers and the cluster logged. Of the daemon's own words only the timeline is looked at, which is judged too. */
export function judge({ receivers, chronicle, instances }: Case, evidence: Evidence): Judgement {
  const deliveries = receivers.map((receiver) => judgeDeliveries(receiver, evidence));
  const served = instances.map((instance) => ({ instance, ...servedOf(instance, evidence.readings) }));
  return {
    findings: [
      ...deliveries.flatMap(({ findings }) => findings),
      ...missingIncidents(chronicle, evidence),
      ...served.flatMap(({ instance, stretches }) => [
        ...missingFromTimeline(instance, stretches, evidence.timeline),
        ...missingTroubles(instance, stretches, chronicle, evidence),
      ]),
    ],
    deliveries,
    stretches: served.reduce((sum, { stretches }) => sum + stretches.length, 0),
    unseen: served.reduce((sum, { unseen }) => sum + unseen, 0),
  };
}
