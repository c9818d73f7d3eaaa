import type { OpenMetricExporter } from '../../model/metric-export.ts';
import type { OpenTraceExporter } from '../../model/span.ts';
import { openMetricExports } from './open-metric-exports.ts';
import { openSpanExports } from './open-span-exports.ts';

/** The exporters of both signals: the second file of the bundle, which is loaded only if something is exported. */
export const exporters: { readonly openSpans: OpenTraceExporter; readonly openMetrics: OpenMetricExporter } = {
  openSpans: openSpanExports,
  openMetrics: openMetricExports,
};
