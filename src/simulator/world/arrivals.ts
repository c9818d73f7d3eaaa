import type { Random } from '../../kernel/system.ts';
import type { Millis } from '../../kernel/time.ts';
import type { Activity } from './activity.ts';
import { drawOrder } from './catalogue.ts';
import type { NodeLoad } from './node-load.ts';

/** What the clients of a node do at the moment. */
export interface Demand {
  /** False while the node is away: nobody gets through. */
  readonly open: boolean;
  readonly graphs: readonly string[];
  readonly perSecond: number;
  /** Multiplies the run time of every query. */
  readonly slowness: number;
}

/** The clients of one node: they send a query now and then, independent of each other. */
export class Arrivals implements Activity {
  readonly #load: NodeLoad;
  readonly #demand: () => Demand;
  readonly #random: Random;
  #next: number;

  constructor(load: NodeLoad, demand: () => Demand, { from, random }: { from: number; random: Random }) {
    this.#load = load;
    this.#demand = demand;
    this.#random = random;
    this.#next = from;
  }

  nextAt(): number {
    return this.#next;
  }

  act(at: number): void {
    const { open, graphs, perSecond, slowness } = this.#demand();
    if (open) this.#load.start(drawOrder(graphs, slowness, this.#random), at);
    this.#next = at + pause(perSecond, this.#random);
  }
}

/** Exponential, as between independent events; capped, so that a change of demand is noticed soon. */
function pause(perSecond: number, random: Random): Millis {
  const wanted = (-Math.log(1 - random.next()) / perSecond) * 1000;
  return Math.max(1, Math.min(Math.round(wanted), 5_000));
}
