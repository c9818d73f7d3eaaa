import { readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';
import { expect, it } from 'vitest';
import { applyMutant, mutantsOf } from '../../../campaigns/mutate/mutants.ts';
import { targets } from '../../../campaigns/mutate/targets.ts';
import { mutationsIn } from './mutations.ts';

it('mutants › returns the location of a mutant and the line around it', () => {
  const text = 'function f() {\n  if (a < b) return c;\n}\n';
  expect(mutantsOf('src/a.ts', text).find(({ operator }) => operator === 'comparison')).toEqual({
    file: 'src/a.ts',
    operator: 'comparison',
    line: 2,
    within: 'if (a < b) return c;',
    start: 21,
    end: 26,
    original: 'a < b',
    by: 'a <= b',
  });
});

it('mutants › changes only the text of the mutation', () => {
  expect(applyMutant('f(a < b); f(a < b);', { start: 12, end: 17, by: 'a > b' })).toBe('f(a < b); f(a > b);');
});

it('mutants › does not mutate types and imports', () => {
  expect(mutationsIn("import { a, b } from './c.ts';\ntype A = [true, false];\ninterface B { c: true }")).toEqual([]);
});

it('mutants › mutates expressions with a type annotation', () => {
  expect(mutationsIn('const a = true as const;')).toEqual(['true → false']);
});

it('mutants › returns equal mutations once', () => {
  const slips = mutationsIn('f(a && b);');
  expect(slips).toEqual([...new Set(slips)]);
});

it.each(['matcher', 'decision/advancing', 'decision/schedule'])(
  'mutants › creates only mutants that parse for %s',
  (name) => {
    for (const file of targets().filter((one) => one.endsWith(`${name}.ts`))) {
      const text = readFileSync(file, 'utf8');
      const broken = mutantsOf(file, text).filter(
        (mutant) => parseSync(file, applyMutant(text, mutant)).errors.length > 0,
      );
      expect(broken).toEqual([]);
    }
  },
);
