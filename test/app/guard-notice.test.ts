import { describe, expect, it } from 'vitest';
import { enforcing, observedOnly } from '../../src/app/guard-notice.ts';
import { guardOf } from './guard-scene.ts';

function policies(...modes: readonly string[]) {
  return modes.map((mode, at) => ({ name: `p${at}`, mode, when: { age: '> 1m' } }));
}

describe('what is to be enforced', () => {
  it.each([
    ['observe', ['enforce'], [], undefined],
    ['enforce', ['observe'], [], undefined],
    ['enforce', ['observe', 'enforce'], ['p1'], 'this version aborts nothing: p1 says enforce and is observed'],
    [
      'enforce',
      ['enforce', 'enforce'],
      ['p0', 'p1'],
      'this version aborts nothing: p0, p1 say enforce and are observed',
    ],
  ])('by a guard in mode %s with policies in %j is %j', (mode, modes, names, sentence) => {
    const guard = guardOf({ mode, policies: policies(...modes) });
    expect(enforcing(guard)).toEqual(names);
    expect(observedOnly(guard)).toBe(sentence);
  });
});
