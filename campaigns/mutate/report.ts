import type { Mutant } from './mutants.ts';
import type { MutantOutcome } from './run-mutant.ts';

/** Result of a mutant: the outcome of the tests, or the reason why they did not run. */
export interface MutantResult {
  readonly mutant: Mutant;
  readonly outcome: MutantOutcome | 'uncompiled' | 'equivalent';
}

/** Score of one file or of all files. */
export interface MutationScore {
  readonly killed: number;
  readonly late: number;
  readonly survived: number;
  readonly uncompiled: number;
  readonly equivalent: number;
  /** Share of detected mutants among detectable ones, from 0 to 1; undefined if there are none. */
  readonly share: number | undefined;
}

/** Required share of detected mutants. */
const requiredScore = 0.8;

/** Returns the score of results. */
export function scoreOf(results: readonly MutantResult[]): MutationScore {
  const count = (outcome: MutantResult['outcome']) => results.filter((one) => one.outcome === outcome).length;
  const [killed, late, survived] = [count('killed'), count('late'), count('survived')];
  const all = killed + late + survived;
  const share = all === 0 ? undefined : (killed + late) / all;
  return { killed, late, survived, uncompiled: count('uncompiled'), equivalent: count('equivalent'), share };
}

/** Whether the tests detect enough mutants. */
export function isEnough({ share }: MutationScore): boolean {
  return share !== undefined && share >= requiredScore;
}

/** Returns one line per file and one for all files. */
export function reportLines(results: readonly MutantResult[]): readonly string[] {
  const byFile = Object.entries(Object.groupBy(results, ({ mutant }) => mutant.file));
  return [...byFile.map(([file, own]) => scoreLine(file, scoreOf(own ?? []))), scoreLine('all', scoreOf(results))];
}

/** `src/guard/candidate.ts:17 [condition] offset === undefined → true` */
export function describeMutant({ file, line, operator, original, by }: Mutant): string {
  return `${file}:${line} [${operator}] ${shortenText(original)} → ${by === '' || by === ';' ? '(nothing)' : shortenText(by)}`;
}

function scoreLine(name: string, { killed, late, survived, uncompiled, equivalent, share }: MutationScore): string {
  const percent = share === undefined ? '    –' : `${(share * 100).toFixed(1)}%`.padStart(6);
  const counts = `${killed + late} of ${killed + late + survived} detected (${late} by timeout)`;
  return `${percent}  ${name}: ${counts}, ${equivalent} equivalent, ${uncompiled} do not compile`;
}

function shortenText(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}…` : line;
}
