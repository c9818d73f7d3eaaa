import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CustomQuery } from '../../../src/collect/custom/custom-query.ts';
import { mapRows } from '../../../src/collect/custom/map-rows.ts';
import { customSection } from '../../../src/collect/custom/settings.ts';

const goodMetric = { name: 'fraud_degree', help: 'Degree.', value: 'degree', labels: { type: 'type' } };

function queryOf(change: object = {}, metric: object = {}): CustomQuery {
  const metrics = [{ ...goodMetric, ...metric }];
  const [query] = customSection.parse([{ name: 'q', graph: 'fraud', query: 'q', rows: '0.rows', metrics, ...change }]);
  if (query === undefined) throw new Error('no query');
  return query;
}

function mapped(rows: unknown, query = queryOf()) {
  const samples = mapRows(query, [{ rows }], { names: true });
  return samples.ok ? samples.value.map(({ labels, value }) => ({ ...labels, value })) : samples.error;
}

describe('mapRows', () => {
  it('returns a sample for each row, with the graph and the constant labels', () => {
    const rows = [
      { type: 'Account', degree: 3 },
      { type: 'Person', degree: '12' },
      { type: true, degree: false },
      { type: null, degree: -1.5e3 },
    ];
    expect(mapped(rows, queryOf({}, { static_labels: { team: 'x' } }))).toEqual([
      { graph: 'fraud', team: 'x', type: 'Account', value: 3 },
      { graph: 'fraud', team: 'x', type: 'Person', value: 12 },
      { graph: 'fraud', team: 'x', type: 'true', value: 0 },
      { graph: 'fraud', team: 'x', type: '', value: -1500 },
    ]);
  });

  it('returns no samples without rows', () => {
    expect(mapped([])).toEqual([]);
  });

  it.each([
    ['skip', [1]],
    ['zero', [1, 0, 0]],
    ['fail', 'metric fraud_degree: value `degree` of row 1 is null, which null_value: fail refuses'],
  ])('treats null and absent values as null_value: %s', (policy, expected) => {
    const rows = [{ type: 'a', degree: 1 }, { type: 'b', degree: null }, { type: 'c' }];
    const found = mapped(rows, queryOf({ null_value: policy }));
    expect(typeof found === 'string' ? found : found.map(({ value }) => value)).toEqual(expected);
  });

  it.each([
    [
      [{ type: 'a' }],
      {},
      'metric fraud_degree: value: `degree` matches no row: the value has no member "degree"; it has "type"',
    ],
    [
      [{ degree: 1 }],
      {},
      'metric fraud_degree: label type: `type` matches no row: the value has no member "type"; it has "degree"',
    ],
    [[{ type: 'a', degree: 'secret' }], {}, 'metric fraud_degree: value `degree` of row 0 is a text, not a number'],
    [[{ type: 'a', degree: [] }], {}, 'metric fraud_degree: value `degree` of row 0 is a list, not a number'],
    [[{ type: 'a', degree: '9e999' }], {}, 'metric fraud_degree: value `degree` of row 0 is too large for a number'],
    [
      [{ type: {}, degree: 1 }],
      {},
      'metric fraud_degree: label type: `type` of row 0 is an object, not a text or a number',
    ],
    [
      [
        { type: 'a', degree: 1 },
        { type: 'a', degree: 2 },
      ],
      {},
      'metric fraud_degree: rows 0 and 1 have the same labels; add a label, or aggregate in the query',
    ],
    [
      [{ type: 'a', degree: -1 }],
      { name: 'fraud_degree_total', type: 'counter' },
      'metric fraud_degree_total: value `degree` of row 0 is negative, which a counter cannot be; set type: gauge',
    ],
  ])('fails for %j', (rows, metric, message) => {
    expect(mapped(rows, queryOf({}, metric))).toBe(message);
  });

  it('fails as a whole above max_series', () => {
    const rows = Array.from({ length: 11 }, (_, type) => ({ type, degree: 1 }));
    expect(mapped(rows, queryOf({ max_series: 11 }))).toHaveLength(11);
    expect(mapped(rows, queryOf({ max_series: 10 }))).toBe(
      'the query gives 11 series, more than max_series (10); aggregate in the query, or raise max_series',
    );
  });

  it('cuts a label value that is very long', () => {
    const [one] = [mapped([{ type: 'x'.repeat(100_000), degree: 1 }])].flat();
    expect(one).toMatchObject({ type: 'x'.repeat(4096) });
  });

  it('keeps value and labels of any rows whose labels differ', () => {
    const row = fc.record({ type: fc.string(), degree: fc.double({ noNaN: true, noDefaultInfinity: true }) });
    fc.assert(
      fc.property(fc.uniqueArray(row, { selector: ({ type }) => type }), (rows) => {
        expect(mapped(rows)).toEqual(rows.map(({ type, degree }) => ({ graph: 'fraud', type, value: degree })));
      }),
    );
  });

  it('returns samples with unique labels and finite values, or an error, for any output of a query', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(fc.constantFrom('type', 'degree'), fc.jsonValue()))),
        (rows) => {
          const found = mapped(rows);
          const samples = typeof found === 'string' ? [] : found;
          if (typeof found === 'string') expect(found).toMatch(/^(?:rows|metric fraud_degree): .+/);
          expect(samples.every(({ value }) => Number.isFinite(value))).toBe(true);
          expect(new Set(samples.map((one) => JSON.stringify({ ...one, value: 0 }))).size).toBe(samples.length);
        },
      ),
    );
  });

  it('contains no value of the server in an error', () => {
    const canary = 'a-4711';
    const bad = fc.constantFrom<unknown>(canary, [canary], { [canary]: canary }, { degree: canary, type: canary }, [
      { degree: [canary] },
    ]);
    fc.assert(
      fc.property(bad, bad, (rows, degree) => {
        for (const printed of [rows, [{ type: 'a', degree }], [{ [canary]: degree }]]) {
          const samples = mapRows(queryOf(), [{ rows: printed }]);
          if (!samples.ok) expect(samples.error).not.toContain(canary);
        }
      }),
    );
  });
});
