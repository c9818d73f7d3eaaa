import { type Finding, findingKinds, isAbort } from './evidence.ts';
import { wasCut } from './oracle/rows.ts';
import { moments } from './plan.ts';
import type { SceneResult } from './scene.ts';

/** What came of many scenes, in numbers. */
export interface Tally {
  readonly kills: number;
  readonly killsByMoment: Readonly<Record<string, number>>;
  /** Kills that waited for a moment in vain. */
  readonly missed: number;
  /** Lives in which something could have been aborted, and in which something was. */
  readonly enough: number;
  readonly telling: number;
  readonly requests: number;
  readonly unanswered: number;
  readonly intents: number;
  /** Intents that no request followed, although nothing was withdrawn: the kill came in between. */
  readonly cut: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Requests that had to wait for a budget, and how close the closest came to it, ms. */
  readonly full: number;
  readonly closest: number;
  readonly findings: Readonly<Record<string, number>>;
}

/** Adds up what came of scenes. */
export function tallyOf(scenes: readonly SceneResult[]): Tally {
  const lives = scenes.flatMap((scene) => scene.lives);
  const chances = scenes.flatMap((scene) => scene.chances);
  const rows = scenes.flatMap(({ evidence }) => evidence.rows);
  const sum = (count: (one: SceneResult) => number): number => scenes.reduce((all, one) => all + count(one), 0);
  return {
    kills: lives.length,
    killsByMoment: counted(lives.map(({ moment }) => moment)),
    missed: lives.filter(({ hasCome }) => !hasCome).length,
    enough: chances.filter(({ isEnough }) => isEnough).length,
    telling: chances.filter(({ asked }) => asked > 0).length,
    requests: sum(({ evidence }) => evidence.calls.filter(isAbort).length),
    unanswered: sum(({ unanswered }) => unanswered),
    intents: rows.length,
    cut: sum(({ evidence }) => evidence.rows.filter((row) => wasCut(row, evidence)).length),
    outcomes: counted(rows.map(({ outcome }) => outcome ?? 'none')),
    full: sum(({ full }) => full),
    closest: Math.min(...scenes.map(({ closest }) => closest), Number.POSITIVE_INFINITY),
    findings: counted(scenes.flatMap((scene) => scene.findings).map(({ kind }) => kind)),
  };
}

function counted(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** The numbers as lines for people. */
export function linesOf(tally: Tally): readonly string[] {
  const { kills, killsByMoment, outcomes, findings } = tally;
  const by = moments.map((moment) => `${moment} ${killsByMoment[moment] ?? 0}`).join(', ');
  const ends = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  const kinds: readonly Finding['kind'][] = findingKinds;
  return [
    `${kills} runs ended by kill -9 (${by}; ${tally.missed} waited in vain)`,
    `lives with time and room to abort: ${tally.enough}, in ${tally.telling} of them an abort was asked for`,
    `abort requests: ${tally.requests}, ${tally.unanswered} of them unanswered when the daemon died`,
    `intents: ${tally.intents}, ${tally.cut} of them killed before the request`,
    `outcomes: ${ends.join(', ')}`,
    `requests that a budget held up: ${tally.full}; the closest came ${tally.closest} ms after there was room`,
    ...kinds.map((kind) => `${kind}: ${findings[kind] ?? 0}`),
  ];
}

/** Whether all that was promised was kept. */
export function isKept({ findings }: Tally): boolean {
  return Object.keys(findings).length === 0;
}

/** Whether enough happened to say so. */
export function isTelling({ enough, telling }: Tally): boolean {
  return telling > 0 && telling * 2 >= enough;
}
