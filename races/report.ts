import type { Millis } from '../src/kernel/time.ts';
import { type Finding, findingKinds } from './findings.ts';
import type { Verdict } from './oracle/judge.ts';
import { kinds } from './plan/plan.ts';

/** What came of many runs, in numbers. */
export interface Tally {
  readonly runs: number;
  readonly byKind: readonly {
    readonly kind: string;
    readonly runs: number;
    readonly aborts: number;
    readonly victims: number;
    readonly aborted: number;
  }[];
  readonly aborts: number;
  readonly astray: number;
  /** Runs that hold a legitimate victim. */
  readonly telling: number;
  readonly victims: number;
  readonly aborted: number;
  readonly foreseen: Quantiles;
  readonly unforeseen: Quantiles;
  readonly ends: number;
  readonly told: number;
  /** Of single runs, with their seeds. */
  readonly found: readonly (Finding & { readonly seed: number })[];
}

/** Of some lengths of time. */
export interface Quantiles {
  readonly count: number;
  readonly p50: Millis;
  readonly p99: Millis;
  readonly most: Millis;
}

/** What is promised. */
const promises = { telling: 0.3, aborted: 0.95, told: 0.99, reaction: 250 } as const;

/** Adds up verdicts. */
export function tallyOf(verdicts: readonly Verdict[]): Tally {
  const byKind = kinds.map((kind) => {
    const own = verdicts.filter((one) => one.kind === kind);
    return {
      kind,
      runs: own.length,
      aborts: sum(own, ({ aborts }) => aborts),
      victims: sum(own, ({ victims }) => victims),
      aborted: sum(own, ({ aborted }) => aborted),
    };
  });
  return {
    runs: verdicts.length,
    byKind,
    aborts: sum(verdicts, ({ aborts }) => aborts),
    astray: sum(verdicts, ({ astray }) => astray),
    telling: verdicts.filter(({ victims }) => victims > 0).length,
    victims: sum(verdicts, ({ victims }) => victims),
    aborted: sum(verdicts, ({ aborted }) => aborted),
    foreseen: quantilesOf(verdicts.flatMap(({ foreseen }) => foreseen)),
    unforeseen: quantilesOf(verdicts.flatMap(({ unforeseen }) => unforeseen)),
    ends: sum(verdicts, ({ ends }) => ends),
    told: sum(verdicts, ({ told }) => told),
    found: verdicts.flatMap(({ seed, findings }) => findings.map((one) => ({ ...one, seed }))),
  };
}

/** What many runs together fell short of. */
export function shortcomings({ runs, telling, victims, aborted, ends, told, foreseen }: Tally): readonly Finding[] {
  return [
    ...(telling < promises.telling * runs
      ? [{ kind: 'too tame' as const, about: `victims in ${telling} of ${runs} runs` }]
      : []),
    ...(aborted < promises.aborted * victims
      ? [{ kind: 'too idle' as const, about: `${aborted} of ${victims} aborted` }]
      : []),
    ...(told < promises.told * ends ? [{ kind: 'without outcome' as const, about: `${told} of ${ends}` }] : []),
    ...(foreseen.p99 > promises.reaction ? [{ kind: 'too slow' as const, about: `p99 ${foreseen.p99} ms` }] : []),
  ];
}

/** The numbers for people. */
export function linesOf(tally: Tally): readonly string[] {
  const { runs, byKind, aborts, astray, telling, victims, aborted, ends, told, found } = tally;
  const counts = findingKinds.flatMap((kind) => {
    const own = [...found, ...shortcomings(tally)].filter((one) => one.kind === kind);
    return own.length === 0 ? [] : [`${kind}: ${own.length}`];
  });
  return [
    ...byKind.map(
      (one) =>
        `${one.kind}: ${one.runs} runs, ${one.aborts} aborts, ${one.aborted} of ${one.victims} legitimate victims aborted`,
    ),
    `${runs} runs, ${aborts} aborts, ${astray} of them sent astray where nobody could know`,
    `legitimate victims: in ${telling} runs (${percent(telling, runs)}), ${aborted} of ${victims} aborted by E + 3 s (${percent(aborted, victims)})`,
    `outcomes in healthy runs: ${told} of ${ends} within 35 s and not unknown (${percent(told, ends)})`,
    `from E to the abort on the wire, confirmed before M: ${written(tally.foreseen)}`,
    `from E to the abort on the wire, confirmed after M: ${written(tally.unforeseen)}`,
    counts.length === 0 ? 'findings: none' : `findings: ${counts.join(', ')}`,
  ];
}

function sum(of: readonly Verdict[], count: (one: Verdict) => number): number {
  return of.reduce((all, one) => all + count(one), 0);
}

function quantilesOf(lengths: readonly Millis[]): Quantiles {
  const sorted = lengths.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), most: at(1) };
}

function written({ count, p50, p99, most }: Quantiles): string {
  return `${count} of them, p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(1)} %`;
}
