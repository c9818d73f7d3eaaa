import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutantsOf, mutated } from '../../mutate/mutants.ts';
import { targets } from '../../mutate/targets.ts';
import { parseSource } from '../architecture/project.ts';
import { slipsIn } from './texts.ts';

it('tells where a slip is, and in what', () => {
  const text = 'function f() {\n  if (a < b) return c;\n}\n';
  expect(mutantsOf('src/a.ts', text).find(({ operator }) => operator === 'comparison')).toEqual({
    file: 'src/a.ts',
    operator: 'comparison',
    line: 2,
    within: 'if (a < b) return c;',
    start: 21,
    end: 26,
    was: 'a < b',
    by: 'a <= b',
  });
});

it('makes a slip in its place alone', () => {
  expect(mutated('f(a < b); f(a < b);', { start: 12, end: 17, by: 'a > b' })).toBe('f(a < b); f(a > b);');
});

it('leaves types and imports alone', () => {
  expect(slipsIn("import { a, b } from './c.ts';\ntype A = [true, false];\ninterface B { c: true }")).toEqual([]);
});

it('looks into what only has a type added', () => {
  expect(slipsIn('const a = true as const;')).toEqual(['true → false']);
});

it('tries the same slip once', () => {
  const slips = slipsIn('f(a && b);');
  expect(slips).toEqual([...new Set(slips)]);
});

it.each(['matcher', 'decision/advancing', 'decision/schedule'])('writes nothing but programs for %s', (name) => {
  for (const file of targets().filter((one) => one.endsWith(`${name}.ts`))) {
    const text = readFileSync(file, 'utf8');
    for (const mutant of mutantsOf(file, text)) expect(() => parseSource(file, mutated(text, mutant))).not.toThrow();
  }
});
