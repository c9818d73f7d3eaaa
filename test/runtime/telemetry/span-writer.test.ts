import { diag } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../../src/model/span.ts';
import { SpanStatistics } from '../../../src/runtime/telemetry/export-statistics.ts';
import { SpanWriter } from '../../../src/runtime/telemetry/span-writer.ts';
import { recordingLogger } from '../../support/logger.ts';

const span: Span = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'n',
  kind: 'internal',
  start: 1,
  end: 2,
  attributes: {},
  events: [],
  links: [],
};

describe('SpanWriter', () => {
  it('counts its spans, except if exports are off', () => {
    const none = new SpanStatistics(1, recordingLogger());
    new SpanWriter(none, 0).record(span);
    expect(none.admit()).toBe(true);
    const some = new SpanStatistics(1, recordingLogger());
    const writer = new SpanWriter(some, 0.001);
    expect(writer.isSampled(span.traceId)).toBe(false);
    writer.record(span);
    expect(some.admit()).toBe(false);
  });

  it('always keeps spans that are marked to be kept, except if exports are off', () => {
    const writers = [0, 0.001, 1].map((share) => new SpanWriter(new SpanStatistics(1, recordingLogger()), share));
    expect(writers.map((writer) => writer.isSampled(span.traceId))).toEqual([false, false, true]);
    expect(writers.map((writer) => writer.isSampled(span.traceId, true))).toEqual([false, true, true]);
  });

  it('does not enable the log of the library', () => {
    expect(() => diag.error('this is not logged')).not.toThrow();
  });
});
