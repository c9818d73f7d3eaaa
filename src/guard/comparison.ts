import type { Millis } from '../kernel/time.ts';
import type { Range } from './candidate.ts';

/** A bound and how a value compares to it: `{ operator: '>', value: 600000 }`. */
export interface Comparison {
  readonly operator: Operator;
  readonly value: number;
}

/** Operators of a bound. Equality is not one of them, because the values grow. */
export type Operator = '>' | '>=' | '<' | '<=';

const tests: Readonly<Record<Operator, (actual: number, bound: number) => boolean>> = {
  '>': (actual, bound) => actual > bound,
  '>=': (actual, bound) => actual >= bound,
  '<': (actual, bound) => actual < bound,
  '<=': (actual, bound) => actual <= bound,
};

/** Whether all clauses so far hold now, and between which times they do while nothing but time goes on. */
export interface Timing {
  readonly holds: boolean;
  /** From now, ms; negative in the past. `-Infinity` where it was never otherwise. */
  readonly from: Millis;
  /** From now, ms; `Infinity` where no end is in sight. */
  readonly until: Millis;
}

/** What holds at all times. */
export const always: Timing = {
  holds: true,
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
};

/** Whether a value stands to the bound as it is to. */
export function meets({ operator, value }: Comparison, actual: number): boolean {
  return tests[operator](actual, value);
}

const opposites: Readonly<Record<Operator, Operator>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' };

/** The comparison that holds where the given one does not. */
export function negate({ operator, value }: Comparison): Comparison {
  return { operator: opposites[operator], value };
}

/** Whether a value that is not known exactly stands to the bound as it is to, wherever it lies. */
export function certainlyMeets(comparison: Comparison, range: Range): boolean {
  return meets(comparison, worstCase(comparison, range));
}

/** When a value of milliseconds that grows, or dwindles, as time goes by meets its bound. */
export function timingOf(comparison: Comparison, range: Range, course: 'grows' | 'dwindles'): Timing {
  const actual = worstCase(comparison, range);
  const crossing = course === 'grows' ? comparison.value - actual : actual - comparison.value;
  const holds = meets(comparison, actual);
  const begins = isLowerBound(comparison) === (course === 'grows');
  return begins ? { ...always, holds, from: crossing } : { ...always, holds, until: crossing };
}

/** What holds where both do. */
export function intersectTimings(one: Timing, other: Timing): Timing {
  if (one === always) return other;
  if (other === always) return one;
  return {
    holds: one.holds && other.holds,
    from: Math.max(one.from, other.from),
    until: Math.min(one.until, other.until),
  };
}

/**
 * Returns when at least one of several holds: now, since the earliest of those that hold now; or else the next of them.
 * Undefined if none holds again.
 */
export function uniteTimings(all: readonly Timing[]): Timing | undefined {
  const current = all.filter(({ holds }) => holds);
  if (current.length === 0) {
    const later = all.filter(({ from, until }) => until > Math.max(from, 0));
    return later.toSorted((one, other) => one.from - other.from)[0];
  }
  return {
    holds: true,
    from: Math.min(...current.map(({ from }) => from)),
    until: Math.max(...current.map(({ until }) => until)),
  };
}

/** The end of a range that speaks most against the comparison. */
function worstCase(comparison: Comparison, { least, most }: Range): number {
  return isLowerBound(comparison) ? least : most;
}

function isLowerBound({ operator }: Comparison): boolean {
  return operator === '>' || operator === '>=';
}
