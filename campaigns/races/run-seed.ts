import { evaluateRun, type RunResult } from './oracle/evaluate.ts';
import { createPlan } from './plan/create-plan.ts';
import { simulate } from './simulation/simulation.ts';

/** Simulates the plan of a seed and evaluates the run. An exception of the guard is a finding too. */
export function runSeed(seed: number): RunResult {
  const plan = createPlan(seed);
  try {
    return evaluateRun({ plan, log: simulate(plan) });
  } catch (error) {
    const about = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const nothing = {
      aborts: 0,
      misdirected: 0,
      victims: 0,
      aborted: 0,
      missed: [],
      confirmedBefore: [],
      confirmedAfter: [],
      outcomes: 0,
      reported: 0,
      needlessPauses: 0,
    };
    return { ...nothing, seed, kind: plan.kind, findings: [{ kind: 'bug', about }] };
  }
}
