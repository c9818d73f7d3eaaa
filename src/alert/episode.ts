import type { Instant, Millis } from '../kernel/time.ts';
import type { Severity } from '../model/alert.ts';
import type { Silence } from './alerting.ts';

/** Why nobody is told of what fires. */
export type Held =
  | { readonly kind: 'silence'; readonly id: string }
  | { readonly kind: 'maintenance'; readonly name: string }
  /** `by` is the place of the alert that explains this one. */
  | { readonly kind: 'inhibition'; readonly by: string };

/** What one rule says of one place, from the first time until it is well again. */
export interface Episode {
  /** What tells it from all others: cluster, rule, severity and identity as text. */
  readonly place: string;
  /** The hash of the place, as receivers know it. */
  readonly key: string;
  readonly cluster: string;
  readonly rule: string;
  readonly severity: Severity;
  /** Of the alert, complete. */
  readonly labels: Readonly<Record<string, string>>;
  /** The labels of the verdict alone. */
  readonly identity: Readonly<Record<string, string>>;
  /** As the latest verdict told them. */
  readonly facts: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly phase: 'pending' | 'firing';
  /** 0 while it is pending. */
  readonly number: number;
  /** When what it tells of began, ms since the epoch. */
  readonly startsAt: number;
  /** When the first verdict of it came. */
  readonly seenAt: Instant;
  /** How long it has to be so before it fires, by the latest verdict. */
  readonly hold: Millis;
  /** When it was last so; keeping it firing is measured from here. */
  readonly lastSo: Instant;
  /** Who is told at once whatever the routes say, as the latest verdict has it; not stored, for it comes with that. */
  readonly receivers: readonly string[];
  /** When each receiver was last told, ms since the epoch. */
  readonly told: Readonly<Record<string, number>>;
  readonly held?: Held;
  /** Since when nothing explains it any more, on the monotonic clock. */
  readonly freeSince?: number;
}

/** An episode that is over, remembered for those who look. */
export interface PastEpisode {
  readonly episode: Episode;
  /** ms since the epoch. */
  readonly endsAt: number;
}

/** How many episodes of a rule began in a cluster since the start. */
export interface EpisodeCount {
  readonly cluster: string;
  readonly rule: string;
  readonly severity: Severity;
  readonly count: number;
}

/** All that alerting knows. */
export interface AlertingState {
  /** By place. */
  readonly episodes: ReadonlyMap<string, Episode>;
  /** The newest last. */
  readonly past: readonly PastEpisode[];
  readonly silences: ReadonlyMap<string, Silence>;
  /** By cluster, rule and severity. */
  readonly counts: ReadonlyMap<string, EpisodeCount>;
  /** The highest number that an episode has had. */
  readonly lastNumber: number;
}

/** Alerting that knows nothing. */
export const nothingKnown: AlertingState = {
  episodes: new Map(),
  past: [],
  silences: new Map(),
  counts: new Map(),
  lastNumber: 0,
};
