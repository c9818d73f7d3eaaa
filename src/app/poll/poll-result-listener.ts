import type { PollResult } from '../../collect/poll-runner.ts';
import type { Millis } from '../../kernel/time.ts';
import type { CollectorFeed } from './collector-feed.ts';

/** Time until the next poll, and maximum age of this result. */
export interface PollTiming {
  /** 0 for collectors with a schedule. */
  readonly interval: Millis;
  readonly lifetime: Millis;
}

/** Consumer of poll results. */
export interface PollResultListener {
  /** Called when the metrics page shows the poll result. */
  onPollResult(feed: CollectorFeed, pollResult: PollResult, timing: PollTiming): void;
}
