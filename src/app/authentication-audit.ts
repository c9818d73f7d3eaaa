import { actionChange } from '../guard/storage/operator-action-rows.ts';
import type { FailedAuthentication } from '../kernel/listener.ts';
import type { Millis } from '../kernel/time.ts';
import type { AppPorts } from './ports/app-ports.ts';

/**
 * Maximum number of entries within {@link period}, over all addresses. Anyone can send wrong passwords, and the
 * retention by size must not remove aborts and operator actions because of that.
 */
const maxEntries = 10;
const period: Millis = 3_600_000;

/** Adds failed authentications to the audit log, without user names: some people type their password there. */
export class AuthenticationAudit {
  readonly #ports: Pick<AppPorts, 'store' | 'clock' | 'random' | 'log'>;
  #addedAt: readonly Millis[] = [];

  constructor(ports: Pick<AppPorts, 'store' | 'clock' | 'random' | 'log'>) {
    this.#ports = ports;
  }

  /** Adds an entry, unless the last hour has too many. A failure to store it is logged. */
  async add({ address, requests }: FailedAuthentication): Promise<void> {
    const { store, clock, random, log } = this.#ports;
    const { wall, mono } = clock.now();
    this.#addedAt = this.#addedAt.filter((at) => mono - at < period);
    if (this.#addedAt.length >= maxEntries) return;
    this.#addedAt = [...this.#addedAt, mono];
    const reason = `${requests} ${requests === 1 ? 'request' : 'requests'} with wrong credentials`;
    const entry = { at: wall, what: 'authentication_failed', by: address, cluster: '', subject: '', reason } as const;
    const stored = await store.commit([actionChange(entry, random)]);
    if (!stored.ok) log.error('audit write failed', { error: stored.error });
  }
}
