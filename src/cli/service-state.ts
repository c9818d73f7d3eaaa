import type { Logger } from '../kernel/logger.ts';
import type { Supervisor, SupervisorReport } from '../kernel/system.ts';
import type { Clock } from '../kernel/time.ts';

/** Dependencies of the reports to the supervisor. */
export interface ServiceStatePorts {
  /** Absent if no supervisor expects reports. */
  readonly supervisor?: Supervisor | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Reports the state of the daemon to the supervisor. A failed report is logged once, until one succeeds. */
export class ServiceStateReporter {
  readonly #ports: ServiceStatePorts;
  #hasFailed = false;

  constructor(ports: ServiceStatePorts) {
    this.#ports = ports;
  }

  /**
   * Reports that the daemon serves requests at `url`, and from then on, three times per watchdog timeout while `isHealthy`,
   * that it makes progress. Ends with `signal`.
   */
  async ready(url: string, isHealthy: () => boolean, signal: AbortSignal): Promise<void> {
    const { supervisor, clock } = this.#ports;
    await this.#report({ state: 'ready', status: `listening on ${url}` });
    const timeout = supervisor?.watchdogTimeout;
    if (timeout === undefined) return;
    while (!signal.aborted) {
      await clock.sleep(timeout / 3, signal);
      if (isHealthy() && !signal.aborted) await this.#report({ state: 'alive' });
    }
  }

  /** Reports that the daemon stops. */
  async stopping(): Promise<void> {
    await this.#report({ state: 'stopping', status: 'stopping' });
  }

  async #report(report: SupervisorReport): Promise<void> {
    const { supervisor, log } = this.#ports;
    const sent = await supervisor?.notify(report);
    if (sent === undefined) return;
    if (!sent.ok && !this.#hasFailed) log.warn('systemd not notified', { error: sent.error });
    this.#hasFailed = !sent.ok;
  }
}
