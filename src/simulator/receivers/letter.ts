/** What the fakes can pretend to be. */
export const receiverKinds = ['alertmanager', 'pagerduty', 'slack', 'webhook'] as const;

/** One of {@link receiverKinds}. */
export type ReceiverKind = (typeof receiverKinds)[number];

/** What a letter says of one incident. */
export interface Told {
  readonly action: 'trigger' | 'resolve' | 'message';
  /**
   * What the receiver tells incidents apart by: PagerDuty's `dedup_key`, the webhook's `fingerprint`, all labels of an
   * alert at Alertmanager; `''` where there is no such thing (Slack).
   */
  readonly key: string;
  /** The sender's number of the episode; `''` where the letter does not say it. */
  readonly episode: string;
  readonly summary: string;
  /** Until when it is open without another word (Alertmanager), ms since the epoch. */
  readonly until?: number;
}

/** One request as a receiver got it, and what became of it. */
export interface ReceivedLetter {
  readonly receiver: string;
  readonly kind: ReceiverKind;
  /** When its body was there, ms since the epoch. */
  readonly at: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What counts where it was taken, and what it would have said where it was not. */
  readonly told: readonly Told[];
  /** Whether the receiver keeps it: it may have done so and still not have said so. */
  readonly taken: boolean;
  /** What was answered, or would have been. */
  readonly status: number;
  /** `sent` left this side whole, `lost` did not; both are the last word. */
  readonly answer: 'pending' | 'sent' | 'lost';
}
