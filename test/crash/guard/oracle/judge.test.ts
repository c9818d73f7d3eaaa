import { expect, it } from 'vitest';
import { judge } from '../../../../crash/guard/oracle/judge.ts';
import { asked, evidenceOf, listed, ran } from '../logs.ts';

it('puts together what all have found', () => {
  const calls = [listed(0), asked('a', 100), asked('a', 200), asked('b', 300)];
  const { findings, chances, full, closest } = judge(evidenceOf({ ran: [ran('a')], calls }));
  expect(new Set(findings.map(({ kind }) => kind))).toEqual(
    new Set(['asked twice', 'not meant', 'over budget', 'without intent']),
  );
  expect(chances).toHaveLength(2);
  expect([full, closest]).toEqual([1, -4800]);
});
