import type { Mutant } from './mutants.ts';
import type { Fate } from './trial.ts';

/** What came of a slip: as the tests saw it, or why they were not asked. */
export interface Result {
  readonly mutant: Mutant;
  readonly fate: Fate | 'uncompiled' | 'equivalent';
}

/** Of one file or of all. */
export interface Score {
  readonly killed: number;
  readonly late: number;
  readonly survived: number;
  readonly uncompiled: number;
  readonly equivalent: number;
  /** Those found among those that the tests could find, 0 to 1; undefined where there are none. */
  readonly share: number | undefined;
}

/** The bar. */
const leastShare = 0.8;

/** Counts. */
export function scoreOf(results: readonly Result[]): Score {
  const count = (fate: Result['fate']) => results.filter((one) => one.fate === fate).length;
  const [killed, late, survived] = [count('killed'), count('late'), count('survived')];
  const all = killed + late + survived;
  const share = all === 0 ? undefined : (killed + late) / all;
  return { killed, late, survived, uncompiled: count('uncompiled'), equivalent: count('equivalent'), share };
}

/** Whether the tests find enough. Of nothing that is true of nothing. */
export function isEnough({ share }: Score): boolean {
  return share !== undefined && share >= leastShare;
}

/** One line for each file, and one for all. */
export function linesOf(results: readonly Result[]): readonly string[] {
  const byFile = Object.entries(Object.groupBy(results, ({ mutant }) => mutant.file));
  return [...byFile.map(([file, own]) => lineOf(file, scoreOf(own ?? []))), lineOf('all', scoreOf(results))];
}

/** `src/guard/age.ts:17 [condition] offset === undefined → true` */
export function changeOf({ file, line, operator, was, by }: Mutant): string {
  return `${file}:${line} [${operator}] ${short(was)} → ${by === '' || by === ';' ? '(nothing)' : short(by)}`;
}

function lineOf(name: string, { killed, late, survived, uncompiled, equivalent, share }: Score): string {
  const percent = share === undefined ? '    –' : `${(share * 100).toFixed(1)}%`.padStart(6);
  const counts = `${killed + late} of ${killed + late + survived} found (${late} by time)`;
  return `${percent}  ${name}: ${counts}, ${equivalent} equivalent, ${uncompiled} do not compile`;
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}…` : line;
}
