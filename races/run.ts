import { judge, type Verdict } from './oracle/judge.ts';
import { planOf } from './plan/scene.ts';
import { race } from './world/race.ts';

/** Plays the scene that a seed stands for, and judges it. A guard that throws is a finding too. */
export function runOf(seed: number): Verdict {
  const plan = planOf(seed);
  try {
    return judge({ plan, log: race(plan) });
  } catch (error) {
    const about = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const nothing = {
      aborts: 0,
      astray: 0,
      victims: 0,
      aborted: 0,
      missed: [],
      foreseen: [],
      unforeseen: [],
      ends: 0,
      told: 0,
    };
    return { ...nothing, seed, kind: plan.kind, findings: [{ kind: 'bug', about }] };
  }
}
