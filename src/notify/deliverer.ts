import type { Result } from '../kernel/result.ts';
import type { StoreChange } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { Alert, AlertNotification } from '../model/alert.ts';
import type { IncidentDelivery, NotificationRecord } from '../model/delivery.ts';
import type { ReceiverView } from '../model/situation.ts';
import type { Destinations } from './fallbacks.ts';
import type { FiringAlerts } from './outbox/reconcile-queue.ts';
import type { DeliverySettings } from './settings.ts';

/** Changes to store before the notifications are sent. */
export interface DeliveryPlan {
  /** Must be committed in the same transaction as the alert state that the notifications report. */
  readonly changes: readonly StoreChange[];
  /** Starts the delivery of the planned notifications; called after the commit, also if the commit fails. */
  release(): void;
}

/** The outbox and all receivers. */
export interface Deliverer {
  /** Loads the pending notifications from the store; call it before {@link start}. */
  restore(): Promise<void>;
  /** Starts to send. */
  start(): void;
  /** Sends due notifications until the signal aborts, then stops; the remaining notifications stay in the store. */
  stop(signal: AbortSignal): Promise<void>;
  plan(notifications: readonly AlertNotification[], now: Instant): DeliveryPlan;
  /**
   * Applies new settings. A removed receiver gets the end of its open incidents, for at most a day; a receiver with a new
   * name and the same endpoint keeps its notifications.
   */
  reconfigure(settings: DeliverySettings): Promise<void>;
  /**
   * Adds the notifications that the store merged from a state directory that became available late; call {@link reconcile}
   * then.
   */
  merge(): Promise<void>;
  /**
   * Loads the pending notifications of clusters that another replica owned; call {@link reconcile} then. If the store cannot
   * be read, adopts nothing and returns the error.
   */
  adopt(clusters: ReadonlySet<string>): Promise<Result<void, string>>;
  /** Resolves when no request about these clusters is in flight, or when the signal aborts. */
  settle(clusters: ReadonlySet<string>, signal: AbortSignal): Promise<void>;
  /** Drops the pending notifications of clusters that another replica owns now, and changes nothing in the store. */
  forget(clusters: ReadonlySet<string>): void;
  /**
   * Ends the incidents at receivers whose alert does not fire, and opens those again that ended although it fires. Queued
   * notifications get the fallbacks of `destinations`.
   */
  reconcile(firing: FiringAlerts, now: Instant, destinations?: Destinations): DeliveryPlan;
  /** Returns the latest notification of an incident to each receiver that is notified of it. */
  deliveries(incident: Pick<Alert, 'key' | 'episode'>, now: Instant): readonly IncidentDelivery[];
  /** Returns the notifications that were not attempted yet: the delivery log in the store does not contain them. */
  unattempted(now: Instant): readonly NotificationRecord[];
  /** Returns the status of each receiver. */
  views(now: Instant): readonly ReceiverView[];
  samples(now: Instant): Iterable<Sample>;
}
