import { expect, it } from 'vitest';
import type { Evidence } from '../../../../../campaigns/crash/guard/evidence.ts';
import { runOpportunities } from '../../../../../campaigns/crash/guard/oracle/evaluate.ts';
import { abortRequest, auditRow, evidenceOf, listReply, logStart, runawayQuery } from '../logs.ts';

/** Evaluates a log whose first run is killed after 8 s. */
function opportunityOf(part: Partial<Evidence>) {
  const runs = [{ from: logStart, killedAt: logStart + 8000 }];
  return runOpportunities(
    evidenceOf({ runs, startedQueries: [runawayQuery('a')], calls: [listReply(1000)], ...part }),
  )[0];
}

it('abort opportunities › counts a run with lists, enough time and budget as an opportunity', () => {
  expect(opportunityOf({})).toEqual({ couldAbort: true, requests: 0 });
});

it.each<[string, Partial<Evidence>]>([
  ['never listed anything', { calls: [] }],
  ['listed too late', { calls: [listReply(5500)] }],
  ['had spent the budget of the cluster', { rows: [auditRow('a', 3000), auditRow('b', 3000), auditRow('c', 3000)] }],
])('abort opportunities › does not count a run that %s', (_, part) => {
  expect(opportunityOf(part)).toEqual({ couldAbort: false, requests: 0 });
});

it('abort opportunities › needs the budget of one node only', () => {
  const rows = [auditRow('a', 3000), auditRow('b', 3000)];
  expect(opportunityOf({ rows })).toMatchObject({ couldAbort: false });
  expect(opportunityOf({ rows, startedQueries: [runawayQuery('a'), runawayQuery('a', { node: 'm2' })] })).toMatchObject(
    {
      couldAbort: true,
    },
  );
});

it('abort opportunities › counts each run with an abort request', () => {
  const runs = [
    { from: logStart, killedAt: logStart + 1000 },
    { from: logStart + 1000, killedAt: logStart + 2000 },
  ];
  expect(runOpportunities(evidenceOf({ runs, calls: [listReply(100), abortRequest('a', 900)] }))).toEqual([
    { couldAbort: true, requests: 1 },
    { couldAbort: false, requests: 0 },
  ]);
});
