import type { OpenMetricExporter } from '../../model/metric-export.ts';
import type { OpenTraceExporter } from '../../model/span.ts';
import { openMetricExports } from './open-metric-exports.ts';
import { openSpanExports } from './open-span-exports.ts';

/** Exporters of spans and metrics. The bundle has them in a separate file, which is loaded only if one of them is configured. */
export const exporters: { readonly openSpans: OpenTraceExporter; readonly openMetrics: OpenMetricExporter } = {
  openSpans: openSpanExports,
  openMetrics: openMetricExports,
};
