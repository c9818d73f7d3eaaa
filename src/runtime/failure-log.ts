import type { FailedAuthentication } from '../kernel/listener.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Clock, Millis } from '../kernel/time.ts';
import { systemClock } from './clock.ts';

const failureLogInterval: Millis = 60_000;
const maxLoggedAddresses = 1_000;

/** Logs and reports failed authentications: once for each address and minute, with their number since the last time. */
export class FailureLog {
  readonly #log: Logger | undefined;
  readonly #report: (failure: FailedAuthentication) => void;
  readonly #clock: Clock;
  readonly #addresses = new Map<string, { readonly loggedAt: Millis; readonly count: number }>();

  constructor(log: Logger | undefined, report: (failure: FailedAuthentication) => void, clock: Clock = systemClock) {
    this.#log = log;
    this.#report = report;
    this.#clock = clock;
  }

  /** Counts a request with wrong credentials. */
  add(address: string): void {
    const now = this.#clock.now().mono;
    const { loggedAt = Number.NEGATIVE_INFINITY, count = 0 } = this.#addresses.get(address) ?? {};
    const isDue = now - loggedAt >= failureLogInterval;
    if (isDue) {
      this.#log?.warn('authentication failed', { address, requests: count + 1 });
      this.#report({ address, requests: count + 1 });
    }
    if (this.#addresses.size >= maxLoggedAddresses) this.#addresses.clear();
    this.#addresses.set(address, isDue ? { loggedAt: now, count: 0 } : { loggedAt, count: count + 1 });
  }
}
