/** Kinds of findings. */
export const findingKinds = [
  'no policy match',
  'too early',
  'not running',
  'wrong node',
  'other machine',
  'not covered',
  'twice',
  'form',
  'unknown graph',
  'no intent',
  'while paused',
  'after the stop',
  'node budget',
  'cluster budget',
  'cooldown',
  'same query',
  'no relief',
  'not paused',
  'needless pause',
  'lists',
  'slow lists',
  'wrong outcome',
  'missed victims',
  'too slow',
  'without outcome',
  'few victims',
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
