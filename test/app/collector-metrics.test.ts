import { describe, expect, it } from 'vitest';
import { CollectorRecord, collectorMetrics } from '../../src/app/collector-metrics.ts';
import { skipReasons } from '../../src/app/pace.ts';
import type { Reading } from '../../src/collect/runner.ts';
import { failure, failureReasons } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';

const shown = { series: 12, dropped: 3 };

function reading(result: Reading['result']): Reading {
  return {
    result,
    source: 'm1',
    started: { wall: 1_790_000_000_000, mono: 0 },
    ended: { wall: 1_790_000_000_250, mono: 250 },
  };
}

function valuesOf(record: CollectorRecord): Readonly<Record<string, number>> {
  const entries = [...record.samples('queries')].map(({ metric, labels, value }) => {
    expect(labels.collector).toBe('queries');
    return [[metric.name.replace('graphwarden_collector_', ''), labels.reason].filter(Boolean).join(' '), value];
  });
  return Object.fromEntries(entries);
}

describe('what is counted about a collector', () => {
  it('begins with every reason at 0', () => {
    const values = valuesOf(new CollectorRecord());
    for (const reason of failureReasons) expect(values[`failures_total ${reason}`]).toBe(0);
    for (const reason of skipReasons) expect(values[`skipped_total ${reason}`]).toBe(0);
    expect(values).toMatchObject({ series: 0, series_dropped_total: 0, last_success_timestamp_seconds: 0 });
    expect(values).not.toHaveProperty('success');
    expect(values).not.toHaveProperty('duration_seconds');
    expect(values).not.toHaveProperty('interval_seconds');
  });

  it('is the last reading, its cost and its size', () => {
    const record = new CollectorRecord();
    record.interval = 20_000;
    record.count(reading(ok('facts')), shown);
    expect(valuesOf(record)).toMatchObject({
      success: 1,
      duration_seconds: 0.25,
      last_success_timestamp_seconds: 1_790_000_000.25,
      interval_seconds: 20,
      series: 12,
      series_dropped_total: 3,
    });
  });

  it('adds up failures by reason, and what was dropped, and keeps the last success', () => {
    const record = new CollectorRecord();
    record.count(reading(ok('facts')), shown);
    record.count(reading(err(failure('auth', 'no'))), { series: 0, dropped: 0 });
    record.count(reading(err(failure('auth', 'no'))), shown);
    record.count(reading(err(failure('tls', 'no'))), { series: 0, dropped: 0 });
    expect(valuesOf(record)).toMatchObject({
      'failures_total auth': 2,
      'failures_total tls': 1,
      success: 0,
      series: 0,
      series_dropped_total: 6,
      last_success_timestamp_seconds: 1_790_000_000.25,
    });
  });

  it('adds up skipped beats by reason', () => {
    const record = new CollectorRecord();
    record.skip('overlap', 2);
    record.skip('overlap', 1);
    record.skip('backoff', 7);
    expect(valuesOf(record)).toMatchObject({ 'skipped_total overlap': 3, 'skipped_total backoff': 7 });
  });

  it('uses declared families alone, each named as the contract names it', () => {
    const record = new CollectorRecord();
    record.interval = 1;
    record.count(reading(ok('facts')), shown);
    const used = new Set([...record.samples('queries')].map(({ metric }) => metric));
    expect(used).toEqual(new Set(collectorMetrics));
    for (const { name, type } of collectorMetrics) {
      expect(name).toMatch(/^graphwarden_collector_[a-z_]+$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
    }
  });
});
