import type { Random } from '../../kernel/system.ts';
import type { Millis } from '../../kernel/time.ts';
import type { EventSource } from './event-source.ts';
import type { NodeLoad } from './node-load.ts';
import { randomQuery } from './query.ts';

/** Current load of the clients of a node. */
export interface ClientDemand {
  /** False while the node is down and serves no clients. */
  readonly open: boolean;
  readonly graphs: readonly string[];
  readonly perSecond: number;
  /** Multiplies the run time of every query. */
  readonly slowness: number;
}

/** Clients of one node, which send queries independently of each other. */
export class ClientTraffic implements EventSource {
  readonly #load: NodeLoad;
  readonly #demand: () => ClientDemand;
  readonly #random: Random;
  #next: number;

  constructor(load: NodeLoad, demand: () => ClientDemand, { from, random }: { from: number; random: Random }) {
    this.#load = load;
    this.#demand = demand;
    this.#random = random;
    this.#next = from;
  }

  nextEventAt(): number {
    return this.#next;
  }

  runEvent(at: number): void {
    const { open, graphs, perSecond, slowness } = this.#demand();
    if (open) this.#load.start(randomQuery(graphs, slowness, this.#random), at);
    this.#next = at + nextArrivalDelay(perSecond, this.#random);
  }
}

/** Returns an exponentially distributed delay, as between independent events. It is capped, so that a change of demand takes effect soon. */
function nextArrivalDelay(perSecond: number, random: Random): Millis {
  const wanted = (-Math.log(1 - random.next()) / perSecond) * 1000;
  return Math.max(1, Math.min(Math.round(wanted), 5_000));
}
