import { describe, expect, it } from 'vitest';
import { DroppedSeries } from '../../../src/app/poll/dropped-series.ts';
import type { SeriesDrop, SeriesDropReason } from '../../../src/model/series-drop.ts';
import { recordingLogger } from '../../support/logger.ts';

function drop(family: string, series = 1, reason: SeriesDropReason = 'series_per_family'): SeriesDrop {
  return { reason, family, series };
}

function setUp() {
  const log = recordingLogger();
  return {
    log,
    dropped: new DroppedSeries(log),
    messages: () => log.lines.splice(0).map(({ level, message, fields }) => [level, message, fields]),
  };
}

describe('dropped series', () => {
  it('are added up for each cluster, over all sources', () => {
    const { dropped } = setUp();
    dropped.update([
      ['prod', [drop('a', 2)]],
      ['prod', [drop('b', 3), drop('a', 1, 'duplicate')]],
      ['test', []],
    ]);
    expect(dropped.of('prod')).toEqual([
      { reason: 'series_per_family', series: 5, families: ['b', 'a'] },
      { reason: 'duplicate', series: 1, families: ['a'] },
    ]);
    expect(dropped.of('test')).toEqual([]);
    expect([...dropped.clusters()]).toEqual(['prod']);
    expect(dropped.samples('prod').map(({ labels, value }) => [labels.reason, value])).toEqual([
      ['series_per_family', 5],
      ['duplicate', 1],
    ]);
  });

  it('are logged when they begin, when further families follow, and when they end', () => {
    const { dropped, messages } = setUp();
    const facts = { cluster: 'prod', reason: 'series_per_family' };
    dropped.update([['prod', [drop('a', 2)]]]);
    expect(messages()).toEqual([['warn', 'series dropped', { ...facts, series: 2, families: 'a' }]]);
    dropped.update([['prod', [drop('a', 3)]]]);
    expect(messages()).toEqual([]);
    dropped.update([['prod', [drop('a', 3), drop('b', 4)]]]);
    expect(messages()).toEqual([['warn', 'series dropped', { ...facts, series: 7, families: 'b' }]]);
    // A family is logged once, also if it ends and begins again while others last.
    dropped.update([['prod', [drop('b', 4)]]]);
    dropped.update([['prod', [drop('a', 3), drop('b', 4)]]]);
    expect(messages()).toEqual([]);
    dropped.update([]);
    expect(messages()).toEqual([['info', 'series drop ended', facts]]);
    dropped.update([]);
    expect(messages()).toEqual([]);
    dropped.update([['prod', [drop('a', 1)]]]);
    expect(messages()).toHaveLength(1);
  });

  it('of one reason can end while those of another continue', () => {
    const { dropped, messages } = setUp();
    dropped.update([['prod', [drop('a'), drop('b', 1, 'type_conflict')]]]);
    messages();
    dropped.update([['prod', [drop('b', 1, 'type_conflict')]]]);
    expect(messages()).toEqual([['info', 'series drop ended', { cluster: 'prod', reason: 'series_per_family' }]]);
  });

  it('are not logged if two collectors have the same series, because no series is missing', () => {
    const { dropped, messages } = setUp();
    dropped.update([['prod', [drop('a', 1, 'duplicate')]]]);
    dropped.update([]);
    expect(messages()).toEqual([]);
  });
});
