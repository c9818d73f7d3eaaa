import type { Millis } from '../../src/kernel/time.ts';
import { seededRandom } from '../../src/simulator/seeded-random.ts';
import type { StatementPhase } from './database-proxy.ts';

/** Faults of replicas, and of the way between one replica and the database. */
export const replicaFaults = [
  'kill',
  'terminate',
  'stall',
  'partition',
  'cut',
  'delay',
  'lost replies',
  'late answer',
  'late commit',
] as const;

/** Faults of the database. */
export const databaseFaults = ['database restart', 'database failover'] as const;

/** Long outage of the database; only used on request. */
export const outage = 'database outage' as const;

/** All faults. */
export const allFaults = [...replicaFaults, ...databaseFaults, outage] as const;

/** Faults that need no database. */
export const processFaults: readonly FaultName[] = ['kill', 'terminate', 'stall'];

/** One of {@link allFaults}. */
export type FaultName = (typeof allFaults)[number];

/** Moment that a fault waits for. */
export type FaultMoment =
  | { readonly kind: 'time'; readonly after: Millis }
  /** Arrival of a request with an effect. */
  | { readonly kind: 'abort' | 'notification'; readonly after: Millis }
  /** Statement about a table, or the end of its transaction: before the database gets it, or before the replica knows the result. */
  | { readonly kind: 'statement'; readonly table: string; readonly phase: StatementPhase };

/** One fault, its moment and its length. */
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

/** A fault, and often another one that begins before it is over. */
export interface PlannedRound {
  readonly first: PlannedFault;
  /** A fault of another replica. */
  readonly second?: PlannedFault & { readonly moment: { readonly kind: 'time' } };
}

/** Random decisions of one scenario. The same seed gives the same decisions. */
export interface RandomPlan {
  nextRound(): PlannedRound;
  nextQuery(): { readonly runsFor: Millis; readonly after: Millis; readonly outlivesAborts: boolean };
  nextOutage(): { readonly before: Millis; readonly length: Millis };
  /** A service that is down for a moment, which need not be notified. */
  nextFlap(): { readonly before: Millis; readonly length: Millis };
  nextSkew(): Millis;
}

/** Options from which a plan chooses. */
export interface PlanOptions {
  readonly seed: number;
  readonly replicas: number;
  /** Length of a lease. */
  readonly lease: Millis;
  readonly faults: readonly FaultName[];
  /** Moments to choose from; by default all. */
  readonly moments?: readonly FaultMoment[] | undefined;
  /** Length of faults, in lengths of a lease. */
  readonly length?: number | undefined;
}

/** Length of the shortest outage, which must be notified whatever the fault. */
const minOutage: Millis = 45_000;

const hour = 3_600_000;

/** Time after which the guard has verified an abort, whatever its outcome. */
const verification: Millis = 45_000;

/** Returns the moment of a statement. */
export function statementMoment(table: string, phase: StatementPhase): FaultMoment {
  return { kind: 'statement', table, phase };
}

const statementTables = ['guard_intents', 'lanes'] as const;
const phases: readonly StatementPhase[] = ['request', 'reply', 'commit request', 'commit reply'];

/** Faults whose moment is always the same kind of statement. */
const ownMoments: Partial<Record<FaultName, readonly FaultMoment[]>> = {
  'late answer': [statementMoment('INSERT INTO replicas', 'commit reply')],
  'late commit': statementTables.map((table) => statementMoment(table, 'commit request')),
};

/** Returns the random plan of a seed. */
export function createPlan({ seed, replicas, lease, faults, moments, length }: PlanOptions): RandomPlan {
  const random = seededRandom(seed);
  const between = (least: number, most: number): number => least + random.next() * (most - least);
  const pick = <T>(list: readonly T[]): T => {
    const chosen = list[Math.floor(random.next() * list.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  };
  const nextSkew = (): Millis => pick([0, 0, hour, -hour]);
  const anyMoment = (): FaultMoment => {
    const kind = pick(['time', 'abort', 'notification', 'statement', 'statement'] as const);
    if (kind === 'statement') return statementMoment(pick(statementTables), pick(phases));
    return { kind, after: kind === 'time' ? between(0, 3000) : pick([0, between(0, 50)]) };
  };
  const momentOf = (name: FaultName): FaultMoment => {
    const own = moments ?? ownMoments[name];
    return own === undefined ? anyMoment() : pick(own);
  };
  const nextFault = (name: FaultName): PlannedFault => ({
    name,
    moment: momentOf(name),
    length: length === undefined ? between(lease + 1000, 1.25 * lease + 4000) : length * lease,
    replica: Math.floor(between(0, replicas)),
    delay: between(150, 2500),
    isHard: random.next() < 0.5,
    skew: nextSkew(),
  });
  const second = faults.filter((name) => replicaFaults.some((one) => one === name) && ownMoments[name] === undefined);
  return {
    nextRound() {
      const first = nextFault(pick(faults));
      if (replicas < 3 || second.length === 0 || moments !== undefined || random.next() < 0.5) return { first };
      const other = nextFault(pick(second));
      return { first, second: { ...other, moment: { kind: 'time', after: between(0, 0.8 * lease) } } };
    },
    nextQuery: () => {
      const outlivesAborts = random.next() < 0.15;
      // Longer than the guard verifies its end: from then on, only the stored abort prevents another one.
      const longer = outlivesAborts ? verification : 0;
      return { runsFor: longer + between(8000, 60_000), after: between(800, 4000), outlivesAborts };
    },
    nextOutage: () => ({ before: between(12_000, 25_000), length: between(minOutage, minOutage + 10_000) }),
    nextFlap: () => ({ before: between(5000, 12_000), length: between(2000, 5000) }),
    nextSkew,
  };
}
