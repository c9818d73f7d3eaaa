/** States of a run of a loading job; `unknown` is any word of the server that has no meaning here. */
export const loadingStates = ['running', 'paused', 'finished', 'failed', 'aborted', 'unknown'] as const;

/** One of {@link loadingStates}. */
export type LoadingState = (typeof loadingStates)[number];

/**
 * Results of a line of the input: loaded, dropped by the filter of the job, or rejected for one of the reasons that the
 * server distinguishes.
 */
export const lineResults = [
  'valid',
  'filtered',
  'rejected',
  'too_few_tokens',
  'invalid_json',
  'oversize_token',
] as const;

/** One of {@link lineResults}. */
export type LineResult = (typeof lineResults)[number];

/** Run of a loading job. */
export interface LoadingRun {
  readonly graph: string;
  /** Name of the job; `''` if the id of the run has none. */
  readonly job: string;
  /** Id of the run. */
  readonly id: string;
  readonly state: LoadingState;
  /** ms since the epoch, by the clock of the server; 0 if the server reports no start. */
  readonly startedAt: number;
  /** From 0 to 1. */
  readonly progress: number;
  readonly linesPerSecond: number;
  /** Results that the server omits are 0. */
  readonly lines: Readonly<Record<LineResult, number>>;
}
