import type { Millis } from '../../kernel/time.ts';
import { effectiveInterval } from './list-rate-limit.ts';
import type { NodeView, ValidList } from './node-view.ts';
import type { StepContext } from './state.ts';

/** Intervals after which the queries of a list are no longer matched. */
const maxListAgeIntervals = 3;

/**
 * Returns the latest valid list of a node if it is recent enough to match its queries. Undefined otherwise, and after a
 * step of the local clock: then it is unknown what the node lists.
 */
export function matchableList(
  { list, pace }: Pick<NodeView, 'list' | 'pace'>,
  { interval, now }: Pick<StepContext, 'interval' | 'now'>,
): ValidList | undefined {
  const oldest: Millis = now.mono - maxListAgeIntervals * effectiveInterval(pace, interval);
  return list !== undefined && list.times.received.mono >= oldest ? list : undefined;
}
