import { counter, type Metric, type Sample, sample } from '../metric/metric.ts';
import { type SpanTally, spanDropReasons } from '../model/tracing.ts';

const exported = counter({
  name: 'graphwarden_spans_exported_total',
  help: 'Spans that the trace backend took.',
  source: 'measured by us',
});
const dropped = counter({
  name: 'graphwarden_spans_dropped_total',
  help: 'Spans that were not sent, or that the trace backend did not take, by reason.',
  labels: ['reason'],
  source: 'measured by us',
});

/** The families in which the way out for spans tells of itself; they are there where tracing is on. */
export const tracingMetrics: readonly Metric[] = [exported, dropped];

/** What became of the spans so far. */
export function tracingSamples(tally: SpanTally): readonly Sample[] {
  return [
    sample(exported, {}, tally.exported),
    ...spanDropReasons.map((reason) => sample(dropped, { reason }, tally.dropped[reason])),
  ];
}
