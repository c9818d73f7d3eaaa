import type { Millis } from '../kernel/time.ts';
import type { Alert } from '../model/alert.ts';

/** An episode that began and ended before a receiver could be told. */
export interface FoldedEpisode {
  readonly key: string;
  readonly episode: number;
  readonly summary: string;
  readonly severity: Alert['severity'];
  /** ms since the epoch. */
  readonly startsAt: number;
  readonly endsAt: number;
}

/** What one receiver is told at once. */
export type Letter =
  /** Alerts of one group, firing and resolved; at most as many as the notifier takes. */
  | {
      readonly kind: 'alerts';
      readonly group: Readonly<Record<string, string>>;
      readonly alerts: readonly Alert[];
      /** A reminder: it never opens a new incident. */
      readonly again: boolean;
      /** When a reminder became due, ms since the epoch: that tells it from the one before. */
      readonly due?: number;
    }
  /** What a receiver missed while it was away; the open incidents follow as alerts of their own. */
  | {
      readonly kind: 'digest';
      /** The newest of them, at most 50. */
      readonly folded: readonly FoldedEpisode[];
      /** How many there were in all. */
      readonly count: number;
      readonly open: number;
      /** Since when the receiver did not answer, ms since the epoch; undefined where it was not away. */
      readonly since?: number;
    };

/** How much of a letter is sent: after a refusal once more in the short form, at last the least that is of use. */
export type Detail = 'full' | 'short' | 'minimal';

/** The closed words for what an attempt came to, as they are in metrics. */
export const results = ['accepted', 'limited', 'unavailable', 'timeout', 'broken', 'refused', 'parked'] as const;

/** One of {@link results}. */
export type DeliveryResult = (typeof results)[number];

/** What a receiver's answer means. Messages never hold a secret. */
export type Answer =
  /** `but` tells who of those behind it was left out. */
  | { readonly kind: 'accepted'; readonly but?: string }
  /** 429, or 503 with `Retry-After`: the whole receiver waits. `wait` is undefined where it did not say how long. */
  | { readonly kind: 'limited'; readonly wait?: Millis; readonly message: string }
  /** It may have been accepted or not: try again. `answered` tells a receiver that answers from one that does not. */
  | { readonly kind: 'unavailable'; readonly answered: boolean; readonly timedOut: boolean; readonly message: string }
  /** Wrong credentials, wrong address: nothing will be accepted until somebody changes something. */
  | { readonly kind: 'broken'; readonly message: string }
  /** This letter is not acceptable. `culprits` are the indexes of the alerts at fault, where the receiver says so. */
  | { readonly kind: 'refused'; readonly message: string; readonly culprits?: readonly number[] };

/** What delivery has to know of a kind of receiver. */
export interface NotifierTraits {
  /** Alerts in one letter at most. */
  readonly batch: number;
  /** Time between two letters at least. */
  readonly spacing: Millis;
  /** Letters a minute at most; undefined where there is no such limit. */
  readonly perMinute?: number;
  readonly takesDigests: boolean;
  /** Each trigger wakes somebody: what only informs (`info`) is told elsewhere. */
  readonly wakesPeople?: true;
  /** It forgets what it is not told again (Alertmanager): open episodes are sent every minute, resolved ones for a while. */
  readonly forgets: boolean;
}

/** The way to one receiver. Ports and settings were given to it when it was made. */
export interface Notifier {
  readonly traits: NotifierTraits;
  /** One attempt; never rejects. `now` is wall time, ms since the epoch. */
  send(letter: Letter, detail: Detail, now: number, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}
