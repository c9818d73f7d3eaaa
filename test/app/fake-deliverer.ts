import { ok, type Result } from '../../src/kernel/result.ts';
import type { StoreChange } from '../../src/kernel/store.ts';
import type { Instant } from '../../src/kernel/time.ts';
import type { AlertNotification } from '../../src/model/alert.ts';
import type { IncidentDelivery, NotificationRecord } from '../../src/model/delivery.ts';
import type { ReceiverView } from '../../src/model/situation.ts';
import type { Deliverer } from '../../src/notify/deliverer.ts';
import type { Destinations } from '../../src/notify/fallbacks.ts';
import type { FiringAlerts } from '../../src/notify/outbox/reconcile-queue.ts';
import type { DeliverySettings } from '../../src/notify/settings.ts';

/** Deliverer that sends nothing and records its calls. */
export class FakeDeliverer implements Deliverer {
  /** `restore`, `start`, `plan 2`, `release`, `reconfigure chat, mail`, `stop`, in order. */
  readonly calls: string[] = [];
  readonly notices: AlertNotification[] = [];
  change: StoreChange | undefined;
  /** Destinations of the last call of `reconcile`. */
  destinations: Destinations | undefined;
  views: () => readonly ReceiverView[] = () => [];
  deliveries: () => readonly IncidentDelivery[] = () => [];
  unattempted: () => readonly NotificationRecord[] = () => [];
  onStop: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();

  async restore(): Promise<void> {
    this.calls.push('restore');
  }

  start(): void {
    this.calls.push('start');
  }

  stop(signal: AbortSignal): Promise<void> {
    this.calls.push('stop');
    return this.onStop(signal);
  }

  plan(notices: readonly AlertNotification[]) {
    this.calls.push(`plan ${notices.length}`);
    this.notices.push(...notices);
    const changes = this.change === undefined || notices.length === 0 ? [] : [this.change];
    return { changes, release: () => void this.calls.push('release') };
  }

  async reconfigure({ receivers }: DeliverySettings): Promise<void> {
    this.calls.push(`reconfigure ${receivers.map(({ name }) => name).join(', ')}`);
  }

  async merge(): Promise<void> {
    this.calls.push('merge');
  }

  async adopt(clusters: ReadonlySet<string>): Promise<Result<void, string>> {
    this.calls.push(`adopt ${[...clusters].join(', ')}`);
    return ok(undefined);
  }

  async settle(clusters: ReadonlySet<string>): Promise<void> {
    this.calls.push(`settle ${[...clusters].join(', ')}`);
  }

  forget(clusters: ReadonlySet<string>): void {
    this.calls.push(`forget ${[...clusters].join(', ')}`);
  }

  reconcile(_firing: FiringAlerts, _now: Instant, destinations?: Destinations) {
    this.destinations = destinations;
    return { changes: [], release: () => undefined };
  }

  samples() {
    return [];
  }
}
