import { describe, expect, it } from 'vitest';
import { readExposition } from './exposition.ts';
import type { ExpositionFormat } from './exposition-family.ts';

describe('the independent reader of expositions', () => {
  it('reads families, labels, escapes and numbers of the text format', () => {
    const page = [
      '# HELP a_total Of a\\\\b\\nc.',
      '# TYPE a_total counter',
      'a_total{x="q\\"\\\\\\n}",y="",} 1.5e+3 1790000000000',
      '# just a comment',
      '',
      'b NaN',
      'c -Inf',
      '# TYPE s summary',
      's{quantile="0.5"} 1',
      's_sum 2',
      's_count 1',
      '',
    ].join('\n');
    const families = readExposition(page, 'text');
    expect([...families.keys()]).toEqual(['a_total', 'b', 'c', 's']);
    expect(families.get('a_total')).toMatchObject({ type: 'counter', help: 'Of a\\b\nc.' });
    expect(families.get('a_total')?.samples).toEqual([
      { name: 'a_total', labels: { x: 'q"\\\n}', y: '' }, value: 1500, timestamp: 1_790_000_000_000 },
    ]);
    expect(families.get('b')?.samples[0]?.value).toBeNaN();
    expect(families.get('c')?.samples[0]?.value).toBe(Number.NEGATIVE_INFINITY);
    expect(families.get('s')?.samples).toHaveLength(3);
  });

  it('reads OpenMetrics with units, suffixes and exemplars', () => {
    const page = [
      '# TYPE a_seconds counter',
      '# UNIT a_seconds seconds',
      '# HELP a_seconds Say \\"so\\".',
      'a_seconds_total{x="# {"} 1 # {id="7"} 1 1.5',
      'a_seconds_created 1790000000.5',
      '# EOF',
      '',
    ].join('\n');
    const family = readExposition(page, 'openmetrics').get('a_seconds');
    expect(family).toMatchObject({ unit: 'seconds', help: 'Say "so".' });
    expect(family?.samples.map(({ name, value }) => [name, value])).toEqual([
      ['a_seconds_total', 1],
      ['a_seconds_created', 1_790_000_000.5],
    ]);
    expect(family?.samples.map(({ exemplar }) => exemplar)).toEqual([
      { labels: { id: '7' }, value: 1, timestamp: 1.5 },
      undefined,
    ]);
  });

  it('reads the exemplars of buckets, with any label values', () => {
    const page = [
      '# TYPE h histogram',
      'h_bucket{le="1",x=" # {"} 1 # {a="} 5",b="\\""} 0.5',
      'h_bucket{le="+Inf",x=" # {"} 2 # {} 2',
      '# EOF',
      '',
    ].join('\n');
    const family = readExposition(page, 'openmetrics').get('h');
    expect(family?.samples.map(({ exemplar }) => exemplar)).toEqual([
      { labels: { a: '} 5', b: '"' }, value: 0.5 },
      { labels: {}, value: 2 },
    ]);
  });

  const violations: readonly (readonly [ExpositionFormat, string, string])[] = [
    ['text', 'a 1', 'line feed'],
    ['text', 'a 1\r\n', 'carriage return'],
    ['text', 'a{x="1"y="2"} 1\n', 'comma'],
    ['text', 'a{x="1",x="2"} 1\n', 'twice'],
    ['text', 'a{x="\\t"} 1\n', 'not a label'],
    ['text', 'a{1x=""} 1\n', 'not a label'],
    ['text', 'a one\n', 'not a number'],
    ['text', 'a 0x10\n', 'not a number'],
    ['text', '1a 1\n', 'not a sample'],
    ['text', 'a 1\na 2\n', 'second sample'],
    ['text', 'a{x="1"} 1\nb 1\na{x="2"} 1\n', 'not together'],
    ['text', '# TYPE a gauge\n# TYPE a gauge\n', 'second type'],
    ['text', 'a 1\n# TYPE a gauge\n', 'type after a sample'],
    ['text', '# TYPE a info\n', 'not a type'],
    ['text', '# HELP a \\t\n', 'not an escape'],
    ['text', '# TYPE s summary\ns{quantile="2"} 1\n', 'quantile 2'],
    ['text', '# TYPE h histogram\nh_bucket{le="1"} 1\n', '+Inf'],
    ['text', '# TYPE h histogram\nh_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\n', 'add up'],
    ['openmetrics', 'a 1\n', '# EOF'],
    ['openmetrics', 'a 1\n# EOF\nb 1\n', '# EOF'],
    ['openmetrics', '# a comment\n# EOF\n', 'a comment'],
    ['openmetrics', '\n# EOF\n', 'blank'],
    ['openmetrics', 'a  1\n# EOF\n', 'one space'],
    ['openmetrics', 'a{x="1",} 1\n# EOF\n', 'last label'],
    ['openmetrics', '# TYPE a untyped\n# EOF\n', 'not a type'],
    ['openmetrics', '# TYPE a counter\na_total -1\n# EOF\n', 'is -1'],
    ['openmetrics', '# TYPE a gauge\n# UNIT a seconds\na 1\n# EOF\n', 'its unit'],
    ['openmetrics', '# TYPE a stateset\na{a="x"} 2\n# EOF\n', 'is 2'],
    ['openmetrics', '# TYPE a info\na_info 0\n# EOF\n', 'is 0'],
    ['text', 'a_total 1 # {id="7"} 1\n', 'not a sample'],
    ['openmetrics', 'a 1 # {id="7"} 1\n# EOF\n', 'has an exemplar'],
    ['openmetrics', '# TYPE a counter\na_created 1 # {} 1\n# EOF\n', 'has an exemplar'],
    ['openmetrics', '# TYPE a counter\na_total 1 # {}\n# EOF\n', 'not an exemplar'],
    ['openmetrics', '# TYPE a counter\na_total 1 # id="7" 1\n# EOF\n', 'not an exemplar'],
    ['openmetrics', '# TYPE a counter\na_total 1 # {id="7"}  1\n# EOF\n', 'not an exemplar'],
    ['openmetrics', '# TYPE a counter\na_total 1 # {id="7",} 1\n# EOF\n', 'last label'],
    ['openmetrics', '# TYPE a counter\na_total 1 # {1="7"} 1\n# EOF\n', 'not a label'],
    ['openmetrics', '# TYPE a counter\na_total 1 # {} one\n# EOF\n', 'not a number'],
    ['openmetrics', '# TYPE a counter\na_total 1 # {} NaN\n# EOF\n', 'without a value'],
    ['openmetrics', '# TYPE a counter\na_total 1 # {} 1 NaN\n# EOF\n', 'no time'],
    ['openmetrics', `# TYPE a counter\na_total 1 # {id="${'7'.repeat(127)}"} 1\n# EOF\n`, '129 characters'],
    ['openmetrics', '# TYPE h histogram\nh_bucket{le="1"} 1 # {} 2\nh_bucket{le="+Inf"} 1\n# EOF\n', 'another bucket'],
    ['openmetrics', '# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="+Inf"} 2 # {} 1\n# EOF\n', 'another bucket'],
    ['openmetrics', '# TYPE h histogram\nh_bucket{le="1"} 0 # {} 1\nh_bucket{le="+Inf"} 1\n# EOF\n', 'empty bucket'],
  ];

  it.each(violations)('refuses, as %s, %j', (format, page, why) => {
    expect(() => readExposition(page, format)).toThrow(why);
  });

  it('keeps the plain sample of a counter out of its OpenMetrics family', () => {
    const families = readExposition('# TYPE a counter\na_total 1\n# EOF\n', 'openmetrics');
    expect([...families.keys()]).toEqual(['a']);
    expect(() => readExposition('# TYPE a counter\na 1\n# EOF\n', 'openmetrics')).toThrow('not together');
  });
});
