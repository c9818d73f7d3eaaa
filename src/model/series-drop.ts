/** Keys of `limits` that bound the number of series; also reasons for which a series is not on the page. */
export const seriesLimits = ['series_per_family', 'series_per_collector', 'series_per_page'] as const;

/** One of {@link seriesLimits}. */
export type SeriesLimit = (typeof seriesLimits)[number];

/**
 * Why a series is not on the page. Closed, because it is a label value. `duplicate`: the page has it already;
 * `type_conflict`: its family has another type on the page; `reserved_name`: the server uses a name of graphwarden;
 * `invalid`: the page of the server is invalid or contradicts itself there.
 */
export const seriesDropReasons = [...seriesLimits, 'duplicate', 'type_conflict', 'reserved_name', 'invalid'] as const;

/** One of {@link seriesDropReasons}. */
export type SeriesDropReason = (typeof seriesDropReasons)[number];

/** Series of one family that are not on the page for one reason. `family` is `''` for invalid series. */
export interface SeriesDrop {
  readonly reason: SeriesDropReason;
  readonly family: string;
  readonly series: number;
}

/** Series of a cluster that are not on the page for one reason. */
export interface DroppedFamilies {
  readonly reason: SeriesDropReason;
  readonly series: number;
  /** Their families, the one with the most of them first. */
  readonly families: readonly string[];
}

/** Returns whether a limit of the configuration is the reason. */
export function isOverLimit({ reason }: Pick<SeriesDrop, 'reason'>): boolean {
  return seriesLimits.some((limit) => limit === reason);
}

/** Adds up the drops by reason and family. */
export function groupByReason(drops: Iterable<SeriesDrop>): readonly DroppedFamilies[] {
  const reasons = new Map<SeriesDropReason, Map<string, number>>();
  for (const { reason, family, series } of drops) {
    const families = reasons.get(reason) ?? new Map<string, number>();
    reasons.set(reason, families.set(family, (families.get(family) ?? 0) + series));
  }
  return Array.from(reasons, ([reason, families]) => ({
    reason,
    series: families.values().reduce((sum, series) => sum + series, 0),
    families: [...families].toSorted(([, one], [, other]) => other - one).map(([family]) => family),
  }));
}

/** Names the families of dropped series: the first ones, and the number of the others. */
export function nameFamilies({ families }: Pick<DroppedFamilies, 'families'>): string {
  const named = families.filter((family) => family !== '');
  const more = named.length - maxNames;
  return more > 0 ? `${named.slice(0, maxNames).join(', ')} and ${more} more` : named.join(', ');
}

const maxNames = 5;
