import type { Metric, Sample } from '../metric/metric.ts';
import type { ParsedFamily } from '../model/exposition.ts';

/** The two text formats a scraper may ask for. */
export type Format = 'text' | 'openmetrics';

/** What one source (a cluster, a collector and perhaps a node) shows at present. */
export interface Content {
  /** Put before the labels of every sample and every handed-on series: `cluster_name`, the cluster's own, `node`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: Iterable<Sample>;
  /** The server's own families, under their own names. */
  readonly passthrough?: readonly ParsedFamily[];
  /** Families that would be kept and are not: another source shows them now. */
  readonly gone?: ReadonlySet<string>;
}

/** What became of a source's series. */
export interface Shown {
  readonly series: number;
  /** Left out because of a cap, a duplicate or a refused name. */
  readonly dropped: number;
}

/** A whole page, ready to be sent. */
export interface PageBody {
  readonly pieces: readonly Uint8Array[];
  /** To be called, once, when all pieces are sent or given up: until then, nothing is written over them. */
  readonly release: () => void;
}

/**
 * The page behind `/metrics`: fragments rendered when readings arrive, joined when a scraper asks. Sources
 * are put in the order in which they were first declared, so that «the first wins» means something.
 */
export interface Page {
  /** Replaces what `source` shows. Long work is done in slices. Puts of one source must not overlap. */
  put(source: string, content: Content): Promise<Shown>;
  /** Takes the gauges of `source` off the page; families that are kept (counters, last check results) and not `gone` stay. */
  expire(source: string, gone?: ReadonlySet<string>): void;
  /** Forgets `source` altogether. */
  remove(source: string): void;
  /** The whole page; `tail` (already in `format`, without `# EOF`) is what changes at every scrape. */
  body(format: Format, encoding: 'identity' | 'gzip', tail: string): Promise<PageBody>;
  /** Declared families at present on the page, for tests and the API. */
  metrics(): readonly Metric[];
}
