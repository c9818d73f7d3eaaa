import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isVertex,
  jsonParameters,
  queryStringParameters,
  templateParameters,
} from '../../src/graphdb/parameter-encoding.ts';
import type { ParameterValue, ParameterValues } from '../../src/model/probe.ts';

function queryOf(values: ParameterValues): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name, value } of queryStringParameters(values)) query.append(name, value);
  return new URLSearchParams(query.toString());
}

const account = { id: 'a', type: 'Account' };

/** Name, value, query string, member of a JSON body, and members of the body of a template. */
const forms: readonly (readonly [string, ParameterValue, string, unknown, object])[] = [
  ['a text', 'x & y', 'p=x+%26+y', 'x & y', { p: 'x & y' }],
  ['a number', 7, 'p=7', 7, { p: 7 }],
  ['a truth value', true, 'p=true', true, { p: true }],
  ['a set', [1, 5], 'p=1&p=5', [1, 5], { p: [1, 5] }],
  ['an empty set', [], '', [], { p: [] }],
  ['a vertex of a declared type', { id: 'a' }, 'p=a', { id: 'a' }, { p: 'a' }],
  ['a vertex with its type', account, 'p=a&p.type=Account', account, { p: 'a', 'p.type': 'Account' }],
  ['a set of vertices', [{ id: 'a' }, { id: 'b' }], 'p=a&p=b', [{ id: 'a' }, { id: 'b' }], { p: ['a', 'b'] }],
  [
    'a set of vertices with one type',
    [account, { ...account, id: 'b' }],
    'p%5B0%5D=a&p%5B0%5D.type=Account&p%5B1%5D=b&p%5B1%5D.type=Account',
    [account, { ...account, id: 'b' }],
    { p: ['a', 'b'], 'p.type': 'Account' },
  ],
  [
    'a set of vertices with several types',
    [account, { id: 'b', type: 'Person' }],
    'p%5B0%5D=a&p%5B0%5D.type=Account&p%5B1%5D=b&p%5B1%5D.type=Person',
    [account, { id: 'b', type: 'Person' }],
    { p: ['a', 'b'], 'p.type': ['Account', 'Person'] },
  ],
  ['a map', { map: { a: 1 } }, '', { a: 1 }, { p: { a: 1 } }],
];

describe.each(forms)('%s', (...[, value, text, json, template]) => {
  it('has the documented form in each position', () => {
    expect(queryOf({ p: value }).toString()).toBe(text);
    expect(jsonParameters({ p: value })).toEqual({ p: json });
    expect(templateParameters({ p: value })).toEqual(template);
  });
});

const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean());
const name = fc.stringMatching(/^[a-z_]\w{0,10}$/);

describe('the parameters of a query string', () => {
  it('keep every value and the order', () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(scalar, fc.array(scalar, { maxLength: 5 }))), (values) => {
        const back = queryOf(values);
        for (const [key, value] of Object.entries(values)) {
          expect(back.getAll(key)).toEqual([value].flat().map((one) => String(one).toWellFormed()));
        }
      }),
    );
  });

  it('number typed vertices without gaps', () => {
    const vertices = fc.array(fc.record({ id: fc.string(), type: name }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(vertices, (list) => {
        const sent = new Map(queryStringParameters({ v: list }).map((one) => [one.name, one.value]));
        expect(sent.size).toBe(list.length * 2);
        for (const [at, { id, type }] of list.entries()) {
          expect([sent.get(`v[${at}]`), sent.get(`v[${at}].type`)]).toEqual([id, type]);
        }
      }),
    );
  });
});

it.each([
  [{ id: 'a' }, true],
  [{ map: {} }, false],
  ['id', false],
  [null, false],
])('isVertex of %j is %s', (value, expected) => {
  expect(isVertex(value)).toBe(expected);
});
