import { type Finding, findingKinds } from './evidence.ts';
import type { Deliveries } from './oracle/deliveries.ts';
import { moments } from './plan.ts';
import type { SceneResult } from './scene.ts';

/** What came of many scenes, in numbers. */
export interface Tally {
  readonly kills: number;
  readonly killsByMoment: Readonly<Record<string, number>>;
  /** Lives in which a receiver took something. */
  readonly livesWithDelivery: number;
  readonly delivered: number;
  readonly deliveredTo: Readonly<Record<string, number>>;
  readonly inFlight: number;
  readonly unansweredAtKill: number;
  readonly slowestStoring: number;
  readonly duplicates: number;
  readonly unanswered: number;
  readonly folded: number;
  readonly stretches: number;
  readonly unseen: number;
  readonly findings: Readonly<Record<Finding['kind'], number>>;
}

/** Adds up what came of scenes. */
export function tallyOf(scenes: readonly SceneResult[]): Tally {
  const lives = scenes.flatMap((scene) => scene.lives);
  const deliveries = scenes.flatMap((scene) => scene.deliveries);
  const sum = (count: (one: Deliveries) => number): number => deliveries.reduce((all, one) => all + count(one), 0);
  const findings = scenes.flatMap((scene) => scene.findings);
  return {
    kills: lives.length,
    killsByMoment: Object.fromEntries(
      moments.map((moment) => [moment, lives.filter((life) => life.moment === moment).length]),
    ),
    livesWithDelivery: lives.filter(({ delivered }) => delivered).length,
    delivered: sum(({ delivered }) => delivered),
    deliveredTo: deliveredTo(deliveries),
    inFlight: sum(({ inFlight }) => inFlight),
    unansweredAtKill: sum(({ unansweredAtKill }) => unansweredAtKill),
    slowestStoring: Math.max(0, ...deliveries.map(({ slowestStoring }) => slowestStoring)),
    duplicates: sum(({ duplicates }) => duplicates),
    unanswered: sum(({ unanswered }) => unanswered),
    folded: sum(({ folded }) => folded),
    stretches: scenes.reduce((all, { stretches }) => all + stretches, 0),
    unseen: scenes.reduce((all, { unseen }) => all + unseen, 0),
    findings: countsOf(findings),
  };
}

function deliveredTo(deliveries: readonly Deliveries[]): Tally['deliveredTo'] {
  const counts = new Map<string, number>();
  for (const { receiver, delivered } of deliveries) counts.set(receiver, (counts.get(receiver) ?? 0) + delivered);
  return Object.fromEntries(counts);
}

function countsOf(findings: readonly Finding[]): Tally['findings'] {
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

/** The numbers as lines for people. */
export function linesOf(tally: Tally): readonly string[] {
  const { kills, killsByMoment, deliveredTo: counts, findings } = tally;
  const to = Object.entries(counts)
    .map(([receiver, count]) => `${receiver} ${count}`)
    .join(', ');
  const by = moments.map((moment) => `${moment} ${killsByMoment[moment] ?? 0}`).join(', ');
  return [
    `${kills} runs ended by kill -9 (${by}), in ${tally.livesWithDelivery} of them something was delivered`,
    `delivered: ${tally.delivered} (${to}), ${tally.folded} of them as lines of digests`,
    `in flight at a kill: ${tally.inFlight}, ${tally.unansweredAtKill} of them without an answer`,
    `duplicates for that reason: ${tally.duplicates}, of something answered at most ${tally.slowestStoring} ms before`,
    `repeated because the receiver lost its own answer: ${tally.unanswered}`,
    `statuses that had to be noticed: ${tally.stretches}; told only to daemons that died before they could write: ${tally.unseen}`,
    ...findingKinds.map((kind) => `${kind}: ${findings[kind]}`),
  ];
}

/** Whether all that was promised was kept. */
export function isKept({ findings, duplicates, inFlight }: Tally): boolean {
  return Object.values(findings).every((count) => count === 0) && duplicates <= inFlight;
}

/** Whether enough happened to say so. */
export function isTelling({ livesWithDelivery, kills }: Tally): boolean {
  return livesWithDelivery * 2 >= kills;
}
