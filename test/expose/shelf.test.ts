import { describe, expect, it } from 'vitest';
import type { Fragment } from '../../src/expose/fragment.ts';
import { Shelf, seriesOf } from '../../src/expose/shelf.ts';
import { fragmentOf } from './fragments.ts';

function shelved(...fragments: readonly Fragment[]): ReadonlyMap<string, Fragment> {
  return new Map(fragments.map((fragment) => [fragment.family.name, fragment]));
}

describe('the shelf', () => {
  it('finds fragments by source and by family, in the order in which the sources came', async () => {
    const shelf = new Shelf();
    for (const source of ['one', 'two', 'one', 'three']) shelf.open(source);
    const [a1, a2, a3, b2] = await Promise.all([
      fragmentOf('a', [['1', '1']]),
      fragmentOf('a', [['2', '2']]),
      fragmentOf('a', [
        ['3', '3'],
        ['4', '4'],
      ]),
      fragmentOf('b', [['2', '2']]),
    ]);
    shelf.replace('three', shelved(a3));
    shelf.replace('two', shelved(b2, a2));
    shelf.replace('one', shelved(a1));
    expect(shelf.family('a')).toEqual([a1, a2, a3]);
    expect(shelf.names()).toEqual(['a', 'b']);
    expect(shelf.of('two')).toEqual(shelved(b2, a2));
    expect(shelf.series).toBe(5);
    expect(seriesOf(a3)).toBe(2);
  });

  it('forgets what is replaced or removed, and families with it', async () => {
    const shelf = new Shelf();
    shelf.open('one');
    shelf.replace('one', shelved(await fragmentOf('a', [['1', '1']])));
    shelf.replace(
      'one',
      shelved(
        await fragmentOf('b', [
          ['1', '1'],
          ['2', '2'],
        ]),
      ),
    );
    expect(shelf.names()).toEqual(['b']);
    expect(shelf.family('a')).toEqual([]);
    expect(shelf.series).toBe(2);
    shelf.remove('one');
    expect(shelf.names()).toEqual([]);
    expect(shelf.of('one')).toBeUndefined();
    expect(shelf.series).toBe(0);
  });

  it('takes nothing for a source that is not open', async () => {
    const shelf = new Shelf();
    shelf.replace('one', shelved(await fragmentOf('a', [['1', '1']])));
    shelf.remove('one');
    expect(shelf.names()).toEqual([]);
  });

  it('gives a source that comes back the last rank', async () => {
    const shelf = new Shelf();
    const fragments = await Promise.all(['1', '2', '3'].map((x) => fragmentOf('a', [[x, '1']])));
    const [first, second, third] = fragments.map((fragment) => shelved(fragment));
    for (const source of ['one', 'two']) shelf.open(source);
    shelf.replace('one', first ?? new Map());
    shelf.replace('two', second ?? new Map());
    shelf.remove('one');
    shelf.open('one');
    shelf.replace('one', third ?? new Map());
    expect(shelf.family('a')).toEqual([fragments[1], fragments[2]]);
  });
});
