import { describe, expect, it } from 'vitest';
import type { Fragment } from '../../src/expose/fragment.ts';
import { FragmentIndex, seriesCount } from '../../src/expose/fragment-registry.ts';
import { fragmentOf } from './fragments.ts';

function shelved(...fragments: readonly Fragment[]): ReadonlyMap<string, Fragment> {
  return new Map(fragments.map((fragment) => [fragment.family.name, fragment]));
}

describe('the fragment index', () => {
  it('finds fragments by source and by family, in the order in which the sources were added', async () => {
    const cache = new FragmentIndex();
    for (const source of ['one', 'two', 'one', 'three']) cache.register(source);
    const [a1, a2, a3, b2] = await Promise.all([
      fragmentOf('a', [['1', '1']]),
      fragmentOf('a', [['2', '2']]),
      fragmentOf('a', [
        ['3', '3'],
        ['4', '4'],
      ]),
      fragmentOf('b', [['2', '2']]),
    ]);
    cache.replace('three', shelved(a3));
    cache.replace('two', shelved(b2, a2));
    cache.replace('one', shelved(a1));
    expect(cache.fragmentsOfFamily('a')).toEqual([a1, a2, a3]);
    expect(cache.familyNames()).toEqual(['a', 'b']);
    expect(cache.fragmentsOf('two')).toEqual(shelved(b2, a2));
    expect(cache.series).toBe(5);
    expect(seriesCount(a3)).toBe(2);
  });

  it('finds the fragments of the same base and type, which may have the same series', async () => {
    const index = new FragmentIndex();
    const [first, other, same, counter] = await Promise.all([
      fragmentOf('a', [['1', '1']], { base: 'c="1"' }),
      fragmentOf('a', [['1', '1']], { base: 'c="2"' }),
      fragmentOf('a', [['2', '2']], { base: 'c="1"' }),
      fragmentOf('a', [['3', '3']], { base: 'c="1"', type: 'counter' }),
    ]);
    for (const [source, fragment] of Object.entries({ first, other, same, counter })) {
      index.register(source);
      index.replace(source, shelved(fragment));
    }
    expect(index.siblings(same)).toEqual([first, same]);
    expect(index.siblings(other)).toEqual([other]);
    index.replace('first', shelved(await fragmentOf('a', [['1', '1']], { base: 'c="3"' })));
    expect(index.siblings(same)).toEqual([same]);
    expect(index.fragmentsOfFamily('a')).toHaveLength(4);
    expect(index.seriesOfFamily('a', 'c')).toBe(4);
  });

  it('drops replaced and removed fragments, and families without fragments', async () => {
    const cache = new FragmentIndex();
    cache.register('one');
    cache.replace('one', shelved(await fragmentOf('a', [['1', '1']])));
    cache.replace(
      'one',
      shelved(
        await fragmentOf('b', [
          ['1', '1'],
          ['2', '2'],
        ]),
      ),
    );
    expect(cache.familyNames()).toEqual(['b']);
    expect(cache.fragmentsOfFamily('a')).toEqual([]);
    expect(cache.series).toBe(2);
    cache.remove('one');
    expect(cache.familyNames()).toEqual([]);
    expect(cache.fragmentsOf('one')).toBeUndefined();
    expect(cache.series).toBe(0);
  });

  it('rejects fragments of a source that is not open', async () => {
    const cache = new FragmentIndex();
    cache.replace('one', shelved(await fragmentOf('a', [['1', '1']])));
    cache.remove('one');
    expect(cache.familyNames()).toEqual([]);
  });

  it('gives a source that is added again the last rank', async () => {
    const cache = new FragmentIndex();
    const fragments = await Promise.all(['1', '2', '3'].map((x) => fragmentOf('a', [[x, '1']])));
    const [first, second, third] = fragments.map((fragment) => shelved(fragment));
    for (const source of ['one', 'two']) cache.register(source);
    cache.replace('one', first ?? new Map());
    cache.replace('two', second ?? new Map());
    cache.remove('one');
    cache.register('one');
    cache.replace('one', third ?? new Map());
    expect(cache.fragmentsOfFamily('a')).toEqual([fragments[1], fragments[2]]);
  });
});
