import type { ValueTexts } from './value-texts.ts';

/** The family types that the Prometheus text format knows. */
export type FamilyType = 'counter' | 'gauge' | 'histogram' | 'summary' | 'untyped';

/**
 * One series of an upstream page. The parser gives the same object for the same series on every
 * reading, so that whoever renders it may remember what it rendered.
 */
export interface ParsedSeries {
  /** Sample name, which for histograms and summaries may carry a suffix that the family lacks. */
  readonly name: string;
  /** Label names and values in turn, unescaped; read it through {@link labelOf} and {@link labelsOf}. */
  readonly pairs: readonly string[];
  /**
   * Name and labels exactly as the format writes them (`name{label="value"}`, without blanks and needless
   * escapes); absent where the page wrote them otherwise.
   */
  readonly text?: string | undefined;
}

/** One family of an upstream page: the i-th of `values` is the valid number text of `series[i]`. */
export interface ParsedFamily {
  readonly name: string;
  readonly type: FamilyType;
  readonly help: string;
  readonly series: readonly ParsedSeries[];
  readonly values: ValueTexts;
}

/** A whole upstream page in the text format. */
export interface ParsedPage {
  readonly families: readonly ParsedFamily[];
  /** Lines left out because they were malformed, repeated a series or contradicted its family. */
  readonly rejected: number;
}

/** The value of one label, `''` where the series has none of that name. */
export function labelOf(series: ParsedSeries, name: string): string {
  const { pairs } = series;
  for (let at = 0; at < pairs.length; at += 2) {
    if (pairs[at] === name) return pairs[at + 1] ?? '';
  }
  return '';
}

/** All labels of a series, in the order of the page. */
export function* labelsOf(series: ParsedSeries): Generator<readonly [name: string, value: string]> {
  const { pairs } = series;
  for (let at = 0; at < pairs.length; at += 2) yield [pairs[at] ?? '', pairs[at + 1] ?? ''];
}
