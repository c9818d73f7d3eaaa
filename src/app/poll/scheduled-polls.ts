import type { PollResult } from '../../collect/poll-runner.ts';
import { formatElapsed } from '../../kernel/duration.ts';
import type { LogFields, Logger } from '../../kernel/logger.ts';
import type { Store } from '../../kernel/store.ts';
import type { Clock, Millis } from '../../kernel/time.ts';
import type { PollResultListener } from './poll-result-listener.ts';

/** Run of a task that changes the server. */
export interface ScheduledTaskStart {
  readonly cluster: string;
  readonly collector: string;
  /** Longest time between two scheduled runs. */
  readonly interval: Millis;
  /** Next scheduled time, ms since the epoch; undefined if it is not known. */
  readonly next: number | undefined;
}

interface ScheduledPollPorts {
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Pick<Store, 'find' | 'commit'>;
}

const table = 'collector_memory';

/** Maximum time by which a timer may fire early. */
const tolerance: Millis = 1000;

/**
 * Polls of a cluster that run at scheduled times: one at a time, and those that change the server at most once per
 * interval.
 */
export class ScheduledPolls {
  readonly #ports: ScheduledPollPorts;
  /** The poll in flight; a second one is never started. */
  #inFlight: Promise<unknown> | undefined;

  constructor(ports: ScheduledPollPorts) {
    this.#ports = ports;
  }

  /** Whether a poll is in flight. */
  get isBusy(): boolean {
    return this.#inFlight !== undefined;
  }

  /** Runs a poll. The caller checks first that none is in flight. */
  run(poll: () => Promise<PollResult | undefined>): Promise<PollResult | undefined> {
    const running = poll().finally(() => {
      this.#inFlight = undefined;
    });
    this.#inFlight = running;
    return running;
  }

  /** Runs a poll after the one in flight. */
  async runInTurn(poll: () => Promise<PollResult | undefined>): Promise<PollResult | undefined> {
    while (this.#inFlight !== undefined) await this.#inFlight;
    return this.run(poll);
  }

  /**
   * Returns whether a task that changes the server may run now, and stores the time of its next run: after a restart, or a step
   * of the clock, it does not run again within its interval. Without durable state it does not run.
   */
  async reserve({ cluster, collector, interval, next }: ScheduledTaskStart): Promise<boolean> {
    const { clock, log, store } = this.#ports;
    const now = clock.now().wall;
    const where = Object.entries({ cluster, collector }).map(
      ([column, value]) => ({ column, is: '=', value }) as const,
    );
    const found = await store.find({ table, where });
    if (!found.ok) return skip({ error: found.error });
    const left = Number(found.value[0]?.content ?? 0) - now;
    // A longer time comes from a former schedule, or from a clock that was wrong.
    if (left > tolerance && left <= interval) return skip({ reason: 'interval' });
    const stored = await store.commit([
      { table, put: { cluster, collector, content: String(Math.round(next ?? now + interval)) } },
    ]);
    return stored.ok || skip({ error: stored.error });

    function skip(why: LogFields): false {
      log.warn('scheduled task skipped', { cluster, collector, ...why });
      return false;
    }
  }
}

/** Logs each run of a scheduled task that changes the server. */
export function scheduledTaskLog(log: Logger): PollResultListener {
  return {
    onPollResult({ cluster, collector, definition }, { result }) {
      const facts = result.ok ? result.value : result.partial;
      const runs = facts === undefined ? [] : (definition.taskRuns?.(facts) ?? []);
      for (const { graph, outcome } of runs) {
        const fields = { cluster, collector, ...(graph !== '' && { graph }) };
        if (outcome.ok) log.info('scheduled task finished', { ...fields, duration: formatElapsed(outcome.value) });
        else
          log.warn('scheduled task failed', { ...fields, reason: outcome.error.reason, error: outcome.error.message });
      }
    },
  };
}
