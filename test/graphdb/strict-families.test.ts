import { describe, expect, it } from 'vitest';
import { linesOf, parsed } from './exposition-pages.ts';

async function strict(page: string) {
  const { families, withheld, rejected } = await parsed(page);
  return {
    lines: families.flatMap(linesOf),
    withheld: withheld.map(({ family, reason, samples }) => `${family} ${reason} ${samples}`),
    rejected,
  };
}

const histogram = (...rows: readonly string[]): string =>
  `# TYPE h histogram\n${rows.map((row) => `h_${row}\n`).join('')}`;
const bucket = (le: string, value: string): string => `bucket{le="${le}"} ${value}`;

describe('the families of a page', () => {
  it('drop counters that are negative or NaN, and no other samples', async () => {
    const page =
      '# TYPE c_total counter\nc_total{a="1"} -1\nc_total{a="2"} NaN\nc_total{a="3"} 1.5\n# TYPE g gauge\ng -1\n';
    expect(await strict(page)).toEqual({
      lines: ['c_total a 3 1.5', 'g -1'],
      withheld: ['c_total negative 1', 'c_total nan 1'],
      rejected: 0,
    });
  });

  it('keep a histogram unchanged, with sorted rows', async () => {
    const rows = [bucket('1', '2'), bucket('+Inf', '3'), 'sum 1.5', 'count 3'];
    const expected = ['h_bucket le 1 2', 'h_bucket le +Inf 3', 'h_sum 1.5', 'h_count 3'];
    expect(await strict(histogram(...rows))).toEqual({ lines: expected, withheld: [], rejected: 0 });
    const mixed = [rows[1], rows[2], rows[0], rows[3]].map((row) => row ?? '');
    expect((await strict(histogram(...mixed))).lines).toEqual(expected);
  });

  it.each([
    ['a negative sum', [bucket('+Inf', '3'), 'sum -1', 'count 3'], ['h_bucket le +Inf 3'], 'h negative 2'],
    ['a sum without count', [bucket('+Inf', '3'), 'sum 1'], ['h_bucket le +Inf 3'], 'h incomplete 1'],
    [
      'a count that differs from the last bucket',
      [bucket('+Inf', '3'), 'sum 1', 'count 4'],
      ['h_bucket le +Inf 3'],
      'h decreasing 2',
    ],
    [
      'a sum of negative buckets',
      [bucket('-1', '0'), bucket('+Inf', '3'), 'sum 1', 'count 3'],
      ['h_bucket le -1 0', 'h_bucket le +Inf 3'],
      'h negative 2',
    ],
    ['a missing last bucket', [bucket('1', '3'), 'sum 1', 'count 3'], [], 'h incomplete 3'],
    ['falling buckets', [bucket('1', '4'), bucket('+Inf', '3')], [], 'h decreasing 2'],
    ['a fractional count', [bucket('1', '0.5'), bucket('+Inf', '3')], [], 'h fraction 2'],
    ['an invalid bound', [bucket('Inf', '3'), bucket('+Inf', '3')], ['h_bucket le +Inf 3'], 'h label 1'],
    ['a sum with a bound', [bucket('+Inf', '3'), 'sum{le="1"} 3'], ['h_bucket le +Inf 3'], 'h label 1'],
  ])('lose %s', async (_what, rows, lines, withheld) => {
    expect(await strict(histogram(...rows))).toEqual({ lines, withheld: [withheld], rejected: 0 });
  });

  it('lose samples that are invalid in a summary', async () => {
    const rows = ['{quantile="0.5"} -1', '{quantile="0.9"} NaN', '{quantile="2"} 1', '_sum -1', '_count 1.5'];
    expect(await strict(`# TYPE s summary\n${rows.map((row) => `s${row}\n`).join('')}`)).toEqual({
      lines: ['s quantile 0.9 NaN'],
      withheld: ['s negative 2', 's label 1', 's fraction 1'],
      rejected: 0,
    });
  });

  it('lose a family with a name that another one reserves', async () => {
    const page = '# TYPE s_count gauge\ns_count 1\n# TYPE s summary\ns{quantile="0.5"} 1\ns_sum 2\n';
    expect(await strict(page)).toEqual({ lines: ['s_count 1'], withheld: ['s name 2'], rejected: 0 });
    const counter = '# TYPE c_total counter\nc_total 1\n# TYPE c_created gauge\nc_created 2\n';
    expect((await strict(counter)).withheld).toEqual(['c_created name 1']);
    expect((await strict(`${counter}# TYPE c gauge\nc 3\n`)).withheld).toEqual([]);
    const created = '# TYPE h_created gauge\nh_created 1\n# TYPE h_total counter\nh_total 1\n';
    const rows = [bucket('+Inf', '3'), 'sum 1', 'count 3'];
    expect((await strict(created + histogram(...rows))).withheld).toEqual(['h_total name 1', 'h name 3']);
  });
});
