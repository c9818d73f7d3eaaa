import { expect, it } from 'vitest';
import { filesWithErrors, layers, uncompiled } from '../../mutate/types.ts';
import type { Workshop } from '../../mutate/workshop.ts';
import { mutantOf } from './texts.ts';

const [a1, a2] = [mutantOf({ file: 'src/a.ts', start: 1 }), mutantOf({ file: 'src/a.ts', start: 2 })];
const b1 = mutantOf({ file: 'src/b.ts' });

it('looks at one slip of each file at a time', () => {
  expect(layers([a1, a2, b1])).toEqual([[a1, b1], [a2]]);
  expect(layers([])).toEqual([]);
});

it("reads the compiler's errors", () => {
  const text =
    'src/a.ts(7,3): error TS2322: no\n  more about it\nsrc/a.ts(9,3): error TS2322: no\nsrc/c.ts(1,1): error TS1: no\n';
  expect([...filesWithErrors(text)]).toEqual(['src/a.ts', 'src/c.ts']);
  expect([...filesWithErrors('')]).toEqual([]);
});

it('lays an error on the slip that is in its file, and one elsewhere on none', async () => {
  const answers = ['src/a.ts(7,3): error TS1: no\nsrc/c.ts(7,3): error TS1: no', ''];
  const workshop: Workshop = {
    run: () =>
      Promise.resolve({ isWell: false, isLate: false, text: answers.shift() ?? 'src/a.ts(1,1): error TS2: more' }),
    hold: (_mutants, work) => work(),
    close: () => Promise.resolve(),
  };
  expect([...(await uncompiled([a1, a2, b1], workshop))]).toEqual([a1]);
  expect(answers).toEqual([]);
});
