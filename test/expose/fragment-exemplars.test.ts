import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createMetricsPage } from '../../src/expose/create-metrics-page.ts';
import { renderExemplars } from '../../src/expose/fragment.ts';
import { renderLines } from '../../src/expose/lines.ts';
import type { Format } from '../../src/expose/metrics-page.ts';
import { emptyHistogram, histogramSamples, observe, withExemplar } from '../../src/metric/histogram-state.ts';
import { histogram, sample } from '../../src/metric/metric.ts';
import { sampleValues } from '../../src/model/exposition.ts';
import { FakeClock } from '../support/clock.ts';
import { readExposition } from '../support/exposition.ts';
import { endless } from './fragments.ts';
import { up } from './metrics-pages.ts';

const limits = {
  seriesPerFamily: 1e6,
  seriesPerCollector: 1e6,
  seriesPerPage: 1e6,
  labelValueBytes: 256,
  instanceNumber: 1000,
  body: 1e6,
};
const waits = histogram({ name: 'graphwarden_wait_seconds', help: 'How long.', labels: ['way'], source: 'test' });
const context = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const tail = ` # {trace_id="${context.traceId}",span_id="${context.spanId}"}`;
const reported = [0.5, 3, 4].reduce(observe, emptyHistogram([1, 5]));
const exemplified = withExemplar(reported, { ...context, value: 3.25, at: 1_790_000_000_125 });

async function textOf(page: ReturnType<typeof createMetricsPage>, format: Format): Promise<string> {
  const { pieces } = await page.body(format, 'identity', '');
  return Buffer.concat(pieces).toString();
}

/** Rows whose prefixes are their keys. */
function rows(keys: readonly string[], values: readonly string[]) {
  return {
    keys,
    values: sampleValues(values),
    same: (one: string, other: string) => one === other,
    prefix: (key: string) => `${key} `,
  };
}

describe('lines with exemplars', () => {
  const first = { ...context, value: 0.5, at: 1000 };
  const second = { ...context, value: 7, at: 1500 };

  it('have exemplars after their values, in any input order', async () => {
    const lines = await renderLines(rows(['a', 'b', 'c'], ['1', '2', '3']), undefined, endless());
    const exemplars = new Map([
      [2, second],
      [0, first],
    ]);
    expect(renderExemplars(lines, exemplars)?.toString()).toBe(`a 1${tail} 0.5 1\nb 2\nc 3${tail} 7 1.5\n`);
    expect(lines.bytes.toString()).toBe('a 1\nb 2\nc 3\n');
  });

  it('are absent if lines were dropped, or if there are none', async () => {
    const repeated = await renderLines(rows(['a', 'a'], ['1', '2']), undefined, endless());
    expect(renderExemplars(repeated, new Map([[0, first]]))).toBe(undefined);
    const lines = await renderLines(rows(['a'], ['1']), undefined, endless());
    expect(renderExemplars(lines, new Map([[1, first]]))).toBe(undefined);
    expect(renderExemplars(lines, new Map())).toBe(undefined);
  });
});

describe('a page', () => {
  it('shows exemplars in OpenMetrics alone', async () => {
    const page = createMetricsPage(limits, new FakeClock());
    await page.put('waits', {
      labels: { cluster_name: 'c' },
      samples: histogramSamples(waits, { way: 'x' }, exemplified),
    });
    const text = await textOf(page, 'text');
    expect(text).not.toContain('trace_id');
    readExposition(text, 'text');
    const families = readExposition(await textOf(page, 'openmetrics'), 'openmetrics');
    const buckets = families.get('graphwarden_wait_seconds')?.samples ?? [];
    expect(buckets.map(({ labels: { le }, exemplar }) => [le, exemplar])).toEqual([
      ['1', undefined],
      [
        '5',
        { labels: { trace_id: context.traceId, span_id: context.spanId }, value: 3.25, timestamp: 1_790_000_000.125 },
      ],
      ['+Inf', undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it('has the same bytes in both formats without exemplars', async () => {
    const page = createMetricsPage(limits, new FakeClock());
    await page.put('waits', { labels: {}, samples: histogramSamples(waits, { way: 'x' }, reported) });
    const [text, open] = [await textOf(page, 'text'), await textOf(page, 'openmetrics')];
    expect(open.replace('# EOF\n', '').replace(/^# UNIT .*\n/gm, '')).toBe(text);
  });

  it('drops an exemplar with its series', async () => {
    const page = createMetricsPage(limits, new FakeClock());
    await page.put('waits', { labels: {}, samples: histogramSamples(waits, { way: 'x' }, exemplified) });
    page.expire('waits');
    expect(await textOf(page, 'openmetrics')).toContain('trace_id');
    await page.put('waits', { labels: {}, samples: histogramSamples(waits, { way: 'x' }, reported) });
    expect(await textOf(page, 'openmetrics')).not.toContain('trace_id');
  });

  it('has exemplars of buckets only', async () => {
    const page = createMetricsPage(limits, new FakeClock());
    await page.put('up', {
      labels: {},
      samples: [{ ...sample(up, {}, 1), exemplar: { ...context, value: 1, at: 0 } }],
    });
    expect(await textOf(page, 'openmetrics')).not.toContain('trace_id');
  });

  it('deflates long fragments with exemplars', async () => {
    const page = createMetricsPage(limits, new FakeClock());
    const many = Array.from({ length: 100 }, (_, at) => [...histogramSamples(waits, { way: `w${at}` }, exemplified)]);
    await page.put('waits', { labels: {}, samples: many.flat() });
    const { pieces } = await page.body('openmetrics', 'gzip', '');
    expect(gunzipSync(Buffer.concat(pieces)).toString()).toBe(await textOf(page, 'openmetrics'));
  });
});
