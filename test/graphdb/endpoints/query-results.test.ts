import { expect, it } from 'vitest';
import { fetchQueryResults } from '../../../src/graphdb/endpoints/query-results.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const run = { graph: 'fraud', source: { installed: 'outliers' }, parameters: [], timeout: 3000 };
const statement = 'INTERPRET QUERY () FOR GRAPH fraud { PRINT 1; }';

it.each([
  ['4.1', 'GET /restpp/query/fraud/outliers?ids=a&ids=b+%26'],
  ['3.9', 'GET /query/fraud/outliers?ids=a&ids=b+%26'],
])('an installed query runs with its parameters and limits, in the path form of %s', async (serverVersion, request) => {
  const pool = new FakePool([request, answer({ error: false, results: [{ n: 1 }] })]);
  const parameters = ['a', 'b &'].map((value) => ({ name: 'ids', value }));
  const results = await fetchQueryResults(
    callerOver(pool, { serverVersion }),
    { ...run, parameters, threads: 2, memory: 1_048_577 },
    neverAborted(),
  );
  expect(factsOf(results)).toEqual([{ n: 1 }]);
  expect(pool.requests[0]?.headers).toMatchObject({
    'GSQL-TIMEOUT': '3000',
    'GSQL-THREAD-LIMIT': '2',
    'GSQL-QueryLocalMemLimitMB': '2',
  });
});

it.each([
  ['4.1', 'POST /gsql/v1/queries/interpret'],
  ['3.9', 'POST /gsqlserver/interpreted_query'],
])('an interpreted query is sent unchanged, in the path form of %s', async (serverVersion, request) => {
  const pool = new FakePool([request, answer({ error: false, results: [{ n: 1 }] })]);
  const caller = callerOver(pool, { serverVersion });
  const results = await fetchQueryResults(caller, { ...run, source: { interpreted: statement } }, neverAborted());
  expect(factsOf(results)).toEqual([{ n: 1 }]);
  expect(pool.requests[0]).toMatchObject({ body: statement, headers: { 'content-type': 'text/plain' } });
});

it.each([{ error: false }, { error: false, results: null }, { error: false, results: 'x' }])(
  'a query reply without results is a failure: %j',
  async (body) => {
    const pool = new FakePool(['GET /restpp/query/fraud/outliers', answer(body)]);
    const results = await fetchQueryResults(callerOver(pool, { serverVersion: '4.1' }), run, neverAborted());
    expect(failureOf(results)).toMatchObject({ reason: 'body' });
  },
);

it('a query name that is not a path segment is not sent', async () => {
  const pool = new FakePool();
  const results = await fetchQueryResults(callerOver(pool), { ...run, graph: '../gsql' }, neverAborted());
  expect(failureOf(results)).toMatchObject({ reason: 'unsupported' });
});
