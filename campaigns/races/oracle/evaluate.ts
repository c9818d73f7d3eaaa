import type { Millis } from '../../../src/kernel/time.ts';
import type { Finding } from '../findings.ts';
import type { ScenarioKind } from '../plan/plan.ts';
import { coverageFault } from './coverage.ts';
import { limitViolations, listRateViolations } from './limits.ts';
import { type LegitimateVictim, legitimateVictims } from './liveness.ts';
import { needlessPauses, otherGuardViolations } from './other-guard.ts';
import { sendingViolations, summarizeOutcomes } from './outcomes.ts';
import type { RecordedRun } from './recorded-run.ts';
import { safetyViolations } from './safety.ts';

/** Result of one run. */
export interface RunResult {
  readonly seed: number;
  readonly kind: ScenarioKind;
  readonly findings: readonly Finding[];
  readonly aborts: number;
  /** Aborts that reached another machine when the guard could not know it. */
  readonly misdirected: number;
  readonly victims: number;
  /** Victims that were aborted in time. */
  readonly aborted: number;
  /** Descriptions of the victims that were not aborted in time. */
  readonly missed: readonly string[];
  /**
   * In a healthy run, times from the earliest abort time to the abort request: of victims that were confirmed before their match
   * time, and of the others.
   */
  readonly confirmedBefore: readonly Millis[];
  readonly confirmedAfter: readonly Millis[];
  readonly outcomes: number;
  readonly reported: number;
  /** Pauses for a second guard that did not exist. */
  readonly needlessPauses: number;
}

/** Number of aborts per minute and node above which the reaction time has no target. */
const maxAbortsPerMinute = 3;

/** Evaluates a run against the log of the simulation. */
export function evaluateRun(run: RecordedRun): RunResult {
  const { plan, log } = run;
  const isHealthy = plan.kind === 'healthy';
  const victims = legitimateVictims(run);
  const aborted = victims.filter(({ abortedAt }) => abortedAt !== undefined);
  const outcomes = isHealthy ? summarizeOutcomes(run) : { all: 0, reported: 0, findings: [] };
  const healthy = isHealthy ? aborted.filter((one) => !isBusy(run, one)) : [];
  return {
    seed: plan.seed,
    kind: plan.kind,
    findings: [
      ...safetyViolations(run),
      ...limitViolations(run),
      ...listRateViolations(run),
      ...sendingViolations(run),
      ...otherGuardViolations(run),
      ...outcomes.findings,
    ],
    aborts: log.aborts.length,
    misdirected: log.aborts.filter((one) => one.machine !== one.order.node && coverageFault(run, one) === undefined)
      .length,
    victims: victims.length,
    aborted: aborted.length,
    missed: victims.filter((one) => !aborted.includes(one)).map(describeVictim),
    confirmedBefore: healthy.filter(({ isConfirmedBeforeMatch }) => isConfirmedBeforeMatch).map(reactionTime),
    confirmedAfter: healthy.filter(({ isConfirmedBeforeMatch: isForeseen }) => !isForeseen).map(reactionTime),
    outcomes: outcomes.all,
    reported: outcomes.reported,
    needlessPauses: needlessPauses(run),
  };
}

function describeVictim({ query, policy, due }: LegitimateVictim): string {
  return `${query.id} on ${query.node} by ${policy.name} at ${due}`;
}

function reactionTime({ due, abortedAt = due }: LegitimateVictim): Millis {
  return abortedAt - due;
}

function isBusy({ log }: RecordedRun, { query, due }: LegitimateVictim): boolean {
  const near = log.aborts.filter(({ order, sentAt }) => order.node === query.node && Math.abs(sentAt - due) < 60_000);
  return near.length > maxAbortsPerMinute;
}
