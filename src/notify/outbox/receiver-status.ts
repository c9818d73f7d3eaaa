import type { Instant } from '../../kernel/time.ts';
import type { ReceiverView } from '../../model/situation.ts';
import { type AlertQueue, nextPending, type Trigger } from './alert-queue.ts';
import { asFiring } from './queued-incident.ts';
import { failingSince, type ReceiverHealth } from './receiver-health.ts';

/** Status of a receiver, apart from its queues. */
export interface ReceiverStatus {
  readonly receiver: string;
  readonly health: ReceiverHealth;
  /** Number of incidents that the next digest reports. */
  readonly missed: number;
}

/** Returns the status of a receiver. */
export function receiverView(
  { receiver, health, missed }: ReceiverStatus,
  queues: readonly AlertQueue[],
  now: Instant,
): ReceiverView {
  const dues = queues.flatMap((queue) => nextPending(queue)?.episode.due ?? []);
  const incidents = queues.flatMap(({ episodes }) => episodes);
  const parked = incidents.flatMap((episode) => episode.parked?.at ?? []);
  const rejected = incidents.flatMap(({ effort }) => effort.rejectedSince ?? []);
  const since = failingSince(health, now.wall) ?? earliest([...parked, ...rejected]);
  const oldestDue = earliest(dues);
  return {
    receiver,
    failing: since !== undefined,
    result: health.result,
    ...(since === undefined ? {} : { failingSince: since }),
    ...(oldestDue === undefined ? {} : { oldestDue }),
    depth: dues.length + (missed > 0 ? 1 : 0),
    parked: parked.length,
  };
}

/** Returns the number of firing incidents with a pending notification. */
export function openIncidentCount(queues: Iterable<AlertQueue>): number {
  return [...queues].filter((queue) => nextPending(queue)?.episode.alert.status === 'firing').length;
}

/** A trigger for the fallback receiver, because this receiver does not accept it. */
export interface Undelivered {
  readonly fallback: string;
  readonly trigger: Trigger;
}

/** Returns the triggers for fallback receivers: all pending ones if the receiver is failing, otherwise the parked and rejected ones. */
export function undeliveredTriggers(
  health: ReceiverHealth,
  queues: readonly AlertQueue[],
  now: Instant,
): readonly Undelivered[] {
  const isFailing = failingSince(health, now.wall) !== undefined;
  return queues.flatMap(({ episodes }) =>
    episodes.flatMap(({ alert, deliveryState, parked, fallback, group, due, effort }) => {
      const isMissing = alert.status === 'firing' && deliveryState !== 'yes';
      const isHeldUp = isFailing || parked !== undefined || effort.rejectedSince !== undefined;
      if (!isMissing || fallback === undefined || !isHeldUp) return [];
      const to = { receiver: fallback, group, groupWait: 0 };
      return [{ fallback, trigger: { alert: asFiring(alert), again: false, to, due } }];
    }),
  );
}

/** Returns the earliest of some times; undefined without any. */
export function earliest(times: readonly (number | undefined)[]): number | undefined {
  return times.reduce((first, at) => (first === undefined || (at !== undefined && at < first) ? at : first), undefined);
}
