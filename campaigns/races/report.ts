import type { Millis } from '../../src/kernel/time.ts';
import { type Finding, findingKinds } from './findings.ts';
import type { RunResult } from './oracle/evaluate.ts';
import { scenarioKinds } from './plan/plan.ts';

/** Totals of many runs. */
export interface RunSummary {
  readonly runs: number;
  readonly byKind: readonly {
    readonly kind: string;
    readonly runs: number;
    readonly aborts: number;
    readonly victims: number;
    readonly aborted: number;
  }[];
  readonly aborts: number;
  readonly misdirected: number;
  /** Runs with a legitimate victim. */
  readonly withVictims: number;
  readonly victims: number;
  readonly aborted: number;
  readonly confirmedBefore: Quantiles;
  readonly confirmedAfter: Quantiles;
  readonly outcomes: number;
  readonly reported: number;
  readonly needlessPauses: number;
  /** Findings of single runs, with their seeds. */
  readonly found: readonly (Finding & { readonly seed: number })[];
}

/** Quantiles of durations. */
export interface Quantiles {
  readonly count: number;
  readonly p50: Millis;
  readonly p99: Millis;
  readonly most: Millis;
}

/** Targets of a campaign: shares, the reaction time in ms, and the number of runs for one needless pause. */
const targets = {
  withVictims: 0.3,
  aborted: 0.995,
  reported: 0.99,
  reaction: 250,
  runsPerNeedlessPause: 10_000,
} as const;

/** Adds up the results of runs. */
export function summarize(results: readonly RunResult[]): RunSummary {
  const byKind = scenarioKinds.map((kind) => {
    const runsOfKind = results.filter((one) => one.kind === kind);
    return {
      kind,
      runs: runsOfKind.length,
      aborts: sum(runsOfKind, ({ aborts }) => aborts),
      victims: sum(runsOfKind, ({ victims }) => victims),
      aborted: sum(runsOfKind, ({ aborted }) => aborted),
    };
  });
  return {
    runs: results.length,
    byKind,
    aborts: sum(results, ({ aborts }) => aborts),
    misdirected: sum(results, ({ misdirected }) => misdirected),
    withVictims: results.filter(({ victims }) => victims > 0).length,
    victims: sum(results, ({ victims }) => victims),
    aborted: sum(results, ({ aborted }) => aborted),
    confirmedBefore: quantilesOf(results.flatMap(({ confirmedBefore }) => confirmedBefore)),
    confirmedAfter: quantilesOf(results.flatMap(({ confirmedAfter }) => confirmedAfter)),
    outcomes: sum(results, ({ outcomes }) => outcomes),
    reported: sum(results, ({ reported }) => reported),
    needlessPauses: sum(results, (one) => one.needlessPauses),
    found: results.flatMap(({ seed, findings }) => findings.map((one) => ({ ...one, seed }))),
  };
}

/** Returns a finding for each target that the runs miss in total. */
export function missedTargets({
  runs,
  withVictims,
  victims,
  aborted,
  outcomes,
  reported,
  confirmedBefore,
  needlessPauses,
}: RunSummary): readonly Finding[] {
  return [
    ...(withVictims < targets.withVictims * runs
      ? [{ kind: 'few victims' as const, about: `victims in ${withVictims} of ${runs} runs` }]
      : []),
    ...(aborted < targets.aborted * victims
      ? [{ kind: 'missed victims' as const, about: `${aborted} of ${victims} aborted` }]
      : []),
    ...(reported < targets.reported * outcomes
      ? [{ kind: 'without outcome' as const, about: `${reported} of ${outcomes}` }]
      : []),
    ...(confirmedBefore.p99 > targets.reaction
      ? [{ kind: 'too slow' as const, about: `p99 ${confirmedBefore.p99} ms` }]
      : []),
    // Queries may end by themselves just before their aborts, several in a row.
    ...(needlessPauses > Math.ceil(runs / targets.runsPerNeedlessPause)
      ? [{ kind: 'needless pause' as const, about: `${needlessPauses} in ${runs} runs` }]
      : []),
  ];
}

/** Returns the totals as lines of text. */
export function summaryLines(summary: RunSummary): readonly string[] {
  const { runs, byKind, aborts, misdirected, withVictims, victims, aborted, outcomes, reported, found } = summary;
  const counts = findingKinds.flatMap((kind) => {
    const runsOfKind = [...found, ...missedTargets(summary)].filter((one) => one.kind === kind);
    return runsOfKind.length === 0 ? [] : [`${kind}: ${runsOfKind.length}`];
  });
  return [
    ...byKind.map(
      (one) =>
        `${one.kind}: ${one.runs} runs, ${one.aborts} aborts, ${one.aborted} of ${one.victims} legitimate victims aborted`,
    ),
    `${runs} runs, ${aborts} aborts, ${misdirected} of them to another node, which the guard could not detect`,
    `legitimate victims: in ${withVictims} runs (${percent(withVictims, runs)}), ${aborted} of ${victims} aborted by E + 3 s (${percent(aborted, victims)})`,
    `outcomes in healthy runs: ${reported} of ${outcomes} within 35 s and not unknown (${percent(reported, outcomes)})`,
    `from E to the abort on the wire, confirmed before M: ${formatQuantiles(summary.confirmedBefore)}`,
    `pauses for a second guard that did not exist: ${summary.needlessPauses}`,
    `from E to the abort on the wire, confirmed after M: ${formatQuantiles(summary.confirmedAfter)}`,
    counts.length === 0 ? 'findings: none' : `findings: ${counts.join(', ')}`,
  ];
}

function sum(of: readonly RunResult[], count: (one: RunResult) => number): number {
  return of.reduce((all, one) => all + count(one), 0);
}

function quantilesOf(lengths: readonly Millis[]): Quantiles {
  const sorted = lengths.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) };
}

function formatQuantiles({ count, p50, p99, most }: Quantiles): string {
  return `${count} of them, p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`;
}
