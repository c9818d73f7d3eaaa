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
  readonly inFlight: number;
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
    inFlight: sum(({ inFlight }) => inFlight),
    duplicates: sum(({ duplicates }) => duplicates),
    unanswered: sum(({ unanswered }) => unanswered),
    folded: sum(({ folded }) => folded),
    stretches: scenes.reduce((all, { stretches }) => all + stretches, 0),
    unseen: scenes.reduce((all, { unseen }) => all + unseen, 0),
    findings: countsOf(findings),
  };
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
  const { kills, killsByMoment, findings } = tally;
  const by = moments.map((moment) => `${moment} ${killsByMoment[moment] ?? 0}`).join(', ');
  return [
    `${kills} runs ended by kill -9 (${by}), in ${tally.livesWithDelivery} of them something was delivered`,
    `delivered: ${tally.delivered} incidents in letters, ${tally.folded} of them as lines of digests`,
    `in flight at a kill: ${tally.inFlight}, duplicates for that reason: ${tally.duplicates}`,
    `repeated because the receiver lost its own answer: ${tally.unanswered}`,
    `statuses that had to be noticed: ${tally.stretches}; told only to daemons that died before they could write: ${tally.unseen}`,
    ...findingKinds.map((kind) => `${kind}: ${findings[kind]}`),
  ];
}

/** Whether all that was promised was kept. */
export function isGood(tally: Tally): boolean {
  const isClean = Object.values(tally.findings).every((count) => count === 0);
  return isClean && tally.duplicates <= tally.inFlight && tally.livesWithDelivery * 2 >= tally.kills;
}
