import type { Millis } from '../../../src/kernel/time.ts';
import type { Finding } from '../findings.ts';
import type { Fault } from '../plan/plan.ts';
import type { AbortLog } from '../simulation/log.ts';
import { processStartAt, type RecordedRun } from './recorded-run.ts';
import { findTargetQuery } from './safety.ts';

/** Aborts in a row that another guard did first, after which the guard must pause itself. */
const lostToPause = 8;
/** A query whose granted timeout is nearly over may end because of that. */
const timeoutTolerance: Millis = 6000;
/** Faults under which the responses to aborts are those of a cluster with a second guard. */
const causes: readonly Fault[] = ['another guard aborts first', 'abort response is empty'];

/** Returns how often the guard paused itself for a second guard that did not exist. */
export function needlessPauses({ plan, log }: RecordedRun): number {
  const isCaused = plan.faultPeriods.some(({ fault }) => causes.includes(fault));
  return isCaused ? 0 : log.pauses.filter(({ isForOtherGuard }) => isForOtherGuard).length;
}

/** Returns a violation if the guard continues next to a second one. */
export function otherGuardViolations(run: RecordedRun): readonly Finding[] {
  const { log } = run;
  const pauses = log.pauses.filter(({ isForOtherGuard }) => isForOtherGuard);
  const since = lostInRowAt(run);
  const later = log.aborts.find(
    ({ sentAt }) => since !== undefined && sentAt > since && sentAt <= nextRestart(run, since),
  );
  const isPaused = pauses.some(({ at }) => since !== undefined && at <= since);
  return later === undefined || isPaused
    ? []
    : [{ kind: 'not paused', about: `${later.order.id} at ${later.sentAt}, after ${lostToPause} by another guard` }];
}

/** Returns when the outcome was known of the last of so many aborts in a row. */
function lostInRowAt(run: RecordedRun): Millis | undefined {
  let count = 0;
  let before = 0;
  for (const { key, outcome, at } of run.log.outcomes) {
    const abort = run.log.aborts.find(({ order }) => order.key === key);
    if (abort === undefined || isAtTimeout(run, abort)) continue;
    if (processStartAt(run, before) !== processStartAt(run, at) || outcome === 'confirmed') count = 0;
    before = at;
    if (outcome === 'finished_first') count += 1;
    if (count === lostToPause) return at;
  }
  return undefined;
}

function isAtTimeout(run: RecordedRun, abort: AbortLog): boolean {
  const { beganAt = 0, grantedTimeout = Number.POSITIVE_INFINITY } = findTargetQuery(run, abort) ?? {};
  return abort.sentAt > beganAt + grantedTimeout - timeoutTolerance;
}

function nextRestart({ log }: RecordedRun, at: Millis): Millis {
  return Math.min(...log.downtimes.map(({ from }) => from).filter((from) => from > at));
}
