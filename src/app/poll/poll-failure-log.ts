import type { PollOutcome } from '../../collect/collector.ts';
import type { PollResult } from '../../collect/poll-runner.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type CollectorTarget, collectorKey, parseCollectorKey } from '../../model/collector-key.ts';

/** Logs the first failure of a target, each change of the failure, and the recovery. */
export class PollFailureLog {
  readonly #log: Logger;
  readonly #failures = new Map<string, string>();
  readonly #implausible = new Map<string, string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Records a poll result: logs each at debug, and what changed. */
  recordPoll({ cluster, node, collector }: CollectorTarget, poll: PollResult, implausible: string): void {
    const { result, started, ended } = poll;
    const failed = result.ok ? {} : { reason: result.error.reason, error: result.error.message };
    const measured = { source: poll.source, duration_ms: ended.mono - started.mono };
    this.#log.debug('poll finished', { cluster, node, collector, ...measured, ...failed });
    this.record({ cluster, node, collector }, result, implausible);
  }

  /** Records a poll outcome and logs what changed. */
  record(target: CollectorTarget, result: PollOutcome<unknown>, implausible = ''): void {
    const key = collectorKey(target);
    this.#recordImplausible(target, implausible);
    const before = this.#failures.get(key);
    if (result.ok) {
      if (this.#failures.delete(key)) this.#log.info('collector recovered', { ...target });
      return;
    }
    const { reason, limit, status, code, message } = result.error;
    const summary = [reason, limit, status, code].join(' ');
    if (summary === before) return;
    this.#failures.set(key, summary);
    this.#log.warn('collector failed', { ...target, reason, limit, status, code, error: message });
  }

  /** Logs a change of the source node of cluster facts, because the copies of the nodes may differ. */
  recordSource(target: CollectorTarget, from: string, { source: to, failedAttempts = [] }: PollResult): void {
    const { reason, message: error } = failedAttempts.find(({ node }) => node === from)?.error ?? {};
    this.#log.info('cluster source node changed', { ...target, from, to, reason, error });
  }

  #recordImplausible(target: CollectorTarget, reasons: string): void {
    const key = collectorKey(target);
    if (reasons === (this.#implausible.get(key) ?? '')) return;
    this.#implausible.set(key, reasons);
    if (reasons === '') this.#log.info('implausible entries ended', { ...target });
    else this.#log.warn('implausible entries', { ...target, reasons });
  }

  /** Forgets removed targets. */
  forget(gone: (target: CollectorTarget) => boolean): void {
    for (const known of [this.#failures, this.#implausible]) {
      for (const key of known.keys()) if (gone(parseCollectorKey(key))) known.delete(key);
    }
  }
}
