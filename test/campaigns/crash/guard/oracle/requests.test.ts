import { expect, it } from 'vitest';
import type { Evidence } from '../../../../../campaigns/crash/guard/evidence.ts';
import { findWrongRequests } from '../../../../../campaigns/crash/guard/oracle/requests.ts';
import { abortRequest, evidenceOf, logStart, runawayQuery, serverAbort } from '../logs.ts';

function found(part: Partial<Evidence>): readonly string[] {
  return findWrongRequests(evidenceOf(part)).map(({ kind, about }) => `${kind}: ${about}`);
}

it('request oracle › accepts one request per runaway query, also for equal ids on different nodes', () => {
  const twins = [
    runawayQuery('a'),
    runawayQuery('a', { node: 'm2' }),
    runawayQuery('b', { kind: 'brief' }),
    runawayQuery('c', { kind: 'unstoppable' }),
  ];
  const calls = [abortRequest('a', 0), abortRequest('a', 10, 'm2'), abortRequest('b', 20), abortRequest('c', 30)];
  expect(found({ startedQueries: twins, calls, aborts: [serverAbort('a', 0), serverAbort('b', 20)] })).toEqual([]);
});

it('request oracle › reports a second request for the same query in each run', () => {
  const calls = [abortRequest('a', 0), abortRequest('a', 40_000)];
  expect(found({ startedQueries: [runawayQuery('a')], calls })).toEqual([
    'repeated request: a second abort request for a of m1',
  ]);
});

it.each([
  ['none', ''],
  ['two', 'requestid=a&requestid=b'],
])('request oracle › reports a request that names %s', (_, query) => {
  const calls = [{ ...abortRequest('a', 0), query }];
  expect(found({ startedQueries: [runawayQuery('a'), runawayQuery('b')], calls })).toHaveLength(1);
});

it.each(['protected', 'observed', 'otherGraph'] as const)(
  'request oracle › reports a request for a query that is %s',
  (kind) => {
    const calls = [abortRequest('a', 0)];
    expect(found({ startedQueries: [runawayQuery('a', { kind })], calls })).toEqual([`no policy match: a is ${kind}`]);
  },
);

it('request oracle › reports an abort request for a query that the test did not start', () => {
  expect(found({ startedQueries: [runawayQuery('a', { node: 'm2' })], calls: [abortRequest('a', 0)] })).toEqual([
    `no policy match: a of m1 is not a runaway query`,
  ]);
});

it('request oracle › uses the age that the server reports', () => {
  const [younger, old] = [1999, 2000].map((ago) => [runawayQuery('a', { kind: 'short', startedAt: logStart - ago })]);
  expect(found({ startedQueries: younger ?? [], calls: [abortRequest('a', 0)] })).toEqual([
    'no policy match: a (short) had run for only 1999 ms',
  ]);
  expect(found({ startedQueries: old ?? [], calls: [abortRequest('a', 0)] })).toEqual([]);
});

it('request oracle › reports an abort of a query without a request', () => {
  const aborts = [serverAbort('a', 0), serverAbort('b', 0)];
  expect(
    found({ startedQueries: [runawayQuery('a'), runawayQuery('b')], calls: [abortRequest('a', 0)], aborts }),
  ).toEqual(['abort without request: b of m1 was aborted without a request']);
});
