import { describe, expect, it } from 'vitest';
import { batchOptions, metricExportTimes, spanLimits } from '../../../src/runtime/telemetry/otel-environment.ts';

it.each([
  [undefined, 2048],
  ['', 2048],
  ['  ', 2048],
  ['16', 16],
  ['0', 2048],
  ['-1', 2048],
  ['many', 2048],
])('OTEL_BSP_MAX_QUEUE_SIZE=%j: %d spans may wait', (text, capacity) => {
  expect(batchOptions({ OTEL_BSP_MAX_QUEUE_SIZE: text }).maxQueueSize).toBe(capacity);
});

it('OpenTelemetry environment › batches follow the standard environment variables', () => {
  const said = { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '9', OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_BSP_EXPORT_TIMEOUT: '300' };
  expect(batchOptions(said)).toEqual({
    maxQueueSize: 2048,
    maxExportBatchSize: 9,
    scheduledDelayMillis: 20,
    exportTimeoutMillis: 300,
  });
});

describe('spanLimits', () => {
  it('is empty without variables', () => {
    expect(spanLimits({ OTEL_SPAN_LINK_COUNT_LIMIT: 'x' })).toEqual({});
  });

  it('prefers the limit of spans to the general one', () => {
    const general = { OTEL_ATTRIBUTE_COUNT_LIMIT: '7', OTEL_SPAN_EVENT_COUNT_LIMIT: '3' };
    expect(spanLimits(general)).toEqual({ attributeCountLimit: 7, eventCountLimit: 3 });
    expect(spanLimits({ ...general, OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '8' })).toMatchObject({ attributeCountLimit: 8 });
  });
});

it.each([
  [{}, undefined, 60_000, 30_000],
  [{ OTEL_METRIC_EXPORT_INTERVAL: '5000' }, undefined, 5000, 5000],
  [{ OTEL_METRIC_EXPORT_INTERVAL: '5000', OTEL_METRIC_EXPORT_TIMEOUT: '100' }, 20_000, 20_000, 100],
])(
  'OpenTelemetry environment › exports metrics by %j and %s ms every %d ms, for at most %d ms',
  (environment, interval, every, most) => {
    expect(metricExportTimes(environment, interval)).toEqual({
      exportIntervalMillis: every,
      exportTimeoutMillis: most,
    });
  },
);
