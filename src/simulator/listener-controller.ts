import type { Clock, Millis } from '../kernel/time.ts';
import type { ToggleListener } from './toggle-listener.ts';
import type { World } from './world/world.ts';

/** A sleep is never longer, so that no timer overflows. */
const maxSleep: Millis = 3_600_000;
/** Interval between attempts to listen: while a node is down another process can occupy its port. */
const retryAfter: Millis = 1_000;

/** Opens and closes the doors of all nodes as the world wants them, also when a scenario changes unasked. */
export class ListenerController {
  readonly #world: World;
  readonly #listeners: readonly ToggleListener[];
  readonly #clock: Clock;
  readonly #advanceClock: () => void;
  #closed = false;
  #wake = new AbortController();
  #running: Promise<void> = Promise.resolve();

  /** `doors[i]` belongs to the host with the index i. */
  constructor(
    world: World,
    doors: readonly ToggleListener[],
    { clock, catchUp }: { clock: Clock; catchUp: () => void },
  ) {
    this.#world = world;
    this.#listeners = doors;
    this.#clock = clock;
    this.#advanceClock = catchUp;
  }

  /** Brings all doors in line once, and from then on whenever the scenario changes. */
  async start(): Promise<void> {
    await this.#syncListeners();
    this.#running = this.#run();
  }

  /** Resolves when every door is as the world wants it now. */
  async sync(): Promise<void> {
    await this.#syncListeners();
    this.#wake.abort();
  }

  /** Closes all doors for good. */
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
      this.#listeners.map((door, index) => {
        const state = hosts[index];
        return door.setOpen(!this.#closed && state !== undefined && this.#world.isReachable(state));
      }),
    );
  }
}
