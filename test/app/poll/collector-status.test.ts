import { describe, expect, it } from 'vitest';
import { CollectorStatus, collectorMetrics } from '../../../src/app/poll/collector-status.ts';
import { pollSkipReasons } from '../../../src/app/poll/poll-pacing.ts';
import type { PollResult } from '../../../src/collect/poll-runner.ts';
import type { SeriesCounts } from '../../../src/expose/metrics-page.ts';
import { failure, failureReasons } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import type { Sample } from '../../../src/metric/metric.ts';

const shown: SeriesCounts = {
  series: 12,
  dropped: [{ reason: 'duplicate', family: 'graphdb_load', series: 3 }],
  cutLabels: 0,
};
const nothing: SeriesCounts = { series: 0, dropped: [], cutLabels: 0 };

function reading(result: PollResult['result']): PollResult {
  return {
    result,
    source: 'm1',
    started: { wall: 1_790_000_000_000, mono: 0 },
    ended: { wall: 1_790_000_000_250, mono: 250 },
  };
}

function shownAt(record: CollectorStatus, mono: number, scope: 'node' | 'cluster' = 'node'): readonly Sample[] {
  return [...record.samples({ name: 'queries', scope }, { wall: 0, mono })];
}

function valuesOf(record: CollectorStatus, scope: 'node' | 'cluster' = 'node'): Readonly<Record<string, number>> {
  // A new series is 0 for a minute.
  for (const mono of [0, 60_000]) shownAt(record, mono, scope);
  const entries = shownAt(record, 60_000, scope).map(({ metric, labels, value }) => {
    expect(labels.collector).toBe('queries');
    return [[metric.name.replace('graphwarden_collector_', ''), labels.reason].filter(Boolean).join(' '), value];
  });
  return Object.fromEntries(entries);
}

describe('status of a collector', () => {
  it('begins with every reason of failed polls at 0, and without skipped polls', () => {
    const values = valuesOf(new CollectorStatus());
    for (const reason of failureReasons) expect(values[`failures_total ${reason}`]).toBe(0);
    for (const reason of pollSkipReasons) expect(values).not.toHaveProperty([`skipped_total ${reason}`]);
    expect(values).toMatchObject({ series: 0, last_success_timestamp_seconds: 0 });
    expect(values).not.toHaveProperty('success');
    expect(values).not.toHaveProperty('duration_seconds');
    expect(values).not.toHaveProperty('interval_seconds');
    expect(values).not.toHaveProperty('configured_interval_seconds');
  });

  it('contains the latest poll, its cost and its size', () => {
    const record = new CollectorStatus();
    record.configure(5000);
    record.interval = 20_000;
    record.count(reading(ok('facts')), shown);
    expect(valuesOf(record)).not.toHaveProperty('failing tls');
    expect(valuesOf(record)).toMatchObject({
      success: 1,
      duration_seconds: 0.25,
      last_success_timestamp_seconds: 1_790_000_000.25,
      interval_seconds: 20,
      configured_interval_seconds: 5,
      series: 12,
      'series_dropped_total duplicate': 3,
    });
  });

  it('counts failures by reason and dropped series, and keeps the last success', () => {
    const record = new CollectorStatus();
    record.count(reading(ok('facts')), shown);
    record.count(reading(err(failure('auth', 'no'))), nothing);
    record.count(reading(err(failure('auth', 'no'))), shown);
    record.count(reading(err(failure('tls', 'no'))), nothing);
    expect(valuesOf(record)).not.toHaveProperty('failing auth');
    expect(valuesOf(record)).toMatchObject({
      'failures_total auth': 2,
      'failures_total tls': 1,
      'failing tls': 1,
      success: 0,
      series: 0,
      'series_dropped_total duplicate': 6,
      last_success_timestamp_seconds: 1_790_000_000.25,
    });
  });

  it('shows a reason of failed sources from its first use on: 0 for a minute, then the count', () => {
    const record = new CollectorStatus();
    const failedSource = { ...reading(ok('facts')), failedAttempts: [{ node: 'm1', error: failure('auth', 'no') }] };
    const countsAt = (mono: number): readonly number[] =>
      shownAt(record, mono, 'cluster')
        .filter(({ metric }) => metric.name === 'graphwarden_collector_source_failures_total')
        .map(({ value }) => value);
    expect(countsAt(1000)).toEqual([]);
    record.count(failedSource, shown);
    expect(countsAt(2000)).toEqual([0]);
    record.count(failedSource, shown);
    expect(countsAt(61_999)).toEqual([0]);
    expect([61_999, 62_000].map((mono) => record.isOutdated({ wall: 0, mono }))).toEqual([false, true]);
    expect(countsAt(62_000)).toEqual([2]);
    expect(record.isOutdated({ wall: 0, mono: 99_000 })).toBe(false);
  });

  it('counts skipped polls by reason', () => {
    const record = new CollectorStatus();
    record.skip('overlap', 2);
    record.skip('overlap', 1);
    record.skip('backoff', 7);
    expect(valuesOf(record)).toMatchObject({ 'skipped_total overlap': 3, 'skipped_total backoff': 7 });
  });

  it('counts the nodes that failed to return a cluster-scoped fact, also if another node returned it', () => {
    const record = new CollectorStatus();
    const tries = [
      { node: 'm1', error: failure('timeout', 'no') },
      { node: 'm2', error: failure('auth', 'no') },
    ];
    record.count({ ...reading(ok('facts')), failedAttempts: tries }, shown);
    record.count({ ...reading(err(failure('timeout', 'no'))), failedAttempts: tries.slice(0, 1) }, shown);
    record.sourceSwitches = 3;
    expect(valuesOf(record, 'cluster')).toMatchObject({
      'source_failures_total timeout': 2,
      'source_failures_total auth': 1,
      source_switches_total: 3,
      'failures_total timeout': 1,
    });
  });

  it('has no alternative sources for a node-scoped fact', () => {
    const names = Object.keys(valuesOf(new CollectorStatus(), 'node'));
    expect(names.filter((name) => name.startsWith('source_'))).toEqual([]);
  });

  it('has the time of the first success and of the first answer since a failure', () => {
    const record = new CollectorStatus();
    const at = (mono: number, result: PollResult['result']): PollResult => ({
      ...reading(result),
      ended: { wall: 1_790_000_000_000 + mono, mono },
    });
    record.count(at(1000, ok('facts')), shown);
    record.count(at(2000, { ...err(failure('auth', 'no')), partial: 'half' }), shown);
    record.count(at(3000, err(failure('auth', 'no'))), shown);
    record.count(at(4000, err(failure('tls', 'no'))), shown);
    expect([record.success.since?.mono, record.answered.since?.mono]).toEqual([2000, 3000]);
  });

  it('counts implausible entries by reason', () => {
    const record = new CollectorStatus(5000, new Map([['endpoint', 2]]));
    shownAt(record, 0);
    const counted = shownAt(record, 60_000).filter(({ metric }) => metric.name.includes('implausible'));
    expect(counted.map(({ labels, value }) => [labels.reason, value])).toEqual([['endpoint', 2]]);
  });

  it('uses declared families alone, each named as the contract names it', () => {
    const record = new CollectorStatus();
    record.configure(1);
    record.count(reading(err(failure('tls', 'no'))), shown);
    const used = new Set(shownAt(record, 0, 'cluster').map(({ metric }) => metric));
    for (const one of used) expect(collectorMetrics).toContain(one);
    for (const { name, type } of collectorMetrics) {
      expect(name).toMatch(/^graphwarden_(?:collector|implausible)_[a-z_]+$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
    }
  });
});
