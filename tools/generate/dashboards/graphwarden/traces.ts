import { collapsedRow, query, timeseries } from '../panels.ts';
import { increase } from '../promql.ts';

const off = 'tracing is disabled';

/** Whether the trace backend accepts spans. */
export const traces = collapsedRow('Traces', 12, [
  timeseries(
    'Exported spans',
    'Spans that the trace backend accepted, within each step of the graph.',
    query(increase('graphwarden_spans_exported_total'), '{{instance}}'),
    { emptyWhenHealthy: off },
  ),
  timeseries(
    'Dropped spans and data points',
    'Spans and metric data points that were not sent, or that the OTLP endpoint rejected, by reason. No other function waits for the export.',
    [
      query(increase('graphwarden_spans_dropped_total'), '{{instance}} spans {{reason}}'),
      query(increase('graphwarden_metric_points_dropped_total'), '{{instance}} data points {{reason}}'),
    ],
    { emptyWhenHealthy: off, stacked: true },
  ),
]);
