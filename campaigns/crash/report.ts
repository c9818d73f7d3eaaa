import { type Disturbance, type Finding, findingKinds } from './evidence.ts';
import type { Deliveries } from './oracle/deliveries.ts';
import { moments } from './plan.ts';
import type { ScenarioResult } from './scenario.ts';

/** Results of many scenarios, in numbers. */
export interface CampaignSummary {
  readonly kills: number;
  readonly killsByMoment: Readonly<Record<string, number>>;
  /** Runs in which a receiver accepted a notification. */
  readonly runsWithDelivery: number;
  readonly delivered: number;
  readonly deliveredTo: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly unansweredAtKill: number;
  readonly slowestStoring: number;
  readonly duplicates: number;
  readonly unanswered: number;
  readonly reloaded: number;
  readonly diskFaults: number;
  readonly reloads: number;
  readonly digestLines: number;
  readonly spans: number;
  readonly missedReplies: number;
  readonly findings: Readonly<Record<Finding['kind'], number>>;
}

/** Sums the results of scenarios. */
export function summarize(results: readonly ScenarioResult[]): CampaignSummary {
  const runs = results.flatMap((result) => result.runs);
  const deliveries = results.flatMap((result) => result.deliveries);
  const sum = (count: (one: Deliveries) => number): number => deliveries.reduce((all, one) => all + count(one), 0);
  const findings = results.flatMap((result) => result.findings);
  return {
    kills: runs.length,
    killsByMoment: Object.fromEntries(
      moments.map((moment) => [moment, runs.filter((run) => run.moment === moment).length]),
    ),
    runsWithDelivery: runs.filter(({ delivered }) => delivered).length,
    delivered: sum(({ delivered }) => delivered),
    deliveredTo: deliveredTo(deliveries),
    inFlight: sum(({ inFlight }) => inFlight),
    unansweredAtKill: sum(({ unansweredAtKill }) => unansweredAtKill),
    slowestStoring: Math.max(0, ...deliveries.map(({ slowestStoring }) => slowestStoring)),
    duplicates: sum(({ duplicates }) => duplicates),
    unanswered: sum(({ unanswered }) => unanswered),
    reloaded: sum(({ reloaded }) => reloaded),
    diskFaults: disturbanceCount(results, 'disk'),
    reloads: disturbanceCount(results, 'reload'),
    digestLines: sum(({ digestLines }) => digestLines),
    spans: results.reduce((all, { spans }) => all + spans, 0),
    missedReplies: results.reduce((all, { missedReplies }) => all + missedReplies, 0),
    findings: countsOf(findings),
  };
}

function disturbanceCount(results: readonly ScenarioResult[], kind: Disturbance['kind']): number {
  return results.flatMap(({ evidence }) => evidence.disturbances).filter((one) => one.kind === kind).length;
}

function deliveredTo(deliveries: readonly Deliveries[]): CampaignSummary['deliveredTo'] {
  const counts = new Map<string, number>();
  for (const { receiver, delivered } of deliveries) counts.set(receiver, (counts.get(receiver) ?? 0) + delivered);
  return Object.fromEntries(counts);
}

function countsOf(findings: readonly Finding[]): CampaignSummary['findings'] {
  const count = (kind: Finding['kind']): number => findings.filter((one) => one.kind === kind).length;
  return {
    lost: count('lost'),
    repeated: count('repeated'),
    disordered: count('disordered'),
    'left open': count('left open'),
    'not in the digest': count('not in the digest'),
    'not in the timeline': count('not in the timeline'),
    unsettled: count('unsettled'),
    complaint: count('complaint'),
  };
}

/** Returns the summary as lines of text. */
export function summaryLines(summary: CampaignSummary): readonly string[] {
  const { kills, killsByMoment, deliveredTo: counts, findings } = summary;
  const receiverCounts = Object.entries(counts)
    .map(([receiver, count]) => `${receiver} ${count}`)
    .join(', ');
  const momentCounts = moments.map((moment) => `${moment} ${killsByMoment[moment] ?? 0}`).join(', ');
  return [
    `${kills} runs ended by kill -9 (${momentCounts}), ${summary.runsWithDelivery} of them with a delivery`,
    `deliveries: ${summary.delivered} (${receiverCounts}), ${summary.digestLines} of them in digests`,
    `in flight at a kill: ${summary.inFlight}, ${summary.unansweredAtKill} of them without a response`,
    `duplicates because of a kill: ${summary.duplicates}, at most ${summary.slowestStoring} ms after the response`,
    `repeated because the response was lost: ${summary.unanswered}`,
    `state directory away: ${summary.diskFaults} times; receivers changed by a reload: ${summary.reloads} times, and ${summary.reloaded} notifications repeated for that reason`,
    `statuses that must be in the timeline: ${summary.spans}; polled but not stored before a kill: ${summary.missedReplies}`,
    ...findingKinds.map((kind) => `${kind}: ${findings[kind]}`),
  ];
}

/** Whether all delivery guarantees held. */
export function hasNoFindings({ findings, duplicates, inFlight }: CampaignSummary): boolean {
  return Object.values(findings).every((count) => count === 0) && duplicates <= inFlight;
}

/** Whether enough notifications were delivered for a significant result. */
export function isSignificant({ runsWithDelivery, kills }: CampaignSummary): boolean {
  return runsWithDelivery * 2 >= kills;
}
