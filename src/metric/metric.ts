/** The kinds of family that we declare. */
export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary';

/**
 * A declared family. `labels` are the family's own; the runner puts `cluster_name`, the cluster's labels
 * and, for what belongs to one node, `node` before them. Everything on the page comes from a declaration,
 * so the catalogue and the documents are complete.
 */
export interface Metric<Label extends string = string> {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string;
  readonly labels: readonly Label[];
  /** Where the value comes from: the server's endpoint and field. */
  readonly source: string;
  /** Stays on the page when a later reading fails: counters, and the last result of a check. */
  readonly keep: boolean;
}

/** One value of a declared family. */
export interface Sample {
  readonly metric: Metric;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** What of a histogram it is; a bucket has the label `le` beside those that are declared. */
  readonly part?: HistogramPart;
  /** For buckets; shown in OpenMetrics alone, the older format has no place for it. */
  readonly exemplar?: Exemplar;
}

/** One observation of many, and the trace that tells of it. */
export interface Exemplar {
  /** 32 and 16 lowercase hexadecimal digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly value: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What the samples of a histogram are called after the name of their family. */
export type HistogramPart = '_bucket' | '_sum' | '_count';

interface Definition<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly Label[];
  readonly source: string;
  readonly keep?: boolean;
}

function declare<Label extends string>(type: MetricType, definition: Definition<Label>): Metric<Label> {
  return { labels: [], keep: type === 'counter', ...definition, type };
}

/** Declares a gauge. */
export function gauge<const Label extends string = never>(definition: Definition<Label>): Metric<Label> {
  return declare('gauge', definition);
}

/** Declares a counter: its name ends in `_total`, and it stays on the page while its source is silent. */
export function counter<const Label extends string = never>(definition: Definition<Label>): Metric<Label> {
  return declare('counter', definition);
}

/** Declares a summary of quantiles alone; `quantile` is one of its labels. */
export function summary<const Label extends string = never>(definition: Definition<Label>): Metric<Label> {
  return declare('summary', definition);
}

/** Declares a histogram; `bounds` of its buckets belong to the distribution. It stays on the page as a counter does. */
export function histogram<const Label extends string = never>(definition: Definition<Label>): Metric<Label> {
  return { ...declare('histogram', definition), keep: true };
}

/** A value of `metric`: the compiler wants every one of its labels and no other. */
export function sample<Label extends string>(
  metric: Metric<Label>,
  labels: Readonly<Record<NoInfer<Label>, string>>,
  value: number,
): Sample {
  return { metric, labels, value };
}
