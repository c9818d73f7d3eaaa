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
  readonly enough: number;
  readonly telling: number;
  readonly requests: number;
  readonly unanswered: number;
  readonly intents: number;
  /** Intents without a request that were not withdrawn, because the kill came in between. */
  readonly cut: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Requests that had to wait for a budget, and their minimum delay in ms after the budget allowed them. */
  readonly full: number;
  readonly closest: number;
  readonly findings: Readonly<Record<string, number>>;
}

/** Adds up the results of scenarios. */
export function summarize(scenes: readonly CrashRunResult[]): CrashSummary {
  const lives = scenes.flatMap((scene) => scene.lives);
  const chances = scenes.flatMap((scene) => scene.chances);
  const rows = scenes.flatMap(({ evidence }) => evidence.rows);
  const sum = (count: (one: CrashRunResult) => number): number => scenes.reduce((all, one) => all + count(one), 0);
  return {
    kills: lives.length,
    killsByMoment: counted(lives.map(({ moment }) => moment)),
    missed: lives.filter(({ hasCome }) => !hasCome).length,
    enough: chances.filter(({ isEnough }) => isEnough).length,
    telling: chances.filter(({ asked }) => asked > 0).length,
    requests: sum(({ evidence }) => evidence.calls.filter(isAbort).length),
    unanswered: sum(({ unanswered }) => unanswered),
    intents: rows.length,
    cut: sum(({ evidence }) => evidence.rows.filter((row) => wasInterrupted(row, evidence)).length),
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

/** Returns the totals as lines of text. */
export function summaryLines(tally: CrashSummary): readonly string[] {
  const { kills, killsByMoment, outcomes, findings } = tally;
  const by = killTriggers.map((moment) => `${moment} ${killsByMoment[moment] ?? 0}`).join(', ');
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

/** Returns true if all guarantees held. */
export function hasNoFindings({ findings }: CrashSummary): boolean {
  return Object.keys(findings).length === 0;
}

/** Returns true if enough aborts happened for a significant result. */
export function isSignificant({ enough, telling }: CrashSummary): boolean {
  return telling > 0 && telling * 2 >= enough;
}
