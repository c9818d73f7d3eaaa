/** Types of declared families. */
export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary';

/**
 * Declared family. `labels` are the family's own; the runner puts `cluster_name`, the labels of the cluster and, for
 * node facts, `node` before them. Every series of the page has a declaration, so the catalog and the documentation are
 * complete.
 */
export interface Metric<Label extends string = string> {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Source of the value: endpoint and field of the server. */
  readonly source: string;
  /** Whether the series stays after a failed poll: counters, and the last result of a check. */
  readonly keep: boolean;
  /**
   * Whether no limit drops its series: the state of the services, and the health of this program. Their number is bounded
   * by the topology.
   */
  readonly essential: boolean;
  /** Whether the value is a number of things that a limit drops: the first one is logged. */
  readonly countsDropped?: true;
  /** Whether the configuration declares the family, so that its name has no prefix of this program. */
  readonly isCustom?: true;
}

/**
 * Largest share of the page that may be about graphwarden itself: `graphwarden_*`, `process_*` and `nodejs_*`. For this,
 * series of rare label values appear with their first use, and histograms are per cluster.
 */
export const ownSeriesBudget = 0.3;

/** Returns whether a family is about graphwarden itself. */
export function isOwnFamily(name: string): boolean {
  return /^(?:graphwarden|process|nodejs)_/.test(name);
}

/** One value of a declared family. */
export interface Sample {
  readonly metric: Metric;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Part of a histogram; a bucket has the label `le` in addition to the declared ones. */
  readonly part?: HistogramPart;
  /** Exemplar of a bucket; exposed in OpenMetrics only, because the text format does not support it. */
  readonly exemplar?: Exemplar;
}

/** One observation and the trace that belongs to it. */
export interface Exemplar {
  /** 32 and 16 lowercase hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly value: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Suffixes of the sample names of a histogram. */
export type HistogramPart = '_bucket' | '_sum' | '_count';

interface MetricDefinition<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
  readonly source: string;
  readonly keep?: boolean;
  readonly essential?: boolean;
  readonly countsDropped?: true;
  readonly isCustom?: true;
}

function declareMetric<Label extends string>(type: MetricType, definition: MetricDefinition<Label>): Metric<Label> {
  const essential = definition.name.startsWith('graphwarden_');
  return { labels: [], keep: type === 'counter', essential, ...definition, type };
}

/** Declares a gauge. */
export function gauge<const Label extends string = never>(definition: MetricDefinition<Label>): Metric<Label> {
  return declareMetric('gauge', definition);
}

/** Declares a counter: its name ends in `_total`, and it stays on the page while its source fails. */
export function counter<const Label extends string = never>(definition: MetricDefinition<Label>): Metric<Label> {
  return declareMetric('counter', definition);
}

/** Declares a summary with quantiles only; `quantile` is one of its labels. */
export function summary<const Label extends string = never>(definition: MetricDefinition<Label>): Metric<Label> {
  return declareMetric('summary', definition);
}

/** Declares a histogram; the bucket bounds belong to the distribution. It stays on the page like a counter. */
export function histogram<const Label extends string = never>(definition: MetricDefinition<Label>): Metric<Label> {
  return { ...declareMetric('histogram', definition), keep: true };
}

/** Creates a sample; the compiler requires all labels of the metric and no others. */
export function sample<Label extends string>(
  metric: Metric<Label>,
  labels: Readonly<Record<NoInfer<Label>, string>>,
  value: number,
): Sample {
  return { metric, labels, value };
}
