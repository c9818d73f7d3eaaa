import type { ReceivedLetter } from '../src/simulator/receivers/letter.ts';

/** One life of the daemon: from its start until it was killed. Times are ms since the epoch. */
export interface Life {
  readonly from: number;
  /** Undefined for the last one, which is asked to end. */
  readonly killedAt?: number;
}

/** One answer of the simulated cluster that left it whole. */
export interface Reading {
  /** Index of the life that asked. */
  readonly life: number;
  /** The port of the node that was asked. */
  readonly node: number;
  readonly askedAt: number;
  readonly sentAt: number;
  /** Status by the name of the service instance. */
  readonly statuses: ReadonlyMap<string, string>;
}

/** A letter as a receiver logged it, with when its answer had left or could not leave any more. */
export interface Letter extends ReceivedLetter {
  readonly endedAt?: number;
}

/** One line of the daemon's own timeline. */
export interface TimelineEntry {
  readonly at: number;
  readonly instance: string;
  readonly to: string;
}

/** All that is known of one state folder and the lives that were led on it. */
export interface Evidence {
  readonly lives: readonly Life[];
  readonly readings: readonly Reading[];
  /** In the order in which they came. */
  readonly letters: readonly Letter[];
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[];
}

/** What must not be. */
export interface Finding {
  readonly kind: FindingKind;
  /** A sentence. */
  readonly about: string;
}

/** The closed list of what an oracle may find. */
export const findingKinds = [
  'lost',
  'repeated',
  'disordered',
  'left open',
  'not in the digest',
  'not in the timeline',
  'unsettled',
  'complaint',
] as const;

/** One of {@link findingKinds}. */
export type FindingKind = (typeof findingKinds)[number];

/** `GPE_1#2`, as texts of alerts have it. */
export function instanceOf(service: string, partition: string, replica: string): string {
  return `${service}${partition === '' ? '' : `_${partition}`}${replica === '' ? '' : `#${replica}`}`;
}

/** Which life something belongs to that happened at `at`: the one that had begun last. */
export function lifeAt(lives: readonly Life[], at: number): number {
  return Math.max(
    0,
    lives.findLastIndex(({ from }) => from <= at),
  );
}
