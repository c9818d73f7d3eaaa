import { expect, it } from 'vitest';
import { tracingMetrics, tracingSamples } from '../../../src/app/tracing/tracing.ts';
import { spanDropReasons } from '../../../src/model/span.ts';

it('counts exported and dropped spans, with all reasons from the start', () => {
  const dropped = { queue_full: 1, unreachable: 2, timeout: 3, refused: 4, headers: 5, stopped: 6 };
  const samples = tracingSamples({ exported: 7, dropped });
  expect(samples.map(({ metric, labels, value }) => [metric.name, labels.reason, value])).toEqual([
    ['graphwarden_spans_exported_total', undefined, 7],
    ...spanDropReasons.map((reason) => ['graphwarden_spans_dropped_total', reason, dropped[reason]]),
  ]);
  expect(new Set(samples.map(({ metric }) => metric))).toEqual(new Set(tracingMetrics));
});
