import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';
import { createTextParser } from '../../../src/graphdb/exposition-parser.ts';
import { startTimeSlices } from '../../../src/kernel/time-slices.ts';
import { MetricPoints } from '../../../src/runtime/telemetry/metric-points.ts';
import { FakeClock } from '../../support/clock.ts';

/** Converts pages one after another, as successive exports do. */
function exporting() {
  const clock = new FakeClock();
  const parser = createTextParser(clock, { keepsForbidden: true });
  const points = new MetricPoints();
  return async (page: string, at = 1000): Promise<readonly MetricData[]> => {
    const parsed = await parser.parse(new TextEncoder().encode(page));
    if (!parsed.ok) throw new Error(parsed.error);
    return points.convert(parsed.value.families, at, startTimeSlices(clock));
  };
}

describe('MetricPoints', () => {
  it('converts counters to monotonic sums and all other numbers to gauges, under their names', async () => {
    const metrics = await exporting()(
      [
        '# HELP a_seconds_total Time.',
        '# TYPE a_seconds_total counter',
        'a_seconds_total{x="1",empty=""} 2.5',
        '# TYPE b_bytes gauge',
        'b_bytes NaN',
        'c -Inf',
        '',
      ].join('\n'),
    );
    expect(metrics.map(({ descriptor, dataPointType }) => [descriptor.name, descriptor.unit, dataPointType])).toEqual([
      ['a_seconds_total', 's', DataPointType.SUM],
      ['b_bytes', 'By', DataPointType.GAUGE],
      ['c', '', DataPointType.GAUGE],
    ]);
    expect(metrics[0]).toMatchObject({ descriptor: { description: 'Time.' }, isMonotonic: true });
    expect(metrics.flatMap(({ dataPoints }) => dataPoints.map(({ attributes, value }) => [attributes, value]))).toEqual(
      [
        [{ x: '1' }, 2.5],
        [{}, Number.NaN],
        [{}, Number.NEGATIVE_INFINITY],
      ],
    );
  });

  it('converts a histogram to one point per label set, for any order of its buckets', async () => {
    const [metric = expect.fail(), ...more] = await exporting()(
      [
        '# TYPE h histogram',
        'h_bucket{x="1",le="+Inf"} 7',
        'h_bucket{x="1",le="0.5"} 2',
        'h_bucket{le="10",x="1"} 5',
        'h_sum{x="1"} 12.5',
        'h_count{x="1"} 7',
        'h_bucket{x="2",le="+Inf"} 0',
        'h_count{x="2"} 0',
        '',
      ].join('\n'),
    );
    expect(more).toEqual([]);
    expect(metric.dataPointType).toBe(DataPointType.HISTOGRAM);
    expect(metric.dataPoints.map(({ attributes, value }) => [attributes, value])).toEqual([
      [{ x: '1' }, { count: 7, sum: 12.5, buckets: { boundaries: [0.5, 10], counts: [2, 3, 2] } }],
      [{ x: '2' }, { count: 0, buckets: { boundaries: [], counts: [0] } }],
    ]);
  });

  it.each([
    ['falling buckets', 'h_bucket{le="1"} 3\nh_bucket{le="+Inf"} 2\nh_count 2'],
    ['another count', 'h_bucket{le="+Inf"} 2\nh_count 3'],
    ['no last bucket', 'h_bucket{le="1"} 2\nh_count 2'],
    ['no count', 'h_bucket{le="+Inf"} 2'],
    ['parts of an observation', 'h_bucket{le="+Inf"} 0.5\nh_count 0.5'],
    ['a bound twice', 'h_bucket{le="1"} 1\nh_bucket{le="1.0"} 1\nh_bucket{le="+Inf"} 1\nh_count 1'],
  ])('exports each sample of a histogram with %s as a gauge', async (_, lines) => {
    const metrics = await exporting()(`# TYPE h histogram\n${lines}\n`);
    const samples = metrics.flatMap(({ descriptor, dataPointType, dataPoints }) =>
      dataPoints.map(({ attributes }: { readonly attributes: object }) => {
        return [dataPointType, descriptor.name, JSON.stringify(attributes)].join(' ');
      }),
    );
    expect(new Set(samples).size).toBe(lines.split('\n').length);
    expect(samples.filter((text) => !text.startsWith(`${DataPointType.GAUGE} `))).toEqual([]);
  });

  it('converts the quantiles of a summary to gauges, and its sum and count to sums', async () => {
    const metrics = await exporting()('# TYPE s summary\ns{quantile="0.5"} 3\ns_sum 9\ns_count 4\n');
    expect(metrics.map(({ descriptor, dataPointType }) => [descriptor.name, dataPointType])).toEqual([
      ['s', DataPointType.GAUGE],
      ['s_sum', DataPointType.SUM],
      ['s_count', DataPointType.SUM],
    ]);
    expect(metrics[0]?.dataPoints[0]).toMatchObject({ attributes: { quantile: '0.5' }, value: 3 });
  });

  it('starts a cumulative series at its first observation, and after a reset at the one before', async () => {
    const convert = exporting();
    const starts: unknown[] = [];
    for (const [at, value] of [
      [1000, 5],
      [2000, 8],
      [3500, 1],
      [4000, 2],
    ] as const) {
      const [metric] = await convert(`# TYPE a_total counter\na_total ${value}\n`, at);
      const [point] = metric?.dataPoints ?? [];
      starts.push([point?.startTime, point?.endTime]);
    }
    expect(starts).toEqual([
      [
        [1, 0],
        [1, 0],
      ],
      [
        [1, 0],
        [2, 0],
      ],
      [
        [2, 0],
        [3, 500_000_000],
      ],
      [
        [2, 0],
        [4, 0],
      ],
    ]);
  });
});
