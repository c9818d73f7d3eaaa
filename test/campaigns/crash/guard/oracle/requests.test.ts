import { expect, it } from 'vitest';
import type { Evidence } from '../../../../../campaigns/crash/guard/evidence.ts';
import { findWrongRequests } from '../../../../../campaigns/crash/guard/oracle/requests.ts';
import { abortRequest, evidenceOf, logStart, runawayQuery, serverAbort } from '../logs.ts';

function found(part: Partial<Evidence>): readonly string[] {
  return findWrongRequests(evidenceOf(part)).map(({ kind, about }) => `${kind}: ${about}`);
}

it('accepts one request per runaway query, also for equal ids on different nodes', () => {
  const twins = [
    runawayQuery('a'),
    runawayQuery('a', { node: 'm2' }),
    runawayQuery('b', { kind: 'brief' }),
    runawayQuery('c', { kind: 'zombie' }),
  ];
  const calls = [abortRequest('a', 0), abortRequest('a', 10, 'm2'), abortRequest('b', 20), abortRequest('c', 30)];
  expect(found({ ran: twins, calls, aborts: [serverAbort('a', 0), serverAbort('b', 20)] })).toEqual([]);
});

it('reports a second request for the same query in each run', () => {
  const calls = [abortRequest('a', 0), abortRequest('a', 40_000)];
  expect(found({ ran: [runawayQuery('a')], calls })).toEqual(['asked twice: an abort of a of m1 was asked for again']);
});

it.each([
  ['none', ''],
  ['two', 'requestid=a&requestid=b'],
])('reports a request that names %s', (_, query) => {
  const calls = [{ ...abortRequest('a', 0), query }];
  expect(found({ ran: [runawayQuery('a'), runawayQuery('b')], calls })).toHaveLength(1);
});

it.each(['protected', 'observed', 'elsewhere'] as const)('a request for one that is %s is found', (kind) => {
  const calls = [abortRequest('a', 0)];
  expect(found({ ran: [runawayQuery('a', { kind })], calls })).toEqual([`not meant: a is ${kind}`]);
});

it('reports an abort request for a query that the test did not start', () => {
  expect(found({ ran: [runawayQuery('a', { node: 'm2' })], calls: [abortRequest('a', 0)] })).toEqual([
    `not meant: a of m1 is not a runaway query`,
  ]);
});

it('uses the age that the server reports', () => {
  const [younger, old] = [1999, 2000].map((ago) => [runawayQuery('a', { kind: 'young', startedAt: logStart - ago })]);
  expect(found({ ran: younger ?? [], calls: [abortRequest('a', 0)] })).toEqual([
    'not meant: a (young) had run for 1999 ms alone',
  ]);
  expect(found({ ran: old ?? [], calls: [abortRequest('a', 0)] })).toEqual([]);
});

it('reports an abort of a query without a request', () => {
  const aborts = [serverAbort('a', 0), serverAbort('b', 0)];
  expect(found({ ran: [runawayQuery('a'), runawayQuery('b')], calls: [abortRequest('a', 0)], aborts })).toEqual([
    'not asked for: b of m1 was aborted without a request',
  ]);
});
