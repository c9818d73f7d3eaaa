import { expect, it } from 'vitest';
import { ChangedValues } from '../../src/expose/changed-values.ts';
import { fragmentOf, textsOf } from './fragments.ts';

it.each([
  ['the same values', ['1', '20', 'NaN'], true],
  ['another value', ['1', '21', 'NaN'], false],
  ['a longer value', ['1', '20', '+Inf'], false],
  ['fewer values', ['1', '20'], false],
  ['more values', ['1', '20', 'NaN', '4'], false],
  ['no values', [], false],
])('changed values › compares %s with the lines before, and returns all of them', async (_, texts, areUnchanged) => {
  const rows = ['1', '20', 'NaN'].map((value, at) => [`${at}`, value] as const);
  const values = new ChangedValues((await fragmentOf('a', rows)).lines);
  for (const text of texts) values.add(text);
  expect(values.areUnchanged).toBe(areUnchanged);
  expect(textsOf(values.finish())).toEqual(texts);
});

it('changed values › has only changed values without lines before', () => {
  const values = new ChangedValues(undefined);
  values.add('1');
  expect(values.areUnchanged).toBe(false);
  expect(textsOf(values.finish())).toEqual(['1']);
});
