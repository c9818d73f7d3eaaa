import { processLabels } from './text-format.ts';

/** Counter and time range of an expression. */
interface CounterQuery {
  readonly family: string;
  /** Matchers of its series. */
  readonly matchers: string;
  /** Range in which the increase must occur, in seconds. */
  readonly windowSeconds: number;
  /** Time before the range in which a series must have existed so that it does not count as new. */
  readonly lookback: string;
}

/**
 * Returns the PromQL expression for a recent increase of a counter. `increase()` misses a series that starts with its
 * first event, and a restarted process that has counted as many events as the process before.
 */
export function counterIncreased({ family, matchers, windowSeconds, lookback }: CounterQuery): string {
  const counter = `${family}{${matchers}}`;
  const isNew = `unless present_over_time(${family}[${lookback}] offset ${windowSeconds}s)`;
  const isYoung = `and on (${processLabels}) time() - process_start_time_seconds < ${windowSeconds}`;
  return `increase(${counter}[${windowSeconds}s]) > 0 or (${counter} > 0 ${isNew}) or (${counter} > 0 ${isYoung})`;
}
