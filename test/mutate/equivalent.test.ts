import { expect, it } from 'vitest';
import { equivalentOf, equivalents, staleIn } from '../../mutate/equivalent.ts';
import { mutantOf } from './texts.ts';

const { file, within, was, by } = mutantOf();
const listed = { file, within, was, by, why: 'the two are never equal' };

it('knows a slip by its file, its line and its change, wherever the line has moved to', () => {
  expect(equivalentOf(mutantOf({ line: 70, start: 700 }), [listed])).toBe(listed);
});

it.each([{ file: 'src/guard/b.ts' }, { within: 'return a < b || c;' }, { was: 'c < b' }, { by: 'a >= b' }])(
  'knows no other: %j',
  (changed) => {
    expect(equivalentOf(mutantOf(changed), [listed])).toBeUndefined();
  },
);

it('tells what is listed for nothing', () => {
  expect(staleIn([mutantOf()], [listed])).toEqual([]);
  expect(staleIn([mutantOf({ by: 'b' })], [listed])).toEqual([listed]);
});

it('gives a reason for each', () => {
  for (const { why } of equivalents) expect(why.length).toBeGreaterThan(10);
});
