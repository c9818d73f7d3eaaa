import type { HttpPool, OpenHttpPool } from '../../src/kernel/http.ts';
import type { Random } from '../../src/kernel/system.ts';
import type { Instant, Millis } from '../../src/kernel/time.ts';
import { network } from '../../src/runtime/network.ts';
import { FakeClock } from '../support/clock.ts';

/** Nobody waits longer than this, in real time, for what may never end; a slow machine is given that much. */
const patience = 400;
/** And this many turns of the event loop: a process that was held up for so long has had no time for an answer. */
const fewestTurns = 5000;

/**
 * A clock that stands still while anything real is under way, and then goes on to the next that is due: what takes
 * real time takes none on it, and what shall take time sleeps on it.
 */
export class WireClock extends FakeClock {
  readonly #busy = new Set<Promise<unknown>>();

  /** As the real one: the wall clock counts whole milliseconds, the other one also parts of them. */
  override now(): Instant {
    const { wall, mono } = super.now();
    return { wall: Math.floor(wall), mono };
  }

  /** Time stands still until this is over; if that is never, only for a moment. */
  async whileBusy<Outcome>(work: Promise<Outcome>): Promise<Outcome> {
    this.#busy.add(work);
    return work.finally(() => this.#busy.delete(work));
  }

  override async settle(): Promise<void> {
    await super.settle();
    while (this.#busy.size > 0) {
      const waited = [...this.#busy];
      const until = performance.now() + patience;
      const isBusy = (): boolean => waited.every((work) => this.#busy.has(work));
      for (let turn = 0; isBusy() && (turn < fewestTurns || performance.now() < until); turn += 1) await this.breathe();
      if (isBusy()) for (const work of waited) this.#busy.delete(work);
      await super.settle();
    }
  }

  /** Goes on until this is over. */
  async through<Outcome>(work: Promise<Outcome>, step: Millis = 20): Promise<Outcome> {
    const over = new AbortController();
    const ended = work.finally(() => over.abort());
    ended.catch(() => undefined);
    for (let steps = 0; !over.signal.aborted; steps += 1) {
      if (steps === 10_000) throw new Error('this never ends');
      await this.advance(step);
    }
    return ended;
  }
}

/** How long one way to or from a node takes. */
export type WayOf = (path: string) => Millis;

/** Real sockets, with a way to and from each node that takes some time on `clock`. */
export function slowWire(clock: WireClock, wayOf: WayOf): OpenHttpPool {
  return (options) => {
    const pool = network.openPool(options);
    const request: HttpPool['request'] = async (given, signal) => {
      await clock.sleep(wayOf(options.origin + given.path), signal);
      const reply = await clock.whileBusy(pool.request(given, signal));
      await clock.sleep(wayOf(options.origin + given.path), signal);
      return reply;
    };
    return { request, sockets: () => pool.sockets(), close: () => pool.close() };
  };
}

/** A way that takes now more and now less. */
export function waysUpTo(most: Millis, random: Random): WayOf {
  return () => 1 + Math.floor(random.next() * most);
}
