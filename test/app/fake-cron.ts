import type { CronTimes } from '../../src/kernel/system.ts';

/** A cron that runs only when a test says so. */
export class FakeCron {
  /** Next time of every expression, in ms since the epoch. */
  next: number | undefined;
  readonly entries: { readonly expression: string; readonly run: () => void }[] = [];

  readonly schedule = (expression: string, run: () => void): CronTimes => {
    const entry = { expression, run };
    this.entries.push(entry);
    return { stop: () => void this.entries.splice(this.entries.indexOf(entry), 1), next: () => this.next };
  };
}
