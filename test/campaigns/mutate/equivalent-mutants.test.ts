import { expect, it } from 'vitest';
import { equivalentMutants, findEquivalent, staleEquivalents } from '../../../campaigns/mutate/equivalent-mutants.ts';
import { mutantOf } from './mutations.ts';

const { file, within, original, by } = mutantOf();
const listed = { file, within, original: original, by, reason: 'the two are never equal' };

it('equivalent mutants › finds a mutant by its file, the text of its line and its change, at any line number', () => {
  expect(findEquivalent(mutantOf({ line: 70, start: 700 }), [listed])).toBe(listed);
});

it.each([{ file: 'src/guard/b.ts' }, { within: 'return a < b || c;' }, { original: 'c < b' }, { by: 'a >= b' }])(
  'equivalent mutants › does not find a mutant that differs: %j',
  (changed) => {
    expect(findEquivalent(mutantOf(changed), [listed])).toBeUndefined();
  },
);

it('equivalent mutants › returns entries that match no mutant', () => {
  expect(staleEquivalents([mutantOf()], [listed])).toEqual([]);
  expect(staleEquivalents([mutantOf({ by: 'b' })], [listed])).toEqual([listed]);
});

it('equivalent mutants › has a reason for each entry', () => {
  for (const { reason } of equivalentMutants) expect(reason.length).toBeGreaterThan(10);
});
