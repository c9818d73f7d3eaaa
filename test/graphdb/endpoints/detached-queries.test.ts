import { describe, expect, it } from 'vitest';
import { createDetachedQueryFetcher } from '../../../src/graphdb/endpoints/detached-queries.ts';
import type { Answer } from '../../../src/graphdb/graph-db.ts';
import type { DetachedQueries } from '../../../src/model/query.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, type Exchange, FakePool } from '../../support/fake-pool.ts';

const path = '/restpp/query_status?graph_name=fraud';
const none = { success: 0, timeout: 0, aborted: 0, unknown: 0 };

/** The documented entry. */
function entry(requestid: string, status: string, more: object = {}) {
  const times = { startTime: '2026-09-22 04:53:20.000', expirationTime: '2026-09-22 04:53:36.000', elapsedTime: 19 };
  return { requestid, ...times, url: '/query/fraud/ring_scan?secret=CANARY', status, ...more };
}

function reply(...results: readonly unknown[]) {
  return answer({ error: false, message: '', results, code: 'REST-0000' });
}

/** Returns a call that sends one request for each pair of request and reply. */
function fetcher(...exchanges: readonly Exchange[]) {
  const caller = callerOver(new FakePool(...exchanges), { serverVersion: '4.1' });
  const fetch = createDetachedQueryFetcher();
  return (graph = 'fraud'): Answer<DetachedQueries> => fetch(caller, graph, neverAborted());
}

const all = `GET ${path}&requestid=all`;

describe('queries in detached mode', () => {
  it.each([
    ['4.1', all],
    ['3.9', 'GET /query_status?graph_name=fraud&requestid=all'],
  ])('are read from the documented entries, in the path form of %s', async (serverVersion, request) => {
    const caller = callerOver(new FakePool([request, reply(entry('a', 'running'), entry('b', 'success'))]), {
      serverVersion,
    });
    expect(factsOf(await createDetachedQueryFetcher()(caller, 'fraud', neverAborted()))).toEqual({
      graph: 'fraud',
      running: [
        { requestId: 'a', graph: 'fraud', query: 'ring_scan', kind: 'installed', grantedTimeout: 16_000, elapsed: 19 },
      ],
      ended: none,
    });
  });

  it('are requested once after they disappear, and counted by outcome', async () => {
    const fetch = fetcher(
      [all, reply(...['a', 'b', 'c', 'd', 'e'].map((id) => entry(id, 'running')))],
      [all, reply(entry('e', 'running'))],
      [
        `GET ${path}&requestid=a&requestid=b&requestid=c&requestid=d`,
        answer({
          error: false,
          results: [entry('a', 'success'), entry('b', 'timeout'), entry('c', 'aborted')],
          unknown_requestid: ['d'],
        }),
      ],
      [all, reply(entry('e', 'running'))],
    );
    await fetch();
    const ended = { success: 1, timeout: 1, aborted: 1, unknown: 1 };
    expect(factsOf(await fetch())).toMatchObject({ running: [{ requestId: 'e' }], ended });
    expect(factsOf(await fetch())).toMatchObject({ ended });
  });

  it('are requested again while the server reports them as running', async () => {
    const one = `GET ${path}&requestid=a`;
    const fetch = fetcher(
      [all, reply(entry('a', 'running'))],
      [all, reply()],
      [one, reply(entry('a', 'running'))],
      [all, reply()],
      [one, reply(entry('a', 'timeout'))],
    );
    await fetch();
    expect(factsOf(await fetch()).ended).toEqual(none);
    expect(factsOf(await fetch()).ended).toEqual({ ...none, timeout: 1 });
  });

  it('are requested in the next call if a request failed', async () => {
    const one = `GET ${path}&requestid=a`;
    const fetch = fetcher(
      [all, reply(entry('a', 'running'))],
      [all, reply()],
      [one, answer({}, 500)],
      [all, reply()],
      [one, reply(entry('a', 'a new word'))],
    );
    await fetch();
    expect(failureOf(await fetch()).reason).toBe('status');
    expect(factsOf(await fetch()).ended).toEqual({ ...none, unknown: 1 });
  });

  it('are requested a hundred at a time, and dropped above a thousand', async () => {
    const ids = Array.from({ length: 10_000 }, (_, at) => `q${at}`);
    const requests = Array.from({ length: 10 }, (_, at) => [
      [all, reply()] as const,
      [
        `GET ${path}${ids
          .slice(at * 100, at * 100 + 100)
          .map((id) => `&requestid=${id}`)
          .join('')}`,
        reply(),
      ] as const,
    ]);
    const fetch = fetcher([all, reply(...ids.map((id) => entry(id, 'running')))], ...requests.flat(), [all, reply()]);
    expect(factsOf(await fetch()).running).toHaveLength(10_000);
    for (let call = 1; call <= 10; call += 1) expect(factsOf(await fetch()).ended.unknown).toBe(100 * call);
    expect(factsOf(await fetch()).ended.unknown).toBe(1000);
  });

  it('skip entries without an id or a status', async () => {
    const entries = [
      null,
      {},
      entry('', 'running'),
      { ...entry('a', 'running'), status: 7 },
      entry('x'.repeat(201), 'running'),
    ];
    expect(factsOf(await fetcher([all, reply(...entries, entry('b', 'running'))])()).running).toHaveLength(1);
  });

  it.each([
    [401, 'auth'],
    [403, 'auth'],
    [404, 'unsupported'],
  ] as const)('are a failure for the status %i: %s', async (status, reason) => {
    expect(failureOf(await fetcher([all, answer({ error: true, message: 'no' }, status)])()).reason).toBe(reason);
  });

  it.each(['../abort', 'a&requestid=all', '', '%2e'])('are not requested for the graph %j', async (graph) => {
    expect(failureOf(await fetcher()(graph))).toMatchObject({ reason: 'unsupported' });
  });
});
