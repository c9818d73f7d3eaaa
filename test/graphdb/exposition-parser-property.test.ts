import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTextParser } from '../../src/graphdb/exposition-parser.ts';
import { valueTextAt } from '../../src/model/exposition.ts';
import { anyCharacter } from '../support/any-character.ts';
import { FakeClock } from '../support/clock.ts';
import { parsed } from './exposition-pages.ts';

const name = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,12}$/);
const labelName = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,8}$/);
const labelValue = fc.string({ unit: anyCharacter, maxLength: 20 });
const labels = fc.dictionary(labelName, labelValue, { maxKeys: 4 }).map((entries) => Object.entries(entries));
const number = fc
  .double()
  .map(String)
  .map((text) => text.replace('Infinity', 'Inf'));
const blanks = fc.stringMatching(/^[ \t]{0,2}$/);

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

it('the exposition parser never throws, for any bytes', async () => {
  const parser = createTextParser(new FakeClock());
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (body) => {
      const result = await parser.parse(body);
      expect(result.ok ? result.value.rejected : result.error.length).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 500 },
  );
});

it('the exposition parser never throws on damaged pages, and counts every line once', async () => {
  const parser = createTextParser(new FakeClock());
  const piece = fc.constantFrom(
    '{',
    '}',
    '"',
    '\\',
    ',',
    '=',
    ' ',
    '\t',
    '#',
    '# TYPE a ',
    'histogram',
    'a',
    '_sum',
    '1',
    '.',
    'e',
  );
  const line = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
      const { families, rejected } = await parsed(`good_line 1\n${lines.join('\n')}\n`, parser);
      const written = lines.filter((text) => !/^[ \t]*(?:#|$)/.test(text)).length + 1;
      expect(families.reduce((sum, { series }) => sum + series.length, 0) + rejected).toBe(written);
    }),
    { numRuns: 1000 },
  );
});

it('the exposition parser treats a series with an empty label as the series without it on an earlier page', async () => {
  const parser = createTextParser(new FakeClock());
  await parsed('a{b="c"} 1\n', parser);
  const { families } = await parsed('a{b="c",d=""} 2\n', parser);
  expect(families.map(({ series }) => series.map(({ pairs }) => pairs))).toEqual([[['b', 'c']]]);
});

it('the exposition parser accepts every valid page, with blanks wherever the format allows them', async () => {
  const row = fc.record({ name, labels, number, blank: blanks });
  const parser = createTextParser(new FakeClock());
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(row, { selector: (one) => one.name, maxLength: 8 }), async (rows) => {
      const kept = rows.filter((one) => one.labels.every(([label]) => label !== '__name__'));
      const lines = kept.map(({ name: own, labels: pairs, number: value, blank }) => {
        const written = pairs.map(([label, one]) => `${blank}${label}${blank}="${escaped(one)}"`).join(`${blank},`);
        return `${blank}${own}${pairs.length === 0 ? '' : `{${written}${blank}}`} ${blank}${value}`;
      });
      const page = await parsed(`before 1\n${lines.join('\n')}\n`, parser);
      const read = page.families.flatMap(({ series, values }) =>
        series.map((one, at) => [one.name, ...filled(pairsOf(one.pairs)), valueTextAt(values, at)].join(' ')),
      );
      expect(read.slice(1)).toEqual(
        kept
          .filter((one) => one.name !== 'before')
          .map((one) => [one.name, ...filled(one.labels), canonical(one.number)].join(' ')),
      );
    }),
    { numRuns: 500 },
  );
});

function pairsOf(flat: readonly string[]): readonly (readonly [string, string])[] {
  return flat.flatMap((label, at) => (at % 2 === 0 ? [[label, flat[at + 1] ?? ''] as const] : []));
}

/** An empty label is none: a series that an earlier page had without it is the same. */
function filled(pairs: readonly (readonly [string, string])[]): readonly string[] {
  return pairs.filter(([, value]) => value !== '').flat();
}

function canonical(value: string): string {
  return value === 'Inf' ? '+Inf' : value;
}
