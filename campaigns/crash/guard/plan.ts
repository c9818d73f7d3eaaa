import type { Random } from '../../../src/kernel/system.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { FaultName } from '../../../src/simulator/faults/fault.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import type { KillMoment } from '../kill-timer.ts';

/** Moments that a kill waits for. */
export const killTriggers = ['time', 'write', 'send', 'answer', 'verify'] as const;

/**
 * One of {@link killTriggers}: a random time, a write to the database log after the guard polled the lists, the arrival
 * of an abort request, its response, a list request after it.
 */
export type KillTrigger = (typeof killTriggers)[number];

/** Kinds of queries that clients start, with the expected reaction of the guard. */
export const queryKinds = {
  /** Aborted, and ends by the abort. */
  runaway: { query: 'runaway_walk', graph: 'fraud' },
  /** Aborted, but may end by itself at any time during the abort. */
  brief: { query: 'runaway_hop', graph: 'fraud' },
  /** Aborted, but continues to run, whatever the server responds. */
  unstoppable: { query: 'runaway_ghost', graph: 'fraud' },
  /** Matches the policy by name, but ends before the minimum age. */
  short: { query: 'runaway_hop', graph: 'fraud' },
  /** Runaway query in a graph that the policy does not match. */
  otherGraph: { query: 'runaway_walk', graph: 'social' },
  protected: { query: 'nightly_load', graph: 'fraud' },
  /** Matches a policy in observe mode. */
  observed: { query: 'watched_walk', graph: 'fraud' },
} as const;

/** One of {@link queryKinds}. */
export type QueryKind = keyof typeof queryKinds;

/** Query to start, `after` ms after the previous one. */
export interface QueryStart {
  readonly kind: QueryKind;
  /** Index of its node. */
  readonly node: number;
  readonly runsFor: Millis;
  readonly after: Millis;
}

/** Budgets of the guard. */
export interface GuardLimits {
  readonly perNode: number;
  readonly perCluster: number;
  readonly within: Millis;
  readonly pick: 'oldest' | 'newest';
}

/** Random decisions of one scenario. The same seed gives the same decisions. */
export interface RandomPlan {
  readonly limits: GuardLimits;
  /** Index of a node whose lists fail in the last daemon run. */
  readonly nodeWithoutLists: number | undefined;
  nextKill(): KillMoment<KillTrigger>;
  nextQuery(): QueryStart;
  /** Time between two daemon runs. */
  pause(): Millis;
  /** Fault of abort responses in a daemon run; undefined for none. */
  abortFault(): FaultName | undefined;
}

/** Minimum and maximum duration of each kind. */
const lengths: Readonly<Record<QueryKind, readonly [Millis, Millis]>> = {
  runaway: [15_000, 40_000],
  brief: [2000, 6000],
  unstoppable: [20_000, 60_000],
  short: [200, 1800],
  otherGraph: [3000, 30_000],
  protected: [5000, 40_000],
  observed: [5000, 40_000],
};

const weightedKinds = weighted<QueryKind>({
  runaway: 12,
  brief: 8,
  unstoppable: 6,
  short: 8,
  otherGraph: 2,
  protected: 2,
  observed: 2,
});
const weightedTriggers = weighted<KillTrigger>({ time: 3, write: 3, send: 3, answer: 2, verify: 1 });
/** Windows of a few daemon runs: budgets are exhausted at times, and allow enough aborts. */
const periods: readonly Millis[] = [5000, 5000, 6000, 10_000];
/**
 * Faults of abort responses. After a rejected abort, only the exclusion of its query prevents another request. No fault
 * rejects the credential, because the guard then sends no abort at all.
 */
const abortFaults: readonly (FaultName | undefined)[] = [
  ...Array.from({ length: 6 }, () => undefined),
  'hang_before_headers',
  'reset_mid_body',
  'status_404',
  'status_404',
  'status_500',
  'error_true_200',
];
const maxRunDuration: Millis = 5000;
/** Time in which an intent is committed, sent and answered. */
const maxKillDelay: Millis = 25;

/** Returns the random plan of a seed. */
export function createRandomPlan(seed: number): RandomPlan {
  const random = seededRandom(seed);
  const between = (least: number, most: number): number => least + random.next() * (most - least);
  // Clients run concurrently: their random numbers must not change the plan of the kills.
  const clients = seededRandom(seed * 1009 + 1);
  const drawn = (least: number, most: number): number => least + clients.next() * (most - least);
  return {
    limits: {
      perNode: pickOne([1, 2, 2], random),
      perCluster: 3,
      within: pickOne(periods, random),
      pick: pickOne(['oldest', 'newest'], random),
    },
    nodeWithoutLists: pickOne([undefined, undefined, undefined, 0, 1], random),
    nextKill() {
      const moment = pickOne(weightedTriggers, random);
      if (moment === 'time') return { moment, nth: 1, after: between(0, maxRunDuration) };
      // A third of the kills have no delay after the moment.
      const after = random.next() < 1 / 3 ? 0 : between(0, maxKillDelay);
      return { moment, nth: random.next() < 0.8 ? 1 : 2, after };
    },
    nextQuery() {
      const kind = pickOne(weightedKinds, clients);
      const [least, most] = lengths[kind];
      const node = clients.next() < 0.5 ? 0 : 1;
      return { kind, node, runsFor: Math.round(drawn(least, most)), after: drawn(50, 400) };
    },
    pause: () => (random.next() < 0.5 ? 0 : between(0, 600)),
    abortFault: () => pickOne(abortFaults, random),
  };
}

function weighted<Name extends string>(weights: Readonly<Record<Name, number>>): readonly Name[] {
  const names: Name[] = [];
  for (const name in weights) names.push(...Array.from({ length: weights[name] }, () => name));
  return names;
}

function pickOne<T>(list: readonly T[], random: Random): T {
  const index = Math.floor(random.next() * list.length);
  for (const [at, one] of list.entries()) if (at === index) return one;
  throw new Error('nothing to choose from');
}
