import { expect, it } from 'vitest';
import { filesWithErrors, mutantsWithTypeErrors, oneMutantPerFile } from '../../../campaigns/mutate/compile-errors.ts';
import type { Sandbox } from '../../../campaigns/mutate/sandbox.ts';
import { mutantOf } from './mutations.ts';

const [a1, a2] = [mutantOf({ file: 'src/a.ts', start: 1 }), mutantOf({ file: 'src/a.ts', start: 2 })];
const b1 = mutantOf({ file: 'src/b.ts' });

it('compile errors › groups mutants so that each group has one per file', () => {
  expect(oneMutantPerFile([a1, a2, b1])).toEqual([[a1, b1], [a2]]);
  expect(oneMutantPerFile([])).toEqual([]);
});

it("compile errors › reads the compiler's errors", () => {
  const text =
    'src/a.ts(7,3): error TS2322: no\n  more about it\nsrc/a.ts(9,3): error TS2322: no\nsrc/c.ts(1,1): error TS1: no\n';
  expect([...filesWithErrors(text)]).toEqual(['src/a.ts', 'src/c.ts']);
  expect([...filesWithErrors('')]).toEqual([]);
});

it('compile errors › attributes an error to the mutant in its file, and an error elsewhere to no mutant', async () => {
  const answers = ['src/a.ts(7,3): error TS1: no\nsrc/c.ts(7,3): error TS1: no', ''];
  const sandbox: Sandbox = {
    run: () =>
      Promise.resolve({
        isSuccess: false,
        isTimedOut: false,
        text: answers.shift() ?? 'src/a.ts(1,1): error TS2: more',
      }),
    writeFile: (_mutants, work) => work(),
    close: () => Promise.resolve(),
  };
  expect([...(await mutantsWithTypeErrors([a1, a2, b1], sandbox))]).toEqual([a1]);
  expect(answers).toEqual([]);
});
