import type { Millis } from '../../../../src/kernel/time.ts';
import { runAt } from '../../evidence.ts';
import { abortRequests, type Evidence, type Finding, isList } from '../evidence.ts';
import { evaluateBudgets } from './budgets.ts';
import { findWrongRequests } from './requests.ts';
import { findWrongRows } from './rows.ts';

/** Result of the evaluation. */
export interface Evaluation {
  readonly findings: readonly Finding[];
  /** One entry per daemon run. */
  readonly opportunities: readonly RunOpportunity[];
  readonly delayed: number;
  readonly minDelay: number;
}

/** Evaluates the requests and audit rows of the daemon against the log of the simulated cluster. */
export function evaluate(evidence: Evidence): Evaluation {
  const { findings, delayed, minDelay } = evaluateBudgets(evidence);
  return {
    findings: [...findWrongRequests(evidence), ...findings, ...findWrongRows(evidence)],
    opportunities: runOpportunities(evidence),
    delayed: delayed,
    minDelay: minDelay,
  };
}

/** Result of one daemon run. */
export interface RunOpportunity {
  /** True if the run was long enough for an abort and the budgets allowed one. */
  readonly couldAbort: boolean;
  /** Number of abort requests of the run. */
  readonly requests: number;
}

/** Time for two observations, the grace period and a fresh list, with a margin for a busy machine. */
const minRunTime: Millis = 2500;
/** Minimum time for which the budgets have to allow an abort. */
const minBudgetTime: Millis = 700;
const step: Millis = 100;

/** Returns per daemon run whether it could abort a query and how many it aborted. An idle guard proves nothing. */
export function runOpportunities(evidence: Evidence): readonly RunOpportunity[] {
  const { runs, calls } = evidence;
  const requests = abortRequests(evidence);
  return runs.map(({ from, killedAt = Number.POSITIVE_INFINITY }, index) => {
    const count = requests.filter(({ at }) => runAt(runs, at) === index).length;
    const first = calls.find((call) => isList(call) && call.at >= from && call.at < killedAt)?.at;
    const isFree = first !== undefined && hadBudget(evidence, first + minRunTime, Math.min(killedAt, first + 60_000));
    return { couldAbort: count > 0 || isFree, requests: count };
  });
}

function hadBudget({ rows, limits, startedQueries }: Evidence, from: number, until: number): boolean {
  const nodes = [...new Set(startedQueries.map(({ node }) => node))];
  const isFree = (at: number): boolean => {
    const spent = rows.filter((row) => row.at <= at && row.at > at - limits.within);
    if (spent.length >= limits.perCluster) return false;
    return nodes.some((node) => spent.filter((row) => row.node === node).length < limits.perNode);
  };
  let free = 0;
  for (let at = from; at <= until && free < minBudgetTime; at += step) free = isFree(at) ? free + step : 0;
  return free >= minBudgetTime;
}
