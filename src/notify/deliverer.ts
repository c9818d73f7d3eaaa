import type { Change } from '../kernel/store.ts';
import type { Instant } from '../kernel/time.ts';
import type { Sample } from '../metric/metric.ts';
import type { Notice } from '../model/alert.ts';
import type { ReceiverView } from '../model/situation.ts';
import type { DeliverySettings } from './settings.ts';

/** What has to be stored before anything is sent. */
export interface Plan {
  /** Belongs into the same transaction as what the notices tell of. */
  readonly changes: readonly Change[];
  /** Lets what was planned go out: called when it is stored, or when it is known that it cannot be. */
  release(): void;
}

/** The outbox and all receivers. */
export interface Deliverer {
  /** Reads what is owed from the store; before {@link start}. */
  restore(): Promise<void>;
  /** Begins to send. */
  start(): void;
  /** Tries what is due until the signal aborts, then ends; what is left stays in the store. */
  stop(signal: AbortSignal): Promise<void>;
  plan(notices: readonly Notice[], now: Instant): Plan;
  /** Takes other settings; what is owed to a receiver that is gone is given up, and that is said. */
  reconfigure(settings: DeliverySettings): Promise<void>;
  /** How each receiver is doing. */
  views(now: Instant): readonly ReceiverView[];
  samples(now: Instant): Iterable<Sample>;
}
