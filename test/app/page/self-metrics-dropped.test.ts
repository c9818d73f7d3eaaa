import { expect, it } from 'vitest';
import { droppedSources } from '../../../src/app/page/self-metrics.ts';
import { DroppedSeries, droppedSeriesMetrics } from '../../../src/app/poll/dropped-series.ts';
import { recordingLogger } from '../../support/logger.ts';
import { clusterOf } from '../fakes.ts';

it('self-monitoring metrics › shows the dropped series of each cluster with its labels, and no series for a cluster without drops', () => {
  const dropped = new DroppedSeries(recordingLogger());
  const clusters = [{ settings: clusterOf('prod', ['m1'], { labels: { env: 'x' } }) }];
  expect([...droppedSources(dropped, clusters)]).toEqual([]);
  dropped.update([['prod', [{ reason: 'series_per_page', family: 'graphdb_a', series: 3 }]]]);
  expect([...droppedSources(dropped, clusters)]).toMatchObject([
    [
      '["prod","dropped"]',
      {
        labels: { cluster_name: 'prod', env: 'x' },
        samples: [{ metric: { name: 'graphwarden_series_dropped' }, labels: { reason: 'series_per_page' }, value: 3 }],
      },
    ],
  ]);
  expect(droppedSeriesMetrics.map(({ name }) => name)).toEqual(['graphwarden_series_dropped']);
});
