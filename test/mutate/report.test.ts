import { expect, it } from 'vitest';
import { changeOf, isEnough, linesOf, type Result, scoreOf } from '../../mutate/report.ts';
import { mutantOf } from './texts.ts';

function results(fates: Partial<Record<Result['fate'], number>>, file = 'src/guard/age.ts'): readonly Result[] {
  const all: readonly Result['fate'][] = ['killed', 'late', 'survived', 'uncompiled', 'equivalent'];
  return all.flatMap((fate) => Array.from({ length: fates[fate] ?? 0 }, () => ({ mutant: mutantOf({ file }), fate })));
}

it('counts what was found among what could be', () => {
  const score = scoreOf(results({ killed: 6, late: 1, survived: 3, uncompiled: 90, equivalent: 5 }));
  expect(score).toEqual({ killed: 6, late: 1, survived: 3, uncompiled: 90, equivalent: 5, share: 0.7 });
});

it.each([
  [{ killed: 8, survived: 2 }, true],
  [{ killed: 79, survived: 21 }, false],
  [{ killed: 7, late: 1, survived: 2 }, true],
  [{ uncompiled: 9, equivalent: 1 }, false],
  [{}, false],
])('%j is enough: %s', (fates, enough) => {
  expect(isEnough(scoreOf(results(fates)))).toBe(enough);
});

it('has a line for each file and one for all', () => {
  const lines = linesOf([
    ...results({ killed: 3, survived: 1 }),
    ...results({ late: 1, uncompiled: 2 }, 'src/guard/b.ts'),
  ]);
  expect(lines).toEqual([
    ' 75.0%  src/guard/age.ts: 3 of 4 found (0 by time), 0 equivalent, 0 do not compile',
    '100.0%  src/guard/b.ts: 1 of 1 found (1 by time), 0 equivalent, 2 do not compile',
    ' 80.0%  all: 4 of 5 found (1 by time), 0 equivalent, 2 do not compile',
  ]);
  expect(linesOf([])).toEqual(['    –  all: 0 of 0 found (0 by time), 0 equivalent, 0 do not compile']);
});

it('tells a slip in one line', () => {
  expect(changeOf(mutantOf())).toBe('src/guard/age.ts:7 [comparison] a < b → a <= b');
  expect(changeOf(mutantOf({ was: 'a;\n  b', by: ';' }))).toBe('src/guard/age.ts:7 [comparison] a; b → (nothing)');
  expect(changeOf(mutantOf({ was: 'a'.repeat(200) })).length).toBeLessThan(160);
});
