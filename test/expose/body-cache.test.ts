import { Buffer } from 'node:buffer';
import { promisify } from 'node:util';
import { deflateRaw, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createMetricsPage } from '../../src/expose/create-metrics-page.ts';
import type { Format, MetricsPage } from '../../src/expose/metrics-page.ts';
import { sample } from '../../src/metric/metric.ts';
import { FakeClock } from '../support/clock.ts';
import { connections, content, emptyPage, family, textOf, up, wideLimits } from './metrics-pages.ts';

async function unzipped(page: MetricsPage, format: Format = 'text', tail = ''): Promise<string> {
  return gunzipSync(Buffer.concat((await page.body(format, 'gzip', tail)).pieces)).toString();
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

  it('contains all previous puts after each put, plain and deflated', async () => {
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

  it('returns the same bytes of a long fragment to every scrape until they change', async () => {
    const page = emptyPage();
    await page.put('a', content('a', many(0)));
    const plain = await page.body('text', 'identity', '');
    const metrics = await page.body('openmetrics', 'identity', '');
    const long = plain.pieces.find((piece) => piece.length > 100_000);
    expect(long).toBeDefined();
    expect(metrics.pieces).toContain(long);
    await page.put('b', content('b', [sample(up, {}, 1)]));
    expect((await page.body('text', 'identity', '')).pieces).toContain(long);
    await page.put('a', content('a', many(1)));
    expect((await page.body('text', 'identity', '')).pieces).not.toContain(long);
  });

  it('serves many scrapes at once', async () => {
    const page = emptyPage();
    await page.put('a', content('a', many(0)));
    const expected = await textOf(page, 'text', 'tail 1\n');
    const all = await Promise.all(Array.from({ length: 50 }, () => unzipped(page, 'text', 'tail 1\n')));
    expect(new Set(all)).toEqual(new Set([expected]));
  });

  it('joins short fragments up to a maximum size', async () => {
    const page = emptyPage();
    const families = Array.from({ length: 200 }, (_, at) =>
      family(
        `svc_${at}`,
        'gauge',
        Array.from({ length: 100 }, (_unused, row) => [{ row: `${row}`.repeat(5) }, '1'] as const),
      ),
    );
    await page.put('a', content('a', [], families));
    const { pieces } = await page.body('text', 'identity', '');
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.length).toBeLessThan(12);
    expect(await unzipped(page)).toBe(await textOf(page));
  });

  it('is still served compressed after hours without a scrape', async () => {
    const clock = new FakeClock();
    const page = createMetricsPage(wideLimits, clock);
    await page.put('a', content('a', many(0)));
    await clock.advance(7_200_000);
    await page.put('a', content('a', many(1)));
    expect(await unzipped(page)).toBe(await textOf(page));
    await page.put('a', content('a', many(2)));
    expect(await unzipped(page)).toBe(await textOf(page));
  });
});

/** Fills the thread pool, so that later work has to wait. */
async function occupyThreads(): Promise<void> {
  const work = promisify(deflateRaw);
  const noise = Buffer.from(Array.from({ length: 4_000_000 }, (_, at) => (at * at) % 251));
  await Promise.all(Array.from({ length: 8 }, () => work(noise)));
}

/** The memory of the one long piece, and what it said when it was handed out. */
async function longPiece(page: MetricsPage) {
  const { pieces, release } = await page.body('text', 'identity', '');
  const long = pieces.find((piece) => piece.length > 100_000);
  if (long === undefined) expect.fail('no long piece');
  return { long, memory: long.buffer, text: Buffer.from(long).toString(), release };
}

describe('the memory of long fragments', () => {
  it('is reused when no response reads it any more', async () => {
    const page = emptyPage();
    const memories = new Set<ArrayBufferLike>();
    for (let value = 0; value < 6; value += 1) {
      await page.put('a', content('a', many(value)));
      const { memory, release } = await longPiece(page);
      release();
      memories.add(memory);
      expect(await unzipped(page)).toBe(await textOf(page));
    }
    expect(memories.size).toBeLessThanOrEqual(3);
  });

  it('is not overwritten while a response sends it', async () => {
    const page = emptyPage();
    const lent: Awaited<ReturnType<typeof longPiece>>[] = [];
    for (let value = 0; value < 4; value += 1) {
      await page.put('a', content('a', many(value)));
      lent.push(await longPiece(page));
    }
    for (let value = 4; value < 8; value += 1) await page.put('a', content('a', many(value)));
    for (const { long, text } of lent) expect(Buffer.from(long).toString()).toBe(text);
    expect(new Set(lent.map(({ memory }) => memory)).size).toBe(4);
  });

  it('is not changed while it is being deflated', async () => {
    const clock = new FakeClock();
    const page = createMetricsPage(wideLimits, clock);
    await page.put('a', content('a', many(0)));
    // After hours without a scrape, a fragment is compressed by the next scrape and not when it arrives.
    await clock.advance(7_200_000);
    await page.put('a', content('a', many(1)));
    const expected = await textOf(page);
    const idle = occupyThreads();
    const zipped = unzipped(page);
    for (let value = 2; value < 6; value += 1) await page.put('a', content('a', many(value)));
    expect(await zipped).toBe(expected);
    await idle;
  });

  it('follows a fragment that grows and shrinks', async () => {
    const page = emptyPage();
    for (const count of [3000, 3000, 3000, 9000, 9000, 9000, 3000, 3000, 3000]) {
      await page.put('a', content('a', many(count, count)));
      expect((await textOf(page)).split('\n')).toHaveLength(count + 3);
      expect(await unzipped(page)).toBe(await textOf(page));
    }
  });
});
