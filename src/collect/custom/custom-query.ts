import type { Metric } from '../../metric/metric.ts';
import type { QueryRun } from '../../model/query-run.ts';
import type { CollectorSettings } from '../../model/settings.ts';
import type { ValuePath } from './value-path.ts';

/** Result for a null, or for a row without the member. */
export const nullPolicies = ['skip', 'zero', 'fail'] as const;

/** Metric of a query: one sample for each row. */
export interface CustomMetric {
  readonly metric: Metric;
  readonly value: ValuePath;
  /** Paths of the labels within a row. */
  readonly labels: Readonly<Record<string, ValuePath>>;
  readonly staticLabels: Readonly<Record<string, string>>;
}

/** Mapping of the output of a query to samples. */
export interface RowMapping {
  /** Absent for one row: the first object that the query prints. */
  readonly rows?: ValuePath;
  readonly metrics: readonly CustomMetric[];
  readonly nullValue: (typeof nullPolicies)[number];
  readonly maxSeries: number;
}

/** One entry of `custom`. */
export interface CustomQuery extends RowMapping {
  readonly name: string;
  readonly run: QueryRun;
  /** Absent for all clusters. */
  readonly clusters?: readonly string[];
  /** `one`: any healthy node, for a fact of the whole cluster; otherwise each node, or each of these. */
  readonly nodes: 'one' | 'all' | readonly string[];
  /** Versions of the server that run the query, such as `4.1`; both inclusive. */
  readonly minVersion?: string;
  readonly maxVersion?: string;
  readonly polling: CollectorSettings;
}
