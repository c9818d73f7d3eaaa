import type { CrashRunResult } from './crash-run.ts';
import { type Finding, findingKinds, isAbort } from './evidence.ts';
import { wasInterrupted } from './oracle/rows.ts';
import { killTriggers } from './plan.ts';

/** Totals of many scenarios. */
export interface CrashSummary {
  readonly kills: number;
  readonly killsByMoment: Readonly<Record<string, number>>;
  /** Kills whose moment did not come. */
  readonly missed: number;
  /** Daemon runs that could abort a query, and runs that aborted one. */
  readonly runsWithOpportunity: number;
  readonly runsWithAbort: number;
  readonly requests: number;
  readonly unanswered: number;
  readonly intents: number;
  /** Intents without a request that were not withdrawn, because the kill came in between. */
  readonly interrupted: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Requests that had to wait for a budget, and their minimum delay in ms after the budget allowed them. */
  readonly delayed: number;
  readonly minDelay: number;
  readonly findings: Readonly<Record<string, number>>;
}

/** Adds up the results of scenarios. */
export function summarize(results: readonly CrashRunResult[]): CrashSummary {
  const runs = results.flatMap((result) => result.runs);
  const opportunities = results.flatMap((result) => result.opportunities);
  const rows = results.flatMap(({ evidence }) => evidence.rows);
  const sum = (count: (one: CrashRunResult) => number): number => results.reduce((all, one) => all + count(one), 0);
  return {
    kills: runs.length,
    killsByMoment: counted(runs.map(({ moment }) => moment)),
    missed: runs.filter(({ hasCome }) => !hasCome).length,
    runsWithOpportunity: opportunities.filter(({ couldAbort }) => couldAbort).length,
    runsWithAbort: opportunities.filter(({ requests }) => requests > 0).length,
    requests: sum(({ evidence }) => evidence.calls.filter(isAbort).length),
    unanswered: sum(({ unanswered }) => unanswered),
    intents: rows.length,
    interrupted: sum(({ evidence }) => evidence.rows.filter((row) => wasInterrupted(row, evidence)).length),
    outcomes: counted(rows.map(({ outcome }) => outcome ?? 'none')),
    delayed: sum(({ delayed }) => delayed),
    minDelay: Math.min(...results.map(({ minDelay }) => minDelay), Number.POSITIVE_INFINITY),
    findings: counted(results.flatMap((result) => result.findings).map(({ kind }) => kind)),
  };
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Returns the totals as lines of text. */
export function summaryLines(summary: CrashSummary): readonly string[] {
  const { kills, killsByMoment, outcomes, findings } = summary;
  const moments = killTriggers.map((moment) => `${moment} ${killsByMoment[moment] ?? 0}`).join(', ');
  const outcomeCounts = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  const kinds: readonly Finding['kind'][] = findingKinds;
  return [
    `${kills} runs ended by kill -9 (${moments}; ${summary.missed} after a timeout)`,
    `runs with time and budget for an abort: ${summary.runsWithOpportunity}, ${summary.runsWithAbort} of them with an abort request`,
    `abort requests: ${summary.requests}, ${summary.unanswered} of them without a response at the kill`,
    `intents: ${summary.intents}, ${summary.interrupted} of them without a request because of the kill`,
    `outcomes: ${outcomeCounts.join(', ')}`,
    `requests delayed by a budget: ${summary.delayed}; minimum delay after the budget allowed them: ${summary.minDelay} ms`,
    ...kinds.map((kind) => `${kind}: ${findings[kind] ?? 0}`),
  ];
}

/** Returns true if all guarantees held. */
export function hasNoFindings({ findings }: CrashSummary): boolean {
  return Object.keys(findings).length === 0;
}

/** Returns true if enough aborts happened for a significant result. */
export function isSignificant({ runsWithOpportunity, runsWithAbort }: CrashSummary): boolean {
  return runsWithAbort > 0 && runsWithAbort * 2 >= runsWithOpportunity;
}
