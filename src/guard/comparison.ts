import type { Range } from '../kernel/range.ts';
import type { Millis } from '../kernel/time.ts';

/** Bound with its operator: `{ operator: '>', value: 600000 }`. */
export interface Comparison {
  readonly operator: Operator;
  readonly value: number;
}

/**
 * Operators of a bound. Equality is not one of them, because a value that changes may never be equal when it is
 * checked.
 */
export type Operator = '>' | '>=' | '<' | '<=';

const tests: Readonly<Record<Operator, (actual: number, bound: number) => boolean>> = {
  '>': (actual, bound) => actual > bound,
  '>=': (actual, bound) => actual >= bound,
  '<': (actual, bound) => actual < bound,
  '<=': (actual, bound) => actual <= bound,
};

/** Whether conditions hold now, and the time span in which they hold if only time passes. */
export interface Timing {
  readonly holds: boolean;
  /** Start in ms from now, negative in the past; `-Infinity` if there is none. */
  readonly from: Millis;
  /** End in ms from now; `Infinity` if there is none. */
  readonly until: Millis;
}

/** Timing of a condition that always holds. */
export const always: Timing = {
  holds: true,
  from: Number.NEGATIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
};

/** Returns whether a value meets a bound. */
export function meets({ operator, value }: Comparison, actual: number): boolean {
  return tests[operator](actual, value);
}

const opposites: Readonly<Record<Operator, Operator>> = { '>': '<=', '>=': '<', '<': '>=', '<=': '>' };

/** Returns the opposite comparison. */
export function negate({ operator, value }: Comparison): Comparison {
  return { operator: opposites[operator], value };
}

/** Whether the value of a condition is a comparison. */
export function isComparison(value: unknown): value is Comparison {
  return typeof value === 'object' && value !== null && 'operator' in value && 'value' in value;
}

/** Returns whether every value that meets a bound meets the other one as well. */
export function isAsStrict(bound: Comparison, other: Comparison): boolean {
  if (isLowerBound(bound) !== isLowerBound(other)) return false;
  if (bound.value === other.value) return bound.operator === other.operator || other.operator.endsWith('=');
  return isLowerBound(bound) ? bound.value > other.value : bound.value < other.value;
}

/** Returns whether every value of a range meets a bound. */
export function certainlyMeets(comparison: Comparison, range: Range): boolean {
  return meets(comparison, worstCase(comparison, range));
}

/** Returns when a duration that grows or shrinks as time passes meets its bound. */
export function timingOf(comparison: Comparison, range: Range, course: 'grows' | 'shrinks'): Timing {
  const actual = worstCase(comparison, range);
  const crossing = course === 'grows' ? comparison.value - actual : actual - comparison.value;
  const holds = meets(comparison, actual);
  const begins = isLowerBound(comparison) === (course === 'grows');
  return begins ? { ...always, holds, from: crossing } : { ...always, holds, until: crossing };
}

/** Returns when two conditions hold at the same time. */
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

/** Returns the end of a range that is least likely to meet the bound. */
function worstCase(comparison: Comparison, { least, most }: Range): number {
  return isLowerBound(comparison) ? least : most;
}

function isLowerBound({ operator }: Comparison): boolean {
  return operator === '>' || operator === '>=';
}
