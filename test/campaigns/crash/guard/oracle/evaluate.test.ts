import { expect, it } from 'vitest';
import { evaluate } from '../../../../../campaigns/crash/guard/oracle/evaluate.ts';
import { abortRequest, evidenceOf, listReply, runawayQuery } from '../logs.ts';

it('guard crash oracle › combines the findings of all checks', () => {
  const calls = [listReply(0), abortRequest('a', 100), abortRequest('a', 200), abortRequest('b', 300)];
  const { findings, opportunities, delayed, minDelay } = evaluate(
    evidenceOf({ startedQueries: [runawayQuery('a')], calls }),
  );
  expect(new Set(findings.map(({ kind }) => kind))).toEqual(
    new Set(['repeated request', 'no policy match', 'over budget', 'without intent']),
  );
  expect(opportunities).toHaveLength(2);
  expect([delayed, minDelay]).toEqual([1, -4800]);
});
