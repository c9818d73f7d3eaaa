import type { Instant } from '../../kernel/time.ts';
import type { ReceiverView } from '../../model/situation.ts';
import { firingForm } from './episode.ts';
import { failingSince, type Health } from './health.ts';
import { headOf, type Lane, type Trigger } from './lane.ts';

/** What is known of a receiver beside what it is owed. */
export interface About {
  readonly receiver: string;
  readonly health: Health;
  /** Episodes that it will hear of in a digest. */
  readonly missed: number;
}

/** How a receiver is doing. */
export function viewOf({ receiver, health, missed }: About, lanes: readonly Lane[], now: Instant): ReceiverView {
  const dues = lanes.flatMap((lane) => headOf(lane)?.episode.due ?? []);
  const parked = lanes.flatMap(({ episodes }) => episodes.flatMap((episode) => episode.parked?.at ?? []));
  const since = failingSince(health, now.wall) ?? least(parked);
  const oldestDue = least(dues);
  return {
    receiver,
    failing: since !== undefined,
    result: health.result,
    ...(since === undefined ? {} : { failingSince: since }),
    ...(oldestDue === undefined ? {} : { oldestDue }),
    depth: dues.length + (missed > 0 ? 1 : 0),
    parked: parked.length,
  };
}

/** How many open incidents a receiver has to be told of. */
export function openIn(lanes: Iterable<Lane>): number {
  return [...lanes].filter((lane) => headOf(lane)?.episode.alert.status === 'firing').length;
}

/** A trigger that another receiver has to get because this one does not take it. */
export interface Undelivered {
  readonly fallback: string;
  readonly trigger: Trigger;
}

/** What is to be told to others: all that is owed where the receiver is failing, what was parked otherwise. */
export function undeliveredOf(health: Health, lanes: readonly Lane[], now: Instant): readonly Undelivered[] {
  const isFailing = failingSince(health, now.wall) !== undefined;
  return lanes.flatMap(({ episodes }) =>
    episodes.flatMap(({ alert, heard, parked, fallback, group, due }) => {
      const isMissing = alert.status === 'firing' && heard !== 'yes';
      if (!isMissing || fallback === undefined || (!isFailing && parked === undefined)) return [];
      const to = { receiver: fallback, group, groupWait: 0 };
      return [{ fallback, trigger: { alert: firingForm(alert), again: false, to, due } }];
    }),
  );
}

function least(values: readonly number[]): number | undefined {
  return values.reduce<number | undefined>(
    (first, value) => (first === undefined || value < first ? value : first),
    undefined,
  );
}
