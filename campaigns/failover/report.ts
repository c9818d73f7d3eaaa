import { type Evidence, findingKinds } from './evidence.ts';
import { abortsOf, repeatedTriggers } from './oracle/evaluate.ts';
import type { FaultName } from './plan.ts';
import type { ScenarioResult } from './scenario.ts';

/** Bounds of the time without a poll, in ms at the 99th percentile. */
const bars: Partial<Record<FaultName, number>> = { kill: 15_000 };

/** Returns the summary of a campaign as lines of text. */
export function summaryLines(results: readonly ScenarioResult[]): readonly string[] {
  const evidence = results.map((result) => result.evidence);
  const faults = evidence.flatMap((one) => one.faults);
  const sum = (count: (one: Evidence) => number): number => evidence.reduce((total, one) => total + count(one), 0);
  const names = [...new Set(faults.map(({ name }) => name))].toSorted();
  const moments = countsOf(faults.map(({ moment }) => moment));
  const skewed = sum(({ runs }) => runs.filter(({ skew }) => skew !== 0).length);
  return [
    `${faults.length} faults (${moments})`,
    `${sum(({ runs }) => runs.length)} starts of replicas, ${skewed} of them with a wall clock that is an hour wrong`,
    `${sum((one) => abortsOf(one).length)} aborts, ${sum(({ notifications }) => notifications.length)} notifications, ` +
      `${sum(repeatedTriggers)} of them repeated, ${sum(({ writes }) => writes.length)} writes, ` +
      `${sum(({ leases }) => leases.length)} changes of leases, ${sum(({ outages }) => outages.length)} outages`,
    ...names.map((name) => {
      const times = longestGaps(evidence, name);
      return `${name}: ${times.length} times, polled again after ${seconds(percentile(times, 0.5))} (p50), ${seconds(percentile(times, 0.99))} (p99)`;
    }),
    ...slowFaults(evidence),
    ...findingKinds.map((kind) => {
      return `${kind}: ${results.flatMap(({ findings }) => findings).filter((one) => one.kind === kind).length}`;
    }),
  ];
}

/** Whether the scenarios had enough effects for a significant result. */
export function isSignificant(results: readonly ScenarioResult[]): boolean {
  return results.every(
    ({ evidence }) => abortsOf(evidence).length >= evidence.faults.length && evidence.faults.length > 0,
  );
}

/** Returns the faults after which clusters were polled again later than allowed, as lines of text. */
export function slowFaults(evidence: readonly Evidence[]): readonly string[] {
  return Object.entries(bars).flatMap(([name, bar]) => {
    const slowest = percentile(longestGaps(evidence, name), 0.99);
    return slowest > bar ? [`TOO LATE: ${name}: ${seconds(slowest)} at p99, more than ${seconds(bar)}`] : [];
  });
}

/** Returns the longest times without a poll, one for each fault, sorted. */
function longestGaps(evidence: readonly Evidence[], name: string): readonly number[] {
  const faults = evidence.flatMap((one) => one.faults).filter((fault) => fault.name === name);
  return faults
    .map(({ recoveries }) => Math.max(0, ...recoveries.map(({ after }) => after)))
    .toSorted((one, other) => one - other);
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

function countsOf(names: readonly string[]): string {
  const all = [...new Set(names)].toSorted();
  return all.map((name) => `${name} ${names.filter((one) => one === name).length}`).join(', ');
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
