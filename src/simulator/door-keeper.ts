import type { Clock, Millis } from '../kernel/time.ts';
import type { Door } from './doors.ts';
import type { World } from './world/world.ts';

/** A sleep is never longer, so that no timer overflows. */
const longestSleep: Millis = 3_600_000;
/** While a node is away somebody else may come by its port: it is tried again so often. */
const retryAfter: Millis = 1_000;

/** Opens and closes the doors of all nodes as the world wants them, also when a scenario changes unasked. */
export class DoorKeeper {
  readonly #world: World;
  readonly #doors: readonly Door[];
  readonly #clock: Clock;
  readonly #catchUp: () => void;
  #closed = false;
  #wake = new AbortController();
  #watching: Promise<void> = Promise.resolve();

  /** `doors[i]` belongs to the host with the index i. */
  constructor(world: World, doors: readonly Door[], { clock, catchUp }: { clock: Clock; catchUp: () => void }) {
    this.#world = world;
    this.#doors = doors;
    this.#clock = clock;
    this.#catchUp = catchUp;
  }

  /** Brings all doors in line once, and from then on whenever the scenario changes. */
  async start(): Promise<void> {
    await this.#align();
    this.#watching = this.#watch();
  }

  /** Resolves when every door is as the world wants it now. */
  async settle(): Promise<void> {
    await this.#align();
    this.#wake.abort();
  }

  /** Closes all doors for good. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.settle();
    await this.#watching;
  }

  async #watch(): Promise<void> {
    let longest = longestSleep;
    while (!this.#closed) {
      this.#wake = new AbortController();
      this.#catchUp();
      await this.#clock.sleep(Math.min(this.#world.changesAt - this.#world.now, longest), this.#wake.signal);
      longest = await this.#align().then(
        () => longestSleep,
        () => retryAfter,
      );
    }
  }

  async #align(): Promise<void> {
    this.#catchUp();
    const { hosts } = this.#world;
    await Promise.all(
      this.#doors.map((door, index) => {
        const state = hosts[index];
        return door.set(!this.#closed && state !== undefined && this.#world.isReachable(state));
      }),
    );
  }
}
