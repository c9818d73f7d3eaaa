import type { Millis } from '../../src/kernel/time.ts';
import type { Finding } from '../findings.ts';
import type { Kind } from '../plan/plan.ts';
import { isCovered } from './cover.ts';
import { harmOf } from './harm.ts';
import { type Victim, victimsOf } from './legit.ts';
import { excessOf, overloadOf } from './limits.ts';
import { endsOf } from './outcomes.ts';
import type { Trial } from './trial.ts';

/** What came of one run. */
export interface Verdict {
  readonly seed: number;
  readonly kind: Kind;
  readonly findings: readonly Finding[];
  readonly aborts: number;
  /** Aborts that got to another machine where nobody could have known of it. */
  readonly astray: number;
  readonly victims: number;
  /** Of these, those that were aborted in time. */
  readonly aborted: number;
  /** Seeds are enough to look into those that were not. */
  readonly missed: readonly string[];
  /** In a healthy run: from E to the abort on the wire, of those confirmed before M and of the others. */
  readonly foreseen: readonly Millis[];
  readonly unforeseen: readonly Millis[];
  readonly ends: number;
  readonly told: number;
}

/** At more than this a minute on a node nothing is promised of the reaction. */
const mostAMinute = 3;

/** Judges a run by what truly happened. */
export function judge(trial: Trial): Verdict {
  const { plan, log } = trial;
  const isHealthy = plan.kind === 'healthy';
  const victims = victimsOf(trial);
  const aborted = victims.filter(({ abortedAt }) => abortedAt !== undefined);
  const ends = isHealthy ? endsOf(trial) : { all: 0, told: 0, findings: [] };
  const timely = isHealthy ? aborted.filter((one) => !isBusy(trial, one)) : [];
  return {
    seed: plan.seed,
    kind: plan.kind,
    findings: [...harmOf(trial), ...excessOf(trial), ...overloadOf(trial), ...ends.findings],
    aborts: log.aborts.length,
    astray: log.aborts.filter((one) => one.machine !== one.order.node && isCovered(trial, one) === undefined).length,
    victims: victims.length,
    aborted: aborted.length,
    missed: victims.filter((one) => !aborted.includes(one)).map(told),
    foreseen: timely.filter(({ isForeseen }) => isForeseen).map(reaction),
    unforeseen: timely.filter(({ isForeseen }) => !isForeseen).map(reaction),
    ends: ends.all,
    told: ends.told,
  };
}

function told({ query, policy, due }: Victim): string {
  return `${query.id} on ${query.node} by ${policy.name} at ${due}`;
}

function reaction({ due, abortedAt = due }: Victim): Millis {
  return abortedAt - due;
}

function isBusy({ log }: Trial, { query, due }: Victim): boolean {
  const near = log.aborts.filter(({ order, sentAt }) => order.node === query.node && Math.abs(sentAt - due) < 60_000);
  return near.length > mostAMinute;
}
