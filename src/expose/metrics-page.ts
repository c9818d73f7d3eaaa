import type { Metric, Sample } from '../metric/metric.ts';
import type { ParsedFamily } from '../model/exposition.ts';
import type { SeriesDrop } from '../model/series-drop.ts';

/** Text formats that a scraper can request. */
export type Format = 'text' | 'openmetrics';

/** Current content of one source (a cluster, a collector and possibly a node). */
export interface SourceContent {
  /** Labels before those of every sample and every native series: `cluster_name`, the labels of the cluster, `node`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: Iterable<Sample>;
  /** Native families of the server, under their own names. */
  readonly passthrough?: readonly ParsedFamily[];
  /** Kept families that another source exposes now. */
  readonly supersededFamilies?: ReadonlySet<string>;
}

/** Number of exposed and dropped series of a source. */
export interface SeriesCounts {
  readonly series: number;
  /** Dropped series, at most one entry for each family and reason. */
  readonly dropped: readonly SeriesDrop[];
  /** Label values that were cut in lines that the source did not have before. */
  readonly cutLabels: number;
}

/** Complete page, ready to send. */
export interface PageBody {
  readonly pieces: readonly Uint8Array[];
  /** Call once when all pieces are sent or abandoned: until then, their memory is not reused. */
  readonly release: () => void;
}

/**
 * The page behind `/metrics`: fragments rendered when poll results arrive, joined at a scrape. Sources keep the order
 * of their first declaration, so that the first of two duplicates is deterministic.
 */
export interface MetricsPage {
  /** Replaces the content of `source`. Long work runs in slices. Puts of one source must not overlap. */
  put(source: string, content: SourceContent): Promise<SeriesCounts>;
  /** Removes the gauges of `source` from the page; kept families (counters, check results) that are not `gone` stay. */
  expire(source: string, gone?: ReadonlySet<string>): void;
  /** Removes `source`. */
  remove(source: string): void;
  /** Returns the whole page; `tail` (already in `format`, without `# EOF`) is the part that changes at every scrape. */
  body(format: Format, encoding: 'identity' | 'gzip', tail: string): Promise<PageBody>;
  /** Returns the declared families on the page, for tests and the API. */
  metrics(): readonly Metric[];
}
