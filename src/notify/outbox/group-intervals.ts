import type { Instant, Millis } from '../../kernel/time.ts';
import type { AlertQueue, DeliveryAttempt, Trigger } from './alert-queue.ts';
import { groupKey, type SubjectNotification, Summaries } from './summaries.ts';

/** Last notifications of the alert groups of one receiver, which determine how long a new alert of a group waits. */
export class GroupIntervals {
  /** Monotonic time of the last trigger by group. Not stored: after a restart, a new alert waits only for `groupWait`. */
  readonly #sent = new Map<string, number>();
  readonly summaries = new Summaries();

  /** Returns a trigger with the time that it waits if its incident is new. */
  withWait(trigger: Trigger, now: Instant): Trigger {
    return { ...trigger, to: { ...trigger.to, wait: this.#waitOf(trigger, now) } };
  }

  /** Records that a request is sent. */
  markSent({ notifications, attempts }: GroupRequest, now: Instant): void {
    this.summaries.markSent(notifications, now);
    if ([...attempts.values()].every(({ action }) => action !== 'trigger')) return;
    for (const { group } of notifications) this.#sent.set(groupKey(group), now.mono);
  }

  /** Forgets the groups of which no incident is open at the receiver: their next alert starts a new group. */
  sweep(queues: Iterable<AlertQueue>): void {
    const open = new Set<string>();
    for (const { incidents } of queues) {
      for (const { group, deliveryState, over } of incidents) {
        if (deliveryState !== 'no' && !over) open.add(groupKey(group));
      }
    }
    for (const key of this.#sent.keys()) if (!open.has(key)) this.#sent.delete(key);
  }

  /**
   * An alert that joins a notified group waits until `groupInterval` after its last notification. Critical alerts and
   * alerts of routes without a group wait, which page, wait for their group wait only.
   */
  #waitOf({ alert, to }: Trigger, now: Instant): Millis {
    const { group, groupWait, groupInterval } = to;
    const sent = this.#sent.get(groupKey(group));
    if (groupInterval === undefined || sent === undefined) return groupWait;
    if (groupWait === 0 || alert.severity === 'critical') return groupWait;
    return Math.min(groupInterval, Math.max(groupWait, sent + groupInterval - now.mono));
  }
}

interface GroupRequest {
  readonly notifications: readonly SubjectNotification[];
  readonly attempts: ReadonlyMap<string, Pick<DeliveryAttempt, 'action'>>;
}
