import type { Change } from '../../src/kernel/store.ts';
import type { Notice } from '../../src/model/alert.ts';
import type { ReceiverView } from '../../src/model/situation.ts';
import type { Deliverer } from '../../src/notify/deliverer.ts';
import type { DeliverySettings } from '../../src/notify/settings.ts';

/** An outbox that delivers nothing, and tells what it was asked. */
export class FakeDeliverer implements Deliverer {
  /** `restore`, `start`, `plan 2`, `release`, `reconfigure chat, mail`, `stop`, in order. */
  readonly asked: string[] = [];
  readonly notices: Notice[] = [];
  change: Change | undefined;
  views: () => readonly ReceiverView[] = () => [];
  onStop: (signal: AbortSignal) => Promise<void> = () => Promise.resolve();

  async restore(): Promise<void> {
    this.asked.push('restore');
  }

  start(): void {
    this.asked.push('start');
  }

  stop(signal: AbortSignal): Promise<void> {
    this.asked.push('stop');
    return this.onStop(signal);
  }

  plan(notices: readonly Notice[]) {
    this.asked.push(`plan ${notices.length}`);
    this.notices.push(...notices);
    const changes = this.change === undefined || notices.length === 0 ? [] : [this.change];
    return { changes, release: () => void this.asked.push('release') };
  }

  async reconfigure({ receivers }: DeliverySettings): Promise<void> {
    this.asked.push(`reconfigure ${receivers.map(({ name }) => name).join(', ')}`);
  }

  samples() {
    return [];
  }
}
