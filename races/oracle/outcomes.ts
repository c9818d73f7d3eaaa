import type { Outcome } from '../../src/guard/decision/decision.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { Finding } from '../findings.ts';
import type { AbortLog } from '../world/log.ts';
import { targetQuery } from './harm.ts';
import type { Trial } from './trial.ts';

/** How the aborts of a healthy run were said to end. */
export interface Ends {
  /** Those whose time was over before the run was. */
  readonly all: number;
  /** Of them, those with an outcome in time that is not `unknown`. */
  readonly told: number;
  readonly findings: readonly Finding[];
}

const deadline: Millis = 35_000;

/** Holds what is said of each abort against what became of it. */
export function endsOf(trial: Trial): Ends {
  const { plan, log } = trial;
  const due = log.aborts.filter(({ sentAt }) => sentAt + deadline < plan.length);
  const ends = due.map((abort) => ({ abort, end: log.outcomes.find(({ key }) => key === abort.order.key) }));
  const told = ends.filter(
    ({ abort, end }) => end !== undefined && end.at <= abort.sentAt + deadline && end.outcome !== 'unknown',
  );
  const findings = told.flatMap(({ abort, end }) => {
    const right = rightOutcomes(trial, abort);
    if (end === undefined || right.includes(end.outcome)) return [];
    return [{ kind: 'wrong outcome' as const, about: `${abort.order.id}: ${end.outcome} for ${right.join(' or ')}` }];
  });
  return { all: due.length, told: told.length, findings };
}

/** By what truly became of the query until the deadline. */
function rightOutcomes(trial: Trial, abort: AbortLog): readonly Outcome[] {
  if (abort.hit === undefined) return ['finished_first'];
  const query = targetQuery(trial, abort);
  const { sentAt } = abort;
  if (query === undefined || query.isAborted) return ['confirmed'];
  if (query.endedAt > sentAt + deadline) return ['still_running'];
  return query.endedAt < sentAt + 25_000 ? ['confirmed'] : ['confirmed', 'still_running'];
}
