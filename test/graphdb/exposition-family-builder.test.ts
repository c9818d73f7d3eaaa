import { describe, expect, it } from 'vitest';
import { linesOf, parsed, samplesOf } from './exposition-pages.ts';

/** Families as `name type`, and how many lines were rejected. */
async function typesOf(page: string): Promise<readonly (string | number)[]> {
  const { families, rejected } = await parsed(page);
  return [...families.map(({ name, type }) => `${name} ${type}`), rejected];
}

describe('types', () => {
  it.each([
    ['are those of the format', '# TYPE a counter\na 1\n# TYPE b gauge\nb 1\n', ['a counter', 'b gauge', 0]],
    ['are untyped without a TYPE line', 'a 1\n', ['a untyped', 0]],
    ['are untyped if the format does not have the type', '# TYPE a widget\na 1\n', ['a untyped', 0]],
    ['are untyped for the type unknown', '# TYPE a unknown\na 1\n', ['a untyped', 0]],
    ['are those of a TYPE line after the first sample', 'a 1\n# TYPE a gauge\na{x="1"} 2\n', ['a gauge', 0]],
    ['may be declared twice if they are equal', '# TYPE a gauge\na 1\n# TYPE a gauge\na{x="1"} 2\n', ['a gauge', 0]],
    [
      'are untyped for a family in two parts without TYPE lines',
      'a 1\nb 1\na{x="1"} 2\n',
      ['a untyped', 'b untyped', 0],
    ],
    [
      'are the first of two, and samples of the second are rejected',
      '# TYPE a gauge\na 1\n# TYPE a counter\na{x="1"} 2\na{x="2"} 3\n',
      ['a gauge', 2],
    ],
    [
      'accept samples again after a TYPE line that agrees',
      '# TYPE a gauge\n# TYPE a counter\na 1\n# TYPE a gauge\na{x="1"} 2\n',
      ['a gauge', 1],
    ],
    [
      'are untyped if a late histogram contradicts the samples',
      'a 1\n# TYPE a histogram\na_sum 2\n',
      ['a untyped', 'a_sum untyped', 0],
    ],
  ])('%s', async (_, page, families) => {
    expect(await typesOf(page)).toEqual(families);
  });

  it('keeps the first help', async () => {
    const { families } = await parsed('# HELP a One.\n# HELP a Two.\na 1\n');
    expect(families[0]?.help).toBe('One.');
  });
});

describe('histograms and summaries', () => {
  it('own the samples with their suffixes', async () => {
    const { families, rejected } = await parsed(
      '# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2\nh_sum 3\nh_count 2\n' +
        '# TYPE s summary\ns{quantile="0.5"} 1\ns_sum 3\ns_count 2\n',
    );
    expect(rejected).toBe(0);
    expect(families.map((family) => [family.name, ...linesOf(family)])).toEqual([
      ['h', 'h_bucket le 1 1', 'h_bucket le +Inf 2', 'h_sum 3', 'h_count 2'],
      ['s', 's quantile 0.5 1', 's_sum 3', 's_count 2'],
    ]);
  });

  it.each([
    ['a bucket without a bound', '# TYPE h histogram\nh_bucket 1\n'],
    ['a bucket with words for a bound', '# TYPE h histogram\nh_bucket{le="much"} 1\n'],
    ['a plain sample of a histogram', '# TYPE h histogram\nh 1\n'],
    ['a summary without a quantile', '# TYPE s summary\ns 1\n'],
  ])('reject %s', async (_, page) => {
    expect(await typesOf(page)).toEqual([1]);
  });

  it('leave a suffix alone that another family declares, which is withheld then', async () => {
    const page = '# TYPE s summary\n# TYPE s_count gauge\ns_count 1\ns_sum 2\n';
    expect(await typesOf(page)).toEqual(['s summary', 0]);
  });

  it('do not own suffixes of other families', async () => {
    expect(await typesOf('# TYPE g gauge\ng 1\ng_count 2\n')).toEqual(['g gauge', 'g_count untyped', 0]);
  });
});

describe('OpenMetrics', () => {
  it('names the family of a counter without _total', async () => {
    const { families } = await parsed(
      '# HELP a Count.\n# TYPE a counter\n# UNIT a things\na_total{x="1"} 1\na_total{x="2"} 2\n# EOF\n',
    );
    expect(families.map(({ name, type, help }) => [name, type, help])).toEqual([['a_total', 'counter', 'Count.']]);
  });

  it('has types that the classic format does not have', async () => {
    expect(await typesOf('# TYPE a stateset\na{a="x"} 1\n# TYPE b info\nb_info 1\n')).toEqual([
      'a gauge',
      'b_info untyped',
      0,
    ]);
  });
});

describe('repeated series', () => {
  it.each([
    ['as it is', 'x{a="1",b="2"} 1\nx{a="1",b="2"} 2\n'],
    ['in another order', 'x{a="1",b="2"} 1\nx{b="2",a="1"} 2\n'],
    ['in another order, unsorted first', 'x{b="2",a="1"} 1\nx{a="1",b="2"} 2\n'],
    ['with blanks', 'x{a="1",b="2"} 1\nx{ a="1", b="2" } 2\n'],
    ['with an empty label', 'x{a="1",b="2"} 1\nx{a="1",b="2",c=""} 2\n'],
    ['thrice', 'x{a="1",b="2"} 1\nx{b="2",a="1"} 2\nx{a="1", b="2"} 3\n'],
  ])('keep the first: %s', async (_, page) => {
    const { families, rejected } = await parsed(page);
    expect(families.flatMap(linesOf).map((line) => line.slice(-1))).toEqual(['1']);
    expect(rejected).toBe(page.split('\n').length - 2);
  });

  it('may come again after an invalid line', async () => {
    expect(samplesOf(await parsed('x{a="1"} one\nx{a="1"} 1\n'))).toEqual(['x a 1 1']);
  });
});
