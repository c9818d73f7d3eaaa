import { diag } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../../src/model/span.ts';
import { ExportTally } from '../../../src/runtime/tracing/export-tally.ts';
import { SpanWriter } from '../../../src/runtime/tracing/span-writer.ts';
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
  it('keeps nothing and counts nothing before it has begun', () => {
    const tally = new ExportTally(1, recordingLogger());
    const writer = new SpanWriter(tally);
    expect(writer.keeps(span.traceId)).toBe(false);
    writer.take(span);
    expect(tally.admit()).toBe(true);
  });

  it('leaves the log of the library as silent as it was', () => {
    expect(() => diag.error('nobody hears this')).not.toThrow();
  });
});
