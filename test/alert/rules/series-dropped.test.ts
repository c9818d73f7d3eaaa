import { describe, expect, it } from 'vitest';
import { seriesDropped } from '../../../src/alert/rules/series-dropped.ts';
import { findings, situationWith, view } from './rule-fixtures.ts';

function dropping(
  reason: 'series_per_family' | 'series_per_page' | 'duplicate',
  families = ['graphdb_a', 'graphdb_b'],
) {
  return situationWith({}, { dropped: [{ reason, series: 1200, families }] });
}

describe('series_dropped', () => {
  it('fires for each limit that drops series, and names the families', () => {
    expect(findings(seriesDropped, dropping('series_per_family'))).toEqual([
      { labels: { reason: 'series_per_family' }, facts: { series: '1200', families: 'graphdb_a, graphdb_b' } },
    ]);
    expect(findings(seriesDropped, dropping('series_per_page'))).toHaveLength(1);
  });

  it('does not fire without dropped series, and for other reasons', () => {
    expect(findings(seriesDropped, situationWith({}))).toEqual([]);
    expect(findings(seriesDropped, dropping('duplicate'))).toEqual([]);
  });

  it('is known when each collector with an interval was polled', () => {
    expect(isKnownWith(view('queries', 'm1'))).toBe(true);
    expect(isKnownWith(view('queries', 'm1'), neverPolled(5000))).toBe(false);
    expect(isKnownWith(view('queries', 'm1'), neverPolled())).toBe(true);
  });
});

function isKnownWith(...collectors: readonly ReturnType<typeof view>[]): boolean | undefined {
  return seriesDropped.knows?.(situationWith({}, { collectors }), {});
}

/** A collector before its first poll; without an interval, it has a schedule. */
function neverPolled(interval?: number): ReturnType<typeof view> {
  const unpolled = { collector: 'consistency', node: '', fresh: false, reason: '', message: '', dueSince: 0 } as const;
  return interval === undefined ? unpolled : { ...unpolled, interval };
}
