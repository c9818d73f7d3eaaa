import { expect, it } from 'vitest';
import type { Evidence } from '../../../../../campaigns/crash/guard/evidence.ts';
import { runOpportunities } from '../../../../../campaigns/crash/guard/oracle/evaluate.ts';
import { abortRequest, auditRow, evidenceOf, listReply, logStart, runawayQuery } from '../logs.ts';

/** Evaluates a log whose first run is killed after 8 s. */
function chance(part: Partial<Evidence>) {
  const lives = [{ from: logStart, killedAt: logStart + 8000 }];
  return runOpportunities(evidenceOf({ lives, ran: [runawayQuery('a')], calls: [listReply(1000)], ...part }))[0];
}

it('counts a run with lists, enough time and budget as an opportunity', () => {
  expect(chance({})).toEqual({ isEnough: true, asked: 0 });
});

it.each<[string, Partial<Evidence>]>([
  ['never listed anything', { calls: [] }],
  ['listed too late', { calls: [listReply(5500)] }],
  ['had spent the budget of the cluster', { rows: [auditRow('a', 3000), auditRow('b', 3000), auditRow('c', 3000)] }],
])('does not count a run that %s', (_, part) => {
  expect(chance(part)).toEqual({ isEnough: false, asked: 0 });
});

it('needs the budget of one node only', () => {
  const rows = [auditRow('a', 3000), auditRow('b', 3000)];
  expect(chance({ rows })).toMatchObject({ isEnough: false });
  expect(chance({ rows, ran: [runawayQuery('a'), runawayQuery('a', { node: 'm2' })] })).toMatchObject({
    isEnough: true,
  });
});

it('counts each run with an abort request', () => {
  const lives = [
    { from: logStart, killedAt: logStart + 1000 },
    { from: logStart + 1000, killedAt: logStart + 2000 },
  ];
  expect(runOpportunities(evidenceOf({ lives, calls: [listReply(100), abortRequest('a', 900)] }))).toEqual([
    { isEnough: true, asked: 1 },
    { isEnough: false, asked: 0 },
  ]);
});
