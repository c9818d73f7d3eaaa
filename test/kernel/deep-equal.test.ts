import { describe, expect, it } from 'vitest';
import { deepEqual } from '../../src/kernel/deep-equal.ts';
import { Secret } from '../../src/kernel/secret.ts';

describe('two pieces of configuration', () => {
  it.each([
    ['numbers', 1, 1],
    ['texts', 'a', 'a'],
    ['nothing', undefined, undefined],
    ['lists', [1, [2]], [1, [2]]],
    ['objects in any order', { a: 1, b: { c: 2 } }, { b: { c: 2 }, a: 1 }],
    ['an absent key and an undefined one', { a: undefined }, {}],
    ['secrets', { token: new Secret('x') }, { token: new Secret('x') }],
  ])('are equal: %s', (_, one, other) => {
    expect(deepEqual(one, other)).toBe(true);
    expect(deepEqual(other, one)).toBe(true);
  });

  it.each([
    ['numbers', 1, 2],
    ['kinds', 1, '1'],
    ['null and an object', null, {}],
    ['lists of other lengths', [1], [1, 2]],
    ['a list and an object', [1], { 0: 1 }],
    ['objects', { a: { b: 1 } }, { a: { b: 2 } }],
    ['secrets', { token: new Secret('x') }, { token: new Secret('y') }],
    ['a secret and its text', new Secret('x'), 'x'],
    ['a secret and an object', new Secret('x'), {}],
  ])('differ: %s', (_, one, other) => {
    expect(deepEqual(one, other)).toBe(false);
    expect(deepEqual(other, one)).toBe(false);
  });
});
