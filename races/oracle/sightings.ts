import type { Confirm } from '../../src/guard/policy.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { ListLog, Query } from '../world/log.ts';
import type { Trial } from './trial.ts';

/** Lists asked for at the same pace shall not miss by a hair. */
const leeway = 0.9;

/** The good lists that tell of a query as it is, asked for after `from` and there at `to`. */
export function sightingsOf({ log }: Trial, { node, number }: Query, from: Millis, to: Millis): readonly ListLog[] {
  return log.lists.filter(
    (list) =>
      list.node === node &&
      list.isGood &&
      list.seen.has(number) &&
      list.startedAt >= from &&
      (list.receivedAt ?? Number.POSITIVE_INFINITY) <= to,
  );
}

/** When the list was there by which a query had been seen as often as it has to be. */
export function confirmedBy(sightings: readonly ListLog[], confirm: Confirm): Millis | undefined {
  let count = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  for (const { startedAt, receivedAt } of sightings) {
    if (startedAt - countedAt < confirm.apart * leeway) continue;
    count += 1;
    countedAt = startedAt;
    if (count === confirm.sightings) return receivedAt;
  }
  return undefined;
}
