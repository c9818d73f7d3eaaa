import { Buffer } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/expose/metrics-page.ts';
import { createTextParser } from '../../src/graphdb/exposition-parser.ts';
import { counter, gauge, type Metric, type Sample } from '../../src/metric/metric.ts';
import type { FamilyType, ParsedFamily } from '../../src/model/exposition.ts';
import { anyCharacter } from '../support/any-character.ts';
import { FakeClock } from '../support/clock.ts';
import { readExposition } from '../support/exposition.ts';
import { emptyPage, family, textOf } from './metrics-pages.ts';

const metrics: readonly Metric[] = [
  gauge({ name: 'graphdb_one', help: 'One "1".', labels: ['a', 'b'], source: '' }),
  gauge({ name: 'graphdb_two_seconds', help: '', labels: [], source: '' }),
  counter({ name: 'graphdb_three_bytes_total', help: 'Three\n\\3.', labels: ['a'], source: '' }),
];
// The reader of the tests takes no carriage return, although the format does.
const text = fc.string({ unit: anyCharacter, maxLength: 12 }).map((one) => one.replaceAll('\r', ''));
const anyValue = fc.oneof(fc.double(), fc.integer(), fc.constant(Number.NaN));
const twoLabels = fc.record({ a: text, b: text });
const ownSample: fc.Arbitrary<Sample> = fc
  .record({
    metric: fc.constantFrom(...metrics),
    labels: twoLabels,
    value: anyValue,
    count: fc.double({ min: 0, noNaN: true }),
  })
  .map(({ count, ...one }) => (one.metric.type === 'counter' ? { ...one, value: count } : one));
const labelName = fc.constantFrom('x', 'y', 'cluster_name', 'exported_cluster_name', 'node');
const word = text.map((one) => `${one}.`);
/** Samples in the form of the parser: sorted labels, no empty label, no duplicate series. */
const rows = fc.uniqueArray(
  fc.tuple(fc.dictionary(labelName, word, { maxKeys: 3, noNullPrototype: true }).map(sorted), fc.nat().map(String)),
  { maxLength: 5, selector: ([pairs]) => JSON.stringify(pairs) },
);
const serverFamily = fc
  .tuple(
    fc.constantFrom('svc_a', 'svc_b', 'svc_b_total', 'svc_c_total', 'graphdb_one'),
    fc.constantFrom<FamilyType>('gauge', 'counter', 'untyped'),
    rows,
  )
  .map(([name, type, of]) => family(name, type, of));
const serverFamilies: fc.Arbitrary<readonly ParsedFamily[]> = fc.uniqueArray(serverFamily, {
  selector: ({ name }) => name,
  maxLength: 4,
});
const put = fc.record({
  source: fc.constantFrom('a', 'b', 'c'),
  cluster: fc.constantFrom('one', 'two'),
  samples: fc.array(ownSample, { maxLength: 8 }),
  passthrough: serverFamilies,
});

describe('any sequence of puts', () => {
  it('gives pages that strict parsers of both formats accept, plain and deflated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(put, { minLength: 1, maxLength: 4 }), async (puts) => {
        const page = emptyPage();
        for (const { source, cluster, samples, passthrough } of puts) {
          await page.put(source, { labels: { cluster_name: cluster }, samples, passthrough });
        }
        const formats: readonly Format[] = ['text', 'openmetrics'];
        for (const format of formats) {
          const plain = await textOf(page, format);
          readExposition(plain, format);
          expect(gunzipSync(Buffer.concat((await page.body(format, 'gzip', '')).pieces)).toString()).toBe(plain);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('shows each sample with its labels and value, or counts it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ownSample, { maxLength: 12 }), async (samples) => {
        const page = emptyPage();
        const shown = await page.put('a', { labels: { cluster_name: 'x' }, samples });
        const families = readExposition(await textOf(page), 'text');
        const read = [...families.values()].flatMap((one) => one.samples);
        expect(read.length).toBe(shown.series);
        expect(shown.dropped.reduce((sum, { series }) => sum + series, shown.series)).toBe(samples.length);
        for (const { metric, labels, value: number } of samples) {
          const wanted = Object.fromEntries(metric.labels.map((name) => [name, readable(labels[name] ?? '')]));
          const found = read.find(
            (one) => one.name === metric.name && sameLabels(one.labels, { cluster_name: 'x', ...wanted }),
          );
          expect(found).toBeDefined();
          const first = samples.find(
            (one) =>
              one.metric === metric && metric.labels.every((name) => readable(one.labels[name] ?? '') === wanted[name]),
          );
          if (first?.value === number) expect(found?.value).toBe(number === 0 ? 0 : number);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('gives a page that the parser of graphwarden accepts', async () => {
    await fc.assert(
      fc.asyncProperty(serverFamilies, async (passthrough) => {
        const parser = createTextParser(new FakeClock());
        const page = emptyPage();
        const { series } = await page.put('a', { labels: { cluster_name: 'x' }, samples: [], passthrough });
        const first = await textOf(page, 'text', 'end 1\n');
        const result = await parser.parse(Buffer.from(first));
        if (!result.ok) expect.fail(result.error);
        expect(result.value.rejected).toBe(0);
        expect(result.value.families.reduce((sum, one) => sum + one.series.length, 0)).toBe(series + 1);
        const again = emptyPage();
        await again.put('a', { labels: {}, samples: [], passthrough: result.value.families });
        expect(linesIn(await textOf(again))).toEqual(linesIn(first));
      }),
      { numRuns: 200 },
    );
  });
});

function sorted(labels: Record<string, string>): Record<string, string> {
  return Object.fromEntries(byName(labels));
}

function byName(labels: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function readable(value: string): string {
  return value.toWellFormed();
}

function sameLabels(one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>): boolean {
  return JSON.stringify(byName(one)) === JSON.stringify(byName(other));
}

function linesIn(page: string): readonly string[] {
  return page
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .toSorted();
}
