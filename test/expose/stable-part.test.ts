import { Buffer } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createPage } from '../../src/expose/create-page.ts';
import type { Format, Page } from '../../src/expose/page.ts';
import { sample } from '../../src/metric/metric.ts';
import { FakeClock } from '../support/clock.ts';
import { connections, content, emptyPage, family, textOf, up, wideLimits } from './pages.ts';

async function unzipped(page: Page, format: Format = 'text', tail = ''): Promise<string> {
  return gunzipSync(Buffer.concat(await page.body(format, 'gzip', tail))).toString();
}

const many = (value: number, count = 3000) =>
  Array.from({ length: count }, (_, at) => sample(connections, { host_id: `m${at}` }, value + at));

describe('the stable part', () => {
  it.each(['text', 'openmetrics'] as const)('is the same plain and deflated: %s', async (format) => {
    const page = emptyPage();
    await page.put('a', content('a', [sample(up, {}, 1), ...many(0)]));
    await page.put('b', content('b', many(5, 10)));
    for (const tail of ['', 'tail_metric 1\n', 'other 2\n']) {
      expect(await unzipped(page, format, tail)).toBe(await textOf(page, format, tail));
    }
  });

  it('shows what was put before, plain and deflated, after each put', async () => {
    const page = emptyPage();
    for (let value = 0; value < 5; value += 1) {
      await page.put('a', content('a', many(value)));
      await page.put('b', content('b', [sample(up, {}, value)]));
      const text = await unzipped(page);
      expect(text).toContain(`graphdb_up{cluster_name="b"} ${value}\n`);
      expect(text).toContain(`{cluster_name="a",host_id="m0"} ${value}\n`);
      expect(text).toBe(await textOf(page));
    }
  });

  it('hands the same bytes of a long fragment to every scrape until they change', async () => {
    const page = emptyPage();
    await page.put('a', content('a', many(0)));
    const [plain, metrics] = [await page.body('text', 'identity', ''), await page.body('openmetrics', 'identity', '')];
    const long = plain.find((piece) => piece.length > 100_000);
    expect(long).toBeDefined();
    expect(metrics).toContain(long);
    await page.put('b', content('b', [sample(up, {}, 1)]));
    expect(await page.body('text', 'identity', '')).toContain(long);
    await page.put('a', content('a', many(1)));
    expect(await page.body('text', 'identity', '')).not.toContain(long);
  });

  it('serves many scrapes at once', async () => {
    const page = emptyPage();
    await page.put('a', content('a', many(0)));
    const expected = await textOf(page, 'text', 'tail 1\n');
    const all = await Promise.all(Array.from({ length: 50 }, () => unzipped(page, 'text', 'tail 1\n')));
    expect(new Set(all)).toEqual(new Set([expected]));
  });

  it('joins short fragments, and bounds what is joined', async () => {
    const page = emptyPage();
    const families = Array.from({ length: 200 }, (_, at) =>
      family(
        `svc_${at}`,
        'gauge',
        Array.from({ length: 100 }, (_unused, row) => [{ row: `${row}`.repeat(5) }, '1'] as const),
      ),
    );
    await page.put('a', content('a', [], families));
    const pieces = await page.body('text', 'identity', '');
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.length).toBeLessThan(12);
    expect(await unzipped(page)).toBe(await textOf(page));
  });

  it('is still served deflated when nobody asked for hours', async () => {
    const clock = new FakeClock();
    const page = createPage(wideLimits, clock);
    await page.put('a', content('a', many(0)));
    await clock.advance(7_200_000);
    await page.put('a', content('a', many(1)));
    expect(await unzipped(page)).toBe(await textOf(page));
    await page.put('a', content('a', many(2)));
    expect(await unzipped(page)).toBe(await textOf(page));
  });
});
