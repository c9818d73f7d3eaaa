import { describe, expect, it } from 'vitest';
import { emptyHistogram, histogramSamples, observe, withExemplar } from '../../src/metric/histogram-state.ts';
import { histogram } from '../../src/metric/metric.ts';

const latency = histogram({
  name: 'graphwarden_wait_seconds',
  help: 'How long.',
  labels: ['way'],
  source: 'our clock',
});

describe('a distribution', () => {
  it('is immutable: an observation returns a new one', () => {
    const empty = emptyHistogram([1, 5]);
    const one = observe(empty, 3);
    expect(empty).toEqual({ bounds: [1, 5], counts: [0, 0, 0], sum: 0 });
    expect(one).toEqual({ bounds: [1, 5], counts: [0, 1, 0], sum: 3 });
  });

  it('counts a value that equals a bound below it, and one above all bounds in the last bucket', () => {
    const all = [1, 5, 5.1, 0, -1].reduce(observe, emptyHistogram([1, 5]));
    expect(all.counts).toEqual([3, 1, 1]);
  });

  it('returns cumulative buckets up to +Inf, the sum and the count', () => {
    const all = [0.5, 3, 100].reduce(observe, emptyHistogram([1, 5]));
    const samples = [...histogramSamples(latency, { way: 'a' }, all)];
    expect(samples.map(({ part, labels, value }) => [part, labels, value])).toEqual([
      ['_bucket', { way: 'a', le: '1' }, 1],
      ['_bucket', { way: 'a', le: '5' }, 2],
      ['_bucket', { way: 'a', le: '+Inf' }, 3],
      ['_sum', { way: 'a' }, 103.5],
      ['_count', { way: 'a' }, 3],
    ]);
    expect(samples.every(({ metric }) => metric === latency)).toBe(true);
  });
});

/** An exemplar of this value. */
function of(value: number) {
  return { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), value, at: 1_790_000_000_000 };
}

describe('an exemplar', () => {
  it('belongs to the bucket of its value, replaces the previous one, and does not count as an observation', () => {
    const reported = [0.5, 3, 100].reduce(observe, emptyHistogram([1, 5]));
    const shown = [of(4), of(3), of(100)].reduce(withExemplar, reported);
    expect([shown.counts, shown.sum]).toEqual([reported.counts, reported.sum]);
    const samples = [...histogramSamples(latency, { way: 'a' }, shown)];
    expect(samples.map(({ exemplar }) => exemplar)).toEqual([undefined, of(3), of(100), undefined, undefined]);
    expect([...histogramSamples(latency, { way: 'a' }, reported)].some((one) => 'exemplar' in one)).toBe(false);
  });

  it('is kept after further observations', () => {
    const reported = observe(withExemplar(observe(emptyHistogram([1]), 0.5), of(0.5)), 0.7);
    expect(reported.counts).toEqual([2, 0]);
    expect(reported.exemplars?.get(0)).toEqual(of(0.5));
  });
});

describe('a histogram', () => {
  it('stays on the page while its source is silent', () => {
    expect(latency).toMatchObject({ type: 'histogram', keep: true });
  });
});
