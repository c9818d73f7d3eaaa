import { describe, expect, it } from 'vitest';
import { isMapping, topLevelReader } from '../../src/config/tolerant-yaml.ts';
import { environmentReference } from '../../src/graphdb/settings-fields.ts';

describe('top-level key of a file with errors', () => {
  it.each([
    ['a valid file', 'a: 1\nb: 2\n', { value: 1 }],
    ['a file without the key', 'b: 2\n', { value: undefined }],
    ['a variable', `a: ${environmentReference('NAME')}\n`, { value: 'set' }],
    ['a variable that is not set elsewhere', `a: 1\nb: ${environmentReference('UNSET')}\n`, { value: 1 }],
    ['an anchor', 'b: &x [1]\na: *x\n', { value: [1] }],
    ['a syntax error before it', 'b: [1\na: { c: 1 }\n', { value: { c: 1 } }],
    ['a syntax error after it', 'a:\n  c: 1\n  # d\n\n  e: 2\nb: "\n', { value: { c: 1, e: 2 } }],
    ['carriage returns', 'b: [1\r\na:\r\n  c: 1\r\n', { value: { c: 1 } }],
    ['a quoted key', 'b: [1\n"a" : 1\n', { value: 1 }],
    ['JSON', '{"a": 1, "b": [}', undefined],
    ['a syntax error in it', 'a: [1\nb: 2\n', undefined],
    ['a syntax error and the key twice', 'b: [\na: 1\na: 2\n', undefined],
    ['a duplicate key', 'a: 1\na: 2\n', undefined],
    ['a duplicate key elsewhere', 'a: 1\nb: 2\nb: 3\n', { value: 1 }],
    ['an alias to elsewhere and a syntax error', 'b: &x [1]\na: *x\nc: [\n', undefined],
    ['only a longer key', 'b: [\nab: 1\n a: 1\n', undefined],
    ['no mapping', '- a: 1\n', undefined],
    ['nothing', '', undefined],
  ])('is read from %s', (_, text, expected) => {
    expect(topLevelReader(text, { NAME: 'set' })('a')).toEqual(expected);
  });
});

it.each([
  [{}, true],
  [[], false],
  [null, false],
  ['a', false],
])('tolerant YAML › %j is a mapping: %s', (value, expected) => {
  expect(isMapping(value)).toBe(expected);
});
