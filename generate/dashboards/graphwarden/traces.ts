import type { RowDefinition } from '../definition.ts';
import { increase } from '../series.ts';

const off = 'nothing is traced';

/** Whether spans arrive where they are sent. */
export const traces: RowDefinition = {
  title: 'Traces',
  panels: [
    {
      look: 'timeseries',
      title: 'Spans sent',
      description: 'Spans that the trace backend took, within each step of the graph.',
      unit: 'short',
      width: 12,
      queries: [{ expr: increase('graphwarden_spans_exported_total'), legend: '{{instance}}' }],
      emptyWhenHealthy: off,
      scale: { min: 0 },
    },
    {
      look: 'timeseries',
      title: 'Spans dropped',
      description:
        'Spans that were not sent, or that the trace backend did not take, by reason. Nothing waits for them.',
      unit: 'short',
      width: 12,
      queries: [{ expr: increase('graphwarden_spans_dropped_total'), legend: '{{instance}} {{reason}}' }],
      emptyWhenHealthy: off,
      stacked: true,
      scale: { min: 0 },
    },
  ],
};
