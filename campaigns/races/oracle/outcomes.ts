import type { Outcome } from '../../../src/guard/decision/decision.ts';
import type { Millis } from '../../../src/kernel/time.ts';
import type { Finding } from '../findings.ts';
import type { AbortLog } from '../simulation/log.ts';
import type { RecordedRun } from './recorded-run.ts';
import { findTargetQuery } from './safety.ts';

/** Outcomes that the guard reported for the aborts of a healthy run. */
export interface OutcomeSummary {
  /** Aborts whose deadline is before the end of the run. */
  readonly all: number;
  /** Aborts with an outcome other than `unknown` before the deadline. */
  readonly reported: number;
  readonly findings: readonly Finding[];
}

const deadline: Millis = 35_000;

/** Returns outcomes that contradict whether the abort request was written. After a crash the guard may not know it. */
export function sendingViolations({ log }: RecordedRun): readonly Finding[] {
  return log.outcomes.flatMap(({ key, outcome, at }) => {
    const isUnsent = outcome === 'not_sent' || outcome === 'withdrawn';
    // After a crash, the key of an intent that was never stored is used again.
    const wasWritten = log.aborts.some(({ order, sentAt }) => order.key === key && sentAt <= at);
    const isTrue = isUnsent ? !wasWritten : wasWritten || log.downtimes.length > 0;
    return isTrue ? [] : [{ kind: 'wrong outcome' as const, about: `${key}: ${outcome}, written: ${wasWritten}` }];
  });
}

/** Compares the reported outcome of each abort with the log of the simulation. */
export function summarizeOutcomes(run: RecordedRun): OutcomeSummary {
  const { plan, log } = run;
  const due = log.aborts.filter(({ sentAt }) => sentAt + deadline < plan.length);
  const ends = due.map((abort) => ({ abort, end: log.outcomes.find(({ key }) => key === abort.order.key) }));
  const reported = ends.filter(
    ({ abort, end }) => end !== undefined && end.at <= abort.sentAt + deadline && end.outcome !== 'unknown',
  );
  const findings = reported.flatMap(({ abort, end }) => {
    const right = expectedOutcomes(run, abort);
    if (end === undefined || right.includes(end.outcome)) return [];
    return [{ kind: 'wrong outcome' as const, about: `${abort.order.id}: ${end.outcome} for ${right.join(' or ')}` }];
  });
  return { all: due.length, reported: reported.length, findings };
}

/** Returns the outcomes that are correct for the state of the query at the deadline. */
function expectedOutcomes(run: RecordedRun, abort: AbortLog): readonly Outcome[] {
  if (abort.queryNumber === undefined) return ['finished_first'];
  const query = findTargetQuery(run, abort);
  const { sentAt } = abort;
  if (query === undefined || query.isAborted) return ['confirmed'];
  if (query.endedAt > sentAt + deadline) return ['still_running'];
  return query.endedAt < sentAt + 25_000 ? ['confirmed'] : ['confirmed', 'still_running'];
}
