import { expect, it } from 'vitest';
import { applyMutant, mutantsOf } from '../../../campaigns/mutate/mutants.ts';

/** Returns the texts after each deletion. */
function without(text: string): readonly string[] {
  return mutantsOf('src/a.ts', text)
    .filter(({ operator }) => operator === 'deletion')
    .map((mutant) => applyMutant(text, mutant));
}

it.each([
  ['f(); const a = 1; g();', ['; const a = 1; g();', 'f(); const a = 1; ;']],
  ['if (a) f();', ['if (a) ;']],
  ['if (a) f(); else g();', ['if (a) ; else g();', 'if (a) f(); else ;']],
  ['for (const a of b) { f(a); }', [';', 'for (const a of b) { ; }']],
  ['while (a) { continue; }', ['while (a) { ; }']],
  ['const a = [b, c, d];', ['const a = [c, d];', 'const a = [b, d];', 'const a = [b, c];']],
  ['const a = [b];', []],
  ['const a = { b, ...c };', ['const a = { ...c };', 'const a = { b };']],
  ['const { a, b } = c;', []],
  ['const a = b && c;', ['const a = b;', 'const a = c;']],
  ['const a = b ?? c;', ['const a = b;', 'const a = c;']],
  ['const a = b + c;', []],
])('deletion mutants: %s', (text, remain) => {
  expect(without(text).toSorted()).toEqual([...remain].toSorted());
});
