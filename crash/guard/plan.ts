import type { Random } from '../../src/kernel/system.ts';
import type { Millis } from '../../src/kernel/time.ts';
import { seededRandom } from '../../src/simulator/chance.ts';
import type { FaultName } from '../../src/simulator/faults/names.ts';
import type { KillAt } from '../doom.ts';

/** What a kill waits for. */
export const moments = ['time', 'write', 'send', 'answer', 'verify'] as const;

/**
 * One of {@link moments}: time alone, the first write to the log of the database after the node was listed twice, an
 * abort that arrives, its answer that leaves, a list after that.
 */
export type Moment = (typeof moments)[number];

/** What clients start, and what the guard is to do about it. */
export const kinds = {
  /** To be aborted, and ends by that. */
  runaway: { query: 'runaway_walk', graph: 'fraud' },
  /** To be aborted, but may end by itself at any instant of that. */
  brief: { query: 'runaway_hop', graph: 'fraud' },
  /** To be aborted, but runs on whatever the server says. */
  zombie: { query: 'runaway_ghost', graph: 'fraud' },
  /** The policy means it by its name, but it ends before it is old enough. */
  young: { query: 'runaway_hop', graph: 'fraud' },
  /** Runs away in a graph that the policy does not mean. */
  elsewhere: { query: 'runaway_walk', graph: 'social' },
  protected: { query: 'nightly_load', graph: 'fraud' },
  /** The policy that means it only observes. */
  observed: { query: 'watched_walk', graph: 'fraud' },
} as const;

/** One of {@link kinds}. */
export type Kind = keyof typeof kinds;

/** A query to start, so long after the last one. */
export interface Order {
  readonly kind: Kind;
  /** Index of its node. */
  readonly node: number;
  readonly runsFor: Millis;
  readonly after: Millis;
}

/** How much the guard may do. */
export interface Limits {
  readonly perNode: number;
  readonly perCluster: number;
  readonly within: Millis;
  readonly pick: 'oldest' | 'newest';
}

/** Chance that all decisions of one scene come from: the same seed gives the same decisions. */
export interface Fate {
  readonly limits: Limits;
  /** Index of a node whose lists fail in the last life. */
  readonly blind: number | undefined;
  nextKill(): KillAt<Moment>;
  nextOrder(): Order;
  /** Time without a daemon. */
  pause(): Millis;
  /** How aborts are answered in a life; undefined for as they should. */
  answer(): FaultName | undefined;
}

/** How long each kind runs, at least and at most. */
const lengths: Readonly<Record<Kind, readonly [Millis, Millis]>> = {
  runaway: [15_000, 40_000],
  brief: [2000, 6000],
  zombie: [20_000, 60_000],
  young: [200, 1800],
  elsewhere: [3000, 30_000],
  protected: [5000, 40_000],
  observed: [5000, 40_000],
};

const orders = weighted<Kind>({
  runaway: 12,
  brief: 8,
  zombie: 6,
  young: 8,
  elsewhere: 2,
  protected: 2,
  observed: 2,
});
const aims = weighted<Moment>({ time: 3, write: 3, send: 3, answer: 2, verify: 1 });
/** A budget has to be felt, and has to leave enough to do: periods are a few lives long. */
const periods: readonly Millis[] = [5000, 5000, 6000, 10_000];
/** After a refusal nothing but the bar keeps one that runs on from another request. */
const answers: readonly (FaultName | undefined)[] = [
  ...Array.from({ length: 6 }, () => undefined),
  'hang_before_headers',
  'reset_mid_body',
  'status_403',
  'status_403',
  'status_500',
  'error_true_200',
];
const longestLife: Millis = 5000;
/** Committing, sending and answering follow each other within so much. */
const closely: Millis = 25;

/** The fate that a seed stands for. */
export function fateOf(seed: number): Fate {
  const random = seededRandom(seed);
  const between = (least: number, most: number): number => least + random.next() * (most - least);
  // Clients go on meanwhile, at times of their own: what they draw must not change how daemons die.
  const clients = seededRandom(seed * 1009 + 1);
  const drawn = (least: number, most: number): number => least + clients.next() * (most - least);
  return {
    limits: {
      perNode: oneOf([1, 2, 2], random),
      perCluster: 3,
      within: oneOf(periods, random),
      pick: oneOf(['oldest', 'newest'], random),
    },
    blind: oneOf([undefined, undefined, undefined, 0, 1], random),
    nextKill() {
      const moment = oneOf(aims, random);
      if (moment === 'time') return { moment, nth: 1, after: between(0, longestLife) };
      // A third of the kills come at the very moment.
      const after = random.next() < 1 / 3 ? 0 : between(0, closely);
      return { moment, nth: random.next() < 0.8 ? 1 : 2, after };
    },
    nextOrder() {
      const kind = oneOf(orders, clients);
      const [least, most] = lengths[kind];
      const node = clients.next() < 0.5 ? 0 : 1;
      return { kind, node, runsFor: Math.round(drawn(least, most)), after: drawn(50, 400) };
    },
    pause: () => (random.next() < 0.5 ? 0 : between(0, 600)),
    answer: () => oneOf(answers, random),
  };
}

function weighted<Name extends string>(weights: Readonly<Record<Name, number>>): readonly Name[] {
  const names: Name[] = [];
  for (const name in weights) names.push(...Array.from({ length: weights[name] }, () => name));
  return names;
}

function oneOf<T>(list: readonly T[], random: Random): T {
  const index = Math.floor(random.next() * list.length);
  for (const [at, one] of list.entries()) if (at === index) return one;
  throw new Error('nothing to choose from');
}
