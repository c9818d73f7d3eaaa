import type { StoreChange } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { AlertNotification } from '../model/alert.ts';
import type { ReceiverView } from '../model/situation.ts';
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
  plan(notices: readonly AlertNotification[], now: Instant): DeliveryPlan;
  /** Applies new settings; drops the pending notifications of a removed receiver and logs that. */
  reconfigure(settings: DeliverySettings): Promise<void>;
  /** Returns the status of each receiver. */
  views(now: Instant): readonly ReceiverView[];
  samples(now: Instant): Iterable<Sample>;
}
