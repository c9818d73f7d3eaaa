import { expect, it } from 'vitest';
import { describeMutant, isEnough, type MutantResult, reportLines, scoreOf } from '../../../campaigns/mutate/report.ts';
import { mutantOf } from './mutations.ts';

function results(
  outcomes: Partial<Record<MutantResult['outcome'], number>>,
  file = 'src/guard/candidate.ts',
): readonly MutantResult[] {
  const all: readonly MutantResult['outcome'][] = ['killed', 'late', 'survived', 'uncompiled', 'equivalent'];
  return all.flatMap((outcome) =>
    Array.from({ length: outcomes[outcome] ?? 0 }, () => ({ mutant: mutantOf({ file }), outcome: outcome })),
  );
}

it('mutation report › counts detected mutants among detectable ones', () => {
  const score = scoreOf(results({ killed: 6, late: 1, survived: 3, uncompiled: 90, equivalent: 5 }));
  expect(score).toEqual({ killed: 6, late: 1, survived: 3, uncompiled: 90, equivalent: 5, share: 0.7 });
});

it.each([
  [{ killed: 8, survived: 2 }, true],
  [{ killed: 79, survived: 21 }, false],
  [{ killed: 7, late: 1, survived: 2 }, true],
  [{ uncompiled: 9, equivalent: 1 }, false],
  [{}, false],
])('mutation report › %j reaches the required score: %s', (outcomes, enough) => {
  expect(isEnough(scoreOf(results(outcomes)))).toBe(enough);
});

it('mutation report › has a line per file and one for all files', () => {
  const lines = reportLines([
    ...results({ killed: 3, survived: 1 }),
    ...results({ late: 1, uncompiled: 2 }, 'src/guard/b.ts'),
  ]);
  expect(lines).toEqual([
    ' 75.0%  src/guard/candidate.ts: 3 of 4 detected (0 by timeout), 0 equivalent, 0 do not compile',
    '100.0%  src/guard/b.ts: 1 of 1 detected (1 by timeout), 0 equivalent, 2 do not compile',
    ' 80.0%  all: 4 of 5 detected (1 by timeout), 0 equivalent, 2 do not compile',
  ]);
  expect(reportLines([])).toEqual(['    –  all: 0 of 0 detected (0 by timeout), 0 equivalent, 0 do not compile']);
});

it('mutation report › describes a mutant in one line', () => {
  expect(describeMutant(mutantOf())).toBe('src/guard/candidate.ts:7 [comparison] a < b → a <= b');
  expect(describeMutant(mutantOf({ original: 'a;\n  b', by: ';' }))).toBe(
    'src/guard/candidate.ts:7 [comparison] a; b → (nothing)',
  );
  expect(describeMutant(mutantOf({ original: 'a'.repeat(200) })).length).toBeLessThan(160);
});
