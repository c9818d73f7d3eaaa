/** How a series goes on through a phase, sample by sample. Undefined: it is not on the page. */
export type SeriesValues =
  | number
  /** A counter: so many more each minute. */
  | { readonly grows: number }
  /** A moment that stays so many seconds ago; negative: so many seconds ahead. */
  | { readonly ago: number }
  | ((sample: number) => number | undefined);

/** What is on the page of graphwarden, by series. */
export type SeriesSet = Readonly<Record<string, SeriesValues>>;

/** Test data of an alert: the same series in a healthy state, in a bad state and in a nearly bad state. */
export interface RuleCase {
  readonly alert: string;
  /** It fires for each target of the scrape, with all labels of it. */
  readonly perTarget?: true;
  /** Labels of the one alert that fires, beside its name and where graphwarden runs. */
  readonly labels: Readonly<Record<string, string>>;
  readonly healthy: SeriesSet;
  readonly bad: SeriesSet;
  /** On the good side of the threshold, or bad for a moment that is too short. */
  readonly nearMiss: SeriesSet;
  /** Further scenes that are none of its business. */
  readonly unrelated?: readonly SeriesSet[];
  /** Minutes of the healthy state at the beginning. */
  readonly before?: number;
  /** Where the near miss takes other times than these: so many minutes well before, and so many of it. */
  readonly nearAfter?: number;
  readonly nearFor?: number;
  /** Minutes of the condition that are too short for the alert. */
  readonly tooShort?: number;
  /** Minutes until it fires for sure. */
  readonly firesWithin: number;
  /** Minutes until it is over for sure. */
  readonly resolvesWithin: number;
  /** Minutes after its end for which it says nothing, although a scrape fails at once. */
  readonly staysResolved?: number;
  /** Seconds between two scrapes, and two evaluations. */
  readonly every?: number;
  /** A story of hours or days: it runs in the campaign only, because another one tests the same expression with shorter windows. */
  readonly isCampaignOnly?: boolean;
}

/** Bad for so many samples, well afterwards. */
export function shortOutage(samples: number, bad: number, well: number): SeriesValues {
  return (sample) => (sample < samples ? bad : well);
}
