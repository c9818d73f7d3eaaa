import type { Clock, Millis } from '../kernel/time.ts';
import type { ToggleListener } from './toggle-listener.ts';
import type { World } from './world/world.ts';

/** Maximum sleep, so that no timer overflows. */
const maxSleep: Millis = 3_600_000;
/** Interval between attempts to listen: while a node is down, another process can bind its port. */
const retryAfter: Millis = 1_000;

/** Opens and closes the listeners of all nodes to match the world, also at each phase of a scenario. */
export class ListenerController {
  readonly #world: World;
  readonly #listeners: readonly ToggleListener[];
  readonly #clock: Clock;
  readonly #advanceClock: () => void;
  #closed = false;
  #wake = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /** `listeners[i]` is the listener of the host with index i. */
  constructor(
    world: World,
    listeners: readonly ToggleListener[],
    { clock, catchUp }: { clock: Clock; catchUp: () => void },
  ) {
    this.#world = world;
    this.#listeners = listeners;
    this.#clock = clock;
    this.#advanceClock = catchUp;
  }

  /** Opens and closes the listeners now, and again whenever the scenario changes. */
  async start(): Promise<void> {
    await this.#syncListeners();
    this.#running = this.#run();
  }

  /** Resolves when all listeners match the world. */
  async sync(): Promise<void> {
    await this.#syncListeners();
    this.#wake.abort();
  }

  /** Closes all listeners permanently. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.sync();
    await this.#running;
  }

  async #run(): Promise<void> {
    let longest = maxSleep;
    while (!this.#closed) {
      this.#wake = new AbortController();
      this.#advanceClock();
      await this.#clock.sleep(Math.min(this.#world.nextChangeAt - this.#world.now, longest), this.#wake.signal);
      longest = await this.#syncListeners().then(
        () => maxSleep,
        () => retryAfter,
      );
    }
  }

  async #syncListeners(): Promise<void> {
    this.#advanceClock();
    const { hosts } = this.#world;
    await Promise.all(
      this.#listeners.map((listener, index) => {
        const state = hosts[index];
        return listener.setOpen(!this.#closed && state !== undefined && this.#world.isReachable(state));
      }),
    );
  }
}
