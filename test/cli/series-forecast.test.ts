import { expect, it } from 'vitest';
import { SeriesForecast } from '../../src/cli/series-forecast.ts';
import type { Collector } from '../../src/collect/collector.ts';
import { delayedQueries } from '../../src/collect/delayed-queries.ts';
import type { PollResult } from '../../src/collect/poll-runner.ts';
import { services } from '../../src/collect/services.ts';
import { failure } from '../../src/kernel/failure.ts';
import { err, ok } from '../../src/kernel/result.ts';
import type { ServiceState } from '../../src/model/service.ts';
import { clusterOf, settingsOf } from '../app/fakes.ts';
import { wideLimits } from '../expose/metrics-pages.ts';
import { FakeClock } from '../support/clock.ts';

const prod = clusterOf('prod', ['m1', 'm2']);
const now = { wall: 0, mono: 0 };

function planned(collector: Collector, more: object = {}) {
  return { collector, settings: { ...settingsOf(collector), ...more } };
}

function forecastWith(seriesPerFamily: number): SeriesForecast {
  return new SeriesForecast({ ...wideLimits, seriesPerFamily }, [planned(services)], new FakeClock());
}

function resultOf(result: PollResult['result']): PollResult {
  return { result, source: 'm1', started: now, ended: now };
}

const instances = ['1', '2', '3'].map((replica): ServiceState => {
  return {
    service: 'GPE',
    partition: '1',
    replica,
    status: 'Online',
    process: 'Running',
    eventId: '',
    timestampNs: '1',
  };
});

it('series forecast › predicts the series that a limit drops, for each cluster', async () => {
  const forecast = forecastWith(2);
  await forecast.add(prod, planned(services), 'm1', resultOf(ok(instances)));
  await forecast.add(clusterOf('test', ['t1']), planned(services), 't1', resultOf(ok(instances.slice(1))));
  expect(forecast.overLimit('prod')).toEqual([
    { reason: 'series_per_family', series: 1, families: ['graphdb_service_process_running'] },
  ]);
  expect(forecast.overLimit('test')).toEqual([]);
});

it('series forecast › counts the facts of a cluster once, whichever node answers', async () => {
  const forecast = forecastWith(3);
  await forecast.add(prod, planned(services), 'm1', resultOf(err(failure('timeout', 'no'))));
  expect(forecast.needs(prod, planned(services))).toBe(true);
  await forecast.add(prod, planned(services), 'm1', resultOf(ok(instances)));
  expect(forecast.needs(prod, planned(services))).toBe(false);
  await forecast.add(prod, planned(services), 'm2', resultOf(ok(instances)));
  expect(forecast.overLimit('prod')).toEqual([]);
});

it('series forecast › needs the facts of every node, and no check that runs on a schedule', () => {
  const forecast = forecastWith(3);
  expect(forecast.needs(prod, planned(delayedQueries))).toBe(true);
  expect(forecast.needs(prod, planned(delayedQueries, { schedule: '0 3 * * SUN' }))).toBe(false);
});
