import type { Millis } from '../../src/kernel/time.ts';
import { type Evidence, findingKinds, type InjectedFault } from './evidence.ts';
import { abortsOf, repeatedTriggers } from './oracle/evaluate.ts';
import { type Move, movesOf } from './oracle/moves.ts';
import { usualLease } from './program.ts';
import type { ScenarioResult } from './scenario.ts';

/** Longest time without a poll of a cluster, beyond the length of a lease, in ms at the 99th percentile. */
const takeoverBar: Millis = 5000;
/** The same after SIGTERM, without a lease. */
const handoverBar: Millis = 2000;

/** Returns the summary of a campaign as lines of text. */
export function summaryLines(results: readonly ScenarioResult[]): readonly string[] {
  const evidence = results.map((result) => result.evidence);
  const faults = evidence.flatMap((one) => one.faults);
  const moves = evidence.flatMap(movesOf);
  const sum = (count: (one: Evidence) => number): number => evidence.reduce((total, one) => total + count(one), 0);
  const names = [...new Set(faults.map(({ name }) => name))].toSorted();
  const skewed = sum(({ runs }) => runs.filter(({ skew }) => skew !== 0).length);
  const moved = (kind: Move['kind']): number => moves.filter((move) => move.kind === kind).length;
  return [
    `${faults.length} faults (${countsOf(faults.map(({ moment }) => moment))}), ${faults.filter(({ isOverlapped }) => isOverlapped).length} of them overlapped`,
    `${moved('takeover') + moved('handover')} failovers of clusters: ${moved('takeover')} after the end of a lease, ` +
      `${moved('handover')} at SIGTERM; ${moved('balance')} clusters given to another replica`,
    `${sum(({ runs }) => runs.length)} starts of replicas, ${skewed} of them with a wall clock that is an hour wrong`,
    `${sum((one) => abortsOf(one).length)} aborts, ${sum(({ notifications }) => notifications.length)} notifications, ` +
      `${sum(repeatedTriggers)} of them repeated, ${sum(({ writes }) => writes.length)} writes, ` +
      `${sum(({ leases }) => leases.length)} changes of leases, ${sum(({ outages }) => outages.length)} outages`,
    ...names.map((name) => `${name}: ${ofKind(faults, name).length} times, ${faultSummary(evidence, moves, name)}`),
    ...slowFaults(results),
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

/** Returns the kinds of faults after which clusters were polled again later than allowed, as lines of text. */
export function slowFaults(results: readonly ScenarioResult[]): readonly string[] {
  const evidence = results.map((result) => result.evidence);
  const lease = Math.max(usualLease, ...evidence.map((one) => one.lease));
  const bars = { kill: lease + takeoverBar, stall: lease + takeoverBar, terminate: handoverBar };
  return Object.entries(bars).flatMap(([name, bar]) => {
    const slowest = percentile(gapsOf(evidence, name), 0.99);
    return slowest > bar ? [`TOO LATE: ${name}: ${seconds(slowest)} at p99, more than ${seconds(bar)}`] : [];
  });
}

function faultSummary(evidence: readonly Evidence[], moves: readonly Move[], name: string): string {
  const failovers = moves.filter(({ kind, fault }) => kind !== 'balance' && fault?.name === name).length;
  const gaps = gapsOf(evidence, name);
  const times = `${seconds(percentile(gaps, 0.5))} (p50), ${seconds(percentile(gaps, 0.99))} (p99), ${seconds(gaps.at(-1) ?? 0)} (longest)`;
  return `${failovers} failovers; longest time without a poll of ${gaps.length} clusters: ${times}`;
}

/**
 * Returns the longest times without a poll of the clusters that a fault moved, sorted; of a fault that moved none, those of all
 * clusters. Faults that overlap are not counted, because each of them adds to the time of the other.
 */
function gapsOf(evidence: readonly Evidence[], name: string): readonly number[] {
  return evidence
    .flatMap((one) => {
      const failovers = movesOf(one).filter(({ kind }) => kind !== 'balance');
      return ofKind(one.faults, name).flatMap((fault) => {
        if (fault.isOverlapped) return [];
        const moved = new Set(failovers.filter((move) => move.fault === fault).map(({ cluster }) => cluster));
        return Object.entries(fault.gaps).flatMap(([cluster, gap]) =>
          moved.size === 0 || moved.has(cluster) ? [gap] : [],
        );
      });
    })
    .toSorted((one, other) => one - other);
}

function ofKind(faults: readonly InjectedFault[], name: string): readonly InjectedFault[] {
  return faults.filter((fault) => fault.name === name);
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
