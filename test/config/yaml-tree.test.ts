import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { buildTree, pathKey, type YamlTree } from '../../src/config/yaml-tree.ts';

function plant(text: string, environment?: Record<string, string>): YamlTree {
  return buildTree(parseDocument(text), environment);
}

function messages({ findings }: YamlTree): readonly string[] {
  return findings.map(({ message }) => message);
}

describe('buildTree', () => {
  it('has the position of each key and each value', () => {
    const { positions } = plant('a: 1\nbb:\n  - x\n  - { c: y }\n');
    expect(positions.get(pathKey([]))).toEqual({ value: 0 });
    expect(positions.get(pathKey(['a']))).toEqual({ key: 0, value: 3 });
    expect(positions.get(pathKey(['bb']))).toEqual({ key: 5, value: 11 });
    expect(positions.get(pathKey(['bb', 0]))).toEqual({ value: 13 });
    expect(positions.get(pathKey(['bb', 1, 'c']))).toEqual({ key: 21, value: 24 });
  });

  it('replaces an alias with its value', () => {
    const { value, positions } = plant('a: &x { b: 1 }\nc: *x\n');
    expect(value).toEqual({ a: { b: 1 }, c: { b: 1 } });
    expect(positions.get(pathKey(['c']))).toEqual({ key: 15, value: 18 });
    expect(positions.get(pathKey(['c', 'b']))).toEqual({ key: 8, value: 11 });
  });

  it.each([
    ['a: &x [*x]', 'must not contain itself'],
    ['a: &x { b: { c: *x } }', 'must not contain itself'],
    ['a: !mine b', 'must not have a tag; remove it'],
    ['a: !!set { b }', 'must not have a tag; remove it'],
    ['__proto__: 1', 'has a reserved key; remove it'],
    ['<<: { a: 1 }', 'has a merge key (<<), which is not supported; repeat the keys'],
    ['a: { constructor: 1 }', 'has a reserved key; remove it'],
    ['prototype: 1', 'has a reserved key; remove it'],
    ['1: 1', 'has a key that is not a string; write it in quotes'],
    ['? [a]\n: 1', 'has a key that is not a string; write it in quotes'],
    ['~: 1', 'has a key that is not a string; write it in quotes'],
    ['a: *nowhere', 'refers to an unknown anchor; define the anchor before the alias'],
    [`${'['.repeat(70)}${']'.repeat(70)}`, 'is nested too deeply'],
  ])('refuses %j', (text, message) => {
    expect(messages(plant(text))).toEqual([message]);
  });

  it('continues after a rejected part', () => {
    const tree = plant('a: !x 1\n1: 2\nb: 3\n__proto__: 4\nc: "${D}"', {});
    expect(tree.value).toEqual({ a: undefined, b: 3, c: '${D}' });
    expect(tree.findings.map(({ path }) => tree.positions.get(pathKey(path))?.value)).toEqual([6, 8, 18, 34]);
  });

  it('creates objects without a prototype', () => {
    const { value } = plant('"__proto__": { polluted: true }\nb: {}');
    expect(value).toEqual({ b: {} });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it('rejects more values than the limit after aliases are resolved', () => {
    const lists = Array.from({ length: 12 }, (_, n) => `k${n + 1}: &k${n + 1} [${Array(4).fill(`*k${n}`).join(', ')}]`);
    expect(plant(['k0: &k0 [x, x, x, x]', ...lists].join('\n')).excess).toEqual({
      path: [],
      offset: 0,
      message: 'must not have more than 20000 values after its aliases are resolved',
    });
    expect(plant(['k0: &k0 [x, x, x, x]', ...lists.slice(0, 3)].join('\n')).excess).toBeUndefined();
  });

  it('allows lists of the greatest number of entries', () => {
    expect(plant(`a: [${'1,'.repeat(1000)}]`).excess).toBeUndefined();
    expect(plant(`b: 1\na: [${'1,'.repeat(1001)}]`).excess).toEqual({
      path: ['a'],
      offset: 8,
      message: 'must not have more than 1000 entries',
    });
  });

  it('parses an empty value as null', () => {
    expect(plant('').value).toBeNull();
    expect(plant('a:').value).toEqual({ a: null });
  });
});
