import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { AppDependencies } from '../../src/app/ports/app-dependencies.ts';
import type { AppPorts } from '../../src/app/ports/app-ports.ts';
import { createMetricsPage } from '../../src/expose/create-metrics-page.ts';
import type { HttpPool, OpenHttpPool } from '../../src/kernel/http.ts';
import type { Listen } from '../../src/kernel/listener.ts';
import type { Random } from '../../src/kernel/system.ts';
import type { Instant, Millis } from '../../src/kernel/time.ts';
import { systemFiles } from '../../src/runtime/files.ts';
import { systemPorts } from '../../src/runtime/system-ports.ts';
import { FakeClock } from '../support/clock.ts';
import { listen } from '../support/reusable-port.ts';

/** Longest wait, in real milliseconds, for work that may never end, unless this process gets too little processor time. */
const realTimeLimit = 400;
/** Turns of the event loop before the clock sleeps between two looks: most replies arrive within these. */
const turnsWithoutSleep = 200;
/**
 * Fewest sleeps before work counts as endless. On a busy machine the event loop and the threads of the pool, which look up
 * names and compress replies, make little progress within the limit.
 */
const minSleeps = 200;

/**
 * Clock that stands still while real work is in progress and then moves to the next sleeper. Work that takes real time
 * takes none on this clock; a delay is a sleep on it.
 */
export class NetworkClock extends FakeClock {
  readonly #busy = new Set<Promise<unknown>>();

  /** Returns whole milliseconds of wall time and fractions of monotonic time, as the system clock does. */
  override now(): Instant {
    const { wall, mono } = super.now();
    return { wall: Math.floor(wall), mono };
  }

  /** Stops the clock until the work ends, or for {@link realTimeLimit} if it does not end. */
  async whileBusy<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
    this.#busy.add(work);
    return work.finally(() => this.#busy.delete(work));
  }

  override async settle(): Promise<void> {
    await super.settle();
    while (this.#busy.size > 0) {
      const waited = [...this.#busy];
      const until = performance.now() + realTimeLimit;
      const isBusy = (): boolean => waited.every((work) => this.#busy.has(work));
      for (let turn = 0; isBusy() && turn < turnsWithoutSleep; turn += 1) await this.yieldToEventLoop();
      for (let sleeps = 0; isBusy() && (sleeps < minSleeps || performance.now() < until); sleeps += 1)
        await shortSleep();
      if (isBusy()) for (const work of waited) this.#busy.delete(work);
      await super.settle();
    }
  }

  /** Advances in steps until the work ends. */
  async through<Outcome>(work: Promise<Outcome>, step: Millis = 20): Promise<Outcome> {
    const over = new AbortController();
    const ended = work.finally(() => over.abort());
    ended.catch(() => undefined);
    for (let steps = 0; !over.signal.aborted; steps += 1) {
      if (steps === 10_000) throw new Error('the work does not end in 10,000 steps');
      await this.advance(step);
      // What the clock does not wait for, such as the end of a connection, takes real time.
      if (steps > 100) await shortSleep();
    }
    return ended;
  }
}

/** Waits for one turn of the event loop and one task in a thread of the pool. */
async function shortSleep(): Promise<void> {
  await Promise.all([pause(1), stat('/')]);
}

/** Latency of one direction to or from a node, by URL. */
export type LatencyOf = (path: string) => Millis;

/**
 * Opens pools, by default of real sockets, and adds a latency on `clock` before each request and after each reply. The clock does not stand
 * still for a request that `hangs`.
 */
export function delayedNetwork(
  clock: NetworkClock,
  latencyOf: LatencyOf,
  hangs: (url: string) => boolean = () => false,
  openPool: OpenHttpPool = systemPorts.openPool,
): OpenHttpPool {
  return (options) => {
    const pool = openPool(options);
    const request: HttpPool['request'] = async (given, signal) => {
      await clock.sleep(latencyOf(options.origin + given.path), signal);
      const work = pool.request(given, signal);
      const reply = await (hangs(options.origin + given.path) ? work : clock.whileBusy(work));
      await clock.sleep(latencyOf(options.origin + given.path), signal);
      return reply;
    };
    return { request, sockets: () => pool.sockets(), close: () => pool.close() };
  };
}

/** Returns a random latency between 1 ms and `most`. */
export function randomLatency(most: Millis, random: Random): LatencyOf {
  return () => 1 + Math.floor(random.next() * most);
}

/** Listens on real ports. The clock stands still while a port opens or closes: nodes stop and start at exact times. */
export function listenOn(clock: NetworkClock): Listen {
  return async (options) => {
    const listening = await clock.whileBusy(listen(options));
    return { ...listening, close: (grace) => clock.whileBusy(listening.close(grace)) };
  };
}

/** Parts of a daemon for which the clock stands still while threads compress a metrics page: alert evaluation waits for them. */
export function partsOn(clock: NetworkClock): Pick<AppDependencies, 'createPage'> {
  return {
    createPage: (limits) => {
      const page = createMetricsPage(limits, clock);
      return {
        put: (source, content) => clock.whileBusy(page.put(source, content)),
        expire: (source, gone) => page.expire(source, gone),
        remove: (source) => page.remove(source),
        body: (format, encoding, tail) => page.body(format, encoding, tail),
        metrics: () => page.metrics(),
      };
    },
  };
}

/** Ports of a daemon whose requests and files take no time of `clock` beyond the latency. */
export function portsOn(clock: NetworkClock, openPool: OpenHttpPool): Partial<AppPorts> {
  return {
    clock,
    openPool,
    files: {
      readText: (path) => clock.whileBusy(systemFiles.readText(path)),
      stamp: (path) => clock.whileBusy(systemFiles.stamp(path)),
      // The guard looks for its pause file every second, in a state directory that does not exist.
      presence: async (path) => (path.startsWith('/nowhere/') ? 'absent' : clock.whileBusy(systemFiles.presence(path))),
    },
    cron: () => ({ stop: () => undefined, next: () => undefined }),
  };
}
