import type { Millis } from '../../src/kernel/time.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';

/** Faults of replicas, and of the way between one replica and the database. */
export const replicaFaults = ['kill', 'terminate', 'stall', 'partition', 'cut', 'delay', 'lost replies'] as const;

/** Faults of the database. */
export const databaseFaults = ['database restart', 'database failover'] as const;

/** One of {@link replicaFaults} or {@link databaseFaults}. */
export type FaultName = (typeof replicaFaults)[number] | (typeof databaseFaults)[number];

/** Moment that a fault waits for. */
export type FaultMoment =
  | { readonly kind: 'time'; readonly after: Millis }
  /** Arrival of a request with an effect. */
  | { readonly kind: 'abort' | 'notification'; readonly after: Millis }
  /** Statement that writes to a table: before the database gets it, or before the replica knows the result. */
  | { readonly kind: 'statement'; readonly table: 'guard_intents' | 'lanes'; readonly phase: 'request' | 'reply' };

/** One round: a fault, its moment and its length. */
export interface PlannedFault {
  readonly name: FaultName;
  readonly moment: FaultMoment;
  readonly length: Millis;
  /** Replica that the fault hits, unless its moment decides that. */
  readonly replica: number;
  /** Delay of packets; time until a killed replica is started again. */
  readonly delay: Millis;
  /** Whether bytes that a partition kept are lost in the end, and whether a database restart is a crash. */
  readonly isHard: boolean;
  /** Time by which the wall clock of a replica that is started again is ahead. */
  readonly skew: Millis;
}

/** Random decisions of one scenario. The same seed gives the same decisions. */
export interface RandomPlan {
  nextFault(): PlannedFault;
  nextQuery(): { readonly runsFor: Millis; readonly after: Millis; readonly outlivesAborts: boolean };
  nextOutage(): { readonly before: Millis; readonly length: Millis };
  nextSkew(): Millis;
}

/** Length of the shortest outage, which must be notified whatever the fault. */
const minOutage: Millis = 45_000;

const hour = 3_600_000;

/** Returns the random plan of a seed. */
export function createPlan(seed: number, replicas: number, faults: readonly FaultName[]): RandomPlan {
  const random = seededRandom(seed);
  const between = (least: number, most: number): number => least + random.next() * (most - least);
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[Math.floor(random.next() * list.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  };
  const nextSkew = (): Millis => pick([0, 0, hour, -hour]);
  const nextMoment = (): FaultMoment => {
    const kind = pick(['time', 'abort', 'notification', 'statement', 'statement'] as const);
    if (kind === 'statement') {
      return { kind, table: pick(['guard_intents', 'lanes'] as const), phase: pick(['request', 'reply'] as const) };
    }
    return { kind, after: kind === 'time' ? between(0, 3000) : pick([0, between(0, 50)]) };
  };
  return {
    nextFault: () => ({
      name: pick(faults),
      moment: nextMoment(),
      length: between(11_000, 17_000),
      replica: Math.floor(between(0, replicas)),
      delay: between(150, 2500),
      isHard: random.next() < 0.5,
      skew: nextSkew(),
    }),
    nextQuery: () => {
      const outlivesAborts = random.next() < 0.15;
      return { runsFor: between(8000, 60_000), after: between(1500, 5000), outlivesAborts };
    },
    nextOutage: () => ({ before: between(12_000, 25_000), length: between(minOutage, minOutage + 10_000) }),
    nextSkew,
  };
}
