/** The closed list of what an oracle may find: nothing of it must be. */
export const findingKinds = [
  'not meant',
  'too early',
  'not running',
  'wrong node',
  'not covered',
  'twice',
  'form',
  'unknown graph',
  'no intent',
  'while paused',
  'after the end',
  'node budget',
  'cluster budget',
  'cooldown',
  'same query',
  'no relief',
  'lists',
  'wrong outcome',
  'too idle',
  'too slow',
  'without outcome',
  'too tame',
  'bug',
] as const;

/** One of {@link findingKinds}. */
export type FindingKind = (typeof findingKinds)[number];

/** Violation that an oracle found. */
export interface Finding {
  readonly kind: FindingKind;
  /** Sentence for the report. */
  readonly about: string;
}
