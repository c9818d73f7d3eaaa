import type { Reading } from '../evidence.ts';

/** For how long the cluster told of one status, as far as the daemon must have noticed. */
export interface Stretch {
  readonly status: string;
  /** When the first reading of it was asked for. */
  readonly from: number;
  /** When it must have been noticed at last: the daemon went on to ask again. */
  readonly until: number;
}

/** What one service instance was said to be. */
export interface Served {
  /** Told in two readings in a row, or in the last one. */
  readonly stretches: readonly Stretch[];
  /** Told in two readings in a row to daemons that did not live to ask again: nobody can have written that down. */
  readonly unseen: number;
}

interface Said {
  readonly reading: Reading;
  readonly status: string;
}

/** What the daemon must have noticed of an instance, from what the cluster answered. */
export function servedOf(instance: string, readings: readonly Reading[]): Served {
  const said = readings.flatMap((reading): readonly Said[] => {
    const status = reading.statuses.get(instance);
    return status === undefined ? [] : [{ reading, status }];
  });
  const stretches: Stretch[] = [];
  let unseen = 0;
  for (const { begin, end } of runsOf(said)) {
    const until = end === said.length ? Number.POSITIVE_INFINITY : noticed(said, begin, end);
    const first = said[begin];
    if (first === undefined) continue;
    if (until !== undefined) stretches.push({ status: first.status, from: first.reading.askedAt, until });
    else if (end - begin > 1) unseen += 1;
  }
  return { stretches, unseen };
}

interface Run {
  readonly begin: number;
  /** Exclusive. */
  readonly end: number;
}

/** Readings in a row that say the same. */
function* runsOf(said: readonly Said[]): Generator<Run> {
  let begin = 0;
  for (const [index, { status }] of said.entries()) {
    if (said[index + 1]?.status === status) continue;
    yield { begin, end: index + 1 };
    begin = index + 1;
  }
}

/**
 * A daemon that asks again has had the time to write down what it heard before: of two equal readings that holds for
 * either. If it asks another node, then because the answer came too late for it.
 */
function noticed(said: readonly Said[], begin: number, end: number): number | undefined {
  for (let index = begin; index + 1 < end; index += 1) {
    const [one, two, three] = said.slice(index, index + 3).map(({ reading }) => reading);
    if (isHeard(one, two)) return two?.askedAt;
    if (isHeard(two, three)) return three?.askedAt;
  }
  return undefined;
}

function isHeard(one: Reading | undefined, next: Reading | undefined): boolean {
  return one !== undefined && one.life === next?.life && one.node === next.node;
}
