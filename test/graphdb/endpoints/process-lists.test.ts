import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/graphdb/caller.ts';
import {
  createGraphProcessListCall,
  createProcessListCall,
  fetchDelayedList,
} from '../../../src/graphdb/endpoints/process-lists.ts';
import type { Answer } from '../../../src/graphdb/graph-db.ts';
import { failureReasons } from '../../../src/kernel/failure.ts';
import { mapResult, ok } from '../../../src/kernel/result.ts';
import type { RunningQuery } from '../../../src/model/query.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { digest } from '../../support/digest.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

/** Calls the process list without hooks, and returns its queries. */
async function fetchProcessListAll(caller: Caller, signal: AbortSignal): Answer<readonly RunningQuery[]> {
  const hooks = { onRequest: () => undefined, onReply: () => undefined };
  return mapResult(await createProcessListCall(caller, hooks)(signal), ({ queries }) => queries);
}

const all = 'GET /restpp/showprocesslistall';

async function runningOf(...results: unknown[]): Promise<unknown> {
  const pool = new FakePool([all, answer({ error: false, results })]);
  return factsOf(await fetchProcessListAll(callerOver(pool), neverAborted()));
}

const query = { graph: 'fraud', query: 'ring_scan', kind: 'installed' };
const url = '/query/fraud/ring_scan?canary=1';

describe('a running query', () => {
  it('has neither start nor elapsed time if the server reports none', async () => {
    expect(await runningOf({ requestid: 'odd', url })).toEqual([{ ...query, requestId: 'odd' }]);
  });

  it('has the time between start and expiration, in any time zone', async () => {
    const entry = {
      requestid: 'x',
      url,
      startTime: '2026-09-22 23:59:59.000',
      expirationTime: '2026-09-23 00:00:15.500',
    };
    expect(await runningOf(entry)).toEqual([{ ...query, requestId: 'x', grantedTimeout: 16_500 }]);
  });

  it('has its elapsed time, quoted or not, and no time for null', async () => {
    const times = [2023, '2023', null].map((elapsedTime) => ({ requestid: 'x', url, elapsedTime }));
    const timed = { ...query, requestId: 'x', elapsed: 2023 };
    expect(await runningOf(...times)).toEqual([timed, timed, { ...query, requestId: 'x' }]);
  });

  it.each([-1, 1e13, '1e300', 'soon', {}])('has no elapsed time of %j, which no query has', async (elapsedTime) => {
    expect(await runningOf({ requestid: 'x', url, elapsedTime })).toEqual([{ ...query, requestId: 'x' }]);
  });

  it('has no times if they are reversed, as after a change of the clock', async () => {
    const entry = { requestid: 'x', url, startTime: '2026-10-25 02:59:59', expirationTime: '2026-10-25 02:00:15' };
    expect(await runningOf(entry)).toEqual([{ ...query, requestId: 'x' }]);
  });

  it.each([
    ['set back', '2026-10-25 02:50:00', '2026-10-25 02:20:00', 30],
    ['set forward', '2026-03-29 01:50:00', '2026-03-29 03:20:00', 90],
    ['not set', '2026-10-24 02:50:00', '2026-10-24 03:20:00', 30],
  ])(
    'has the longest possible timeout if clocks are %s while it runs',
    async (_, startTime, expirationTime, minutes) => {
      const winter = startTime.startsWith('2026-03') ? 3_600_000 : 7_200_000;
      const start = Date.parse(`${startTime.replace(' ', 'T')}Z`) - winter;
      const requestid = `65538.RESTPP_1_1.${start}.N`;
      const entry = { requestid, url, startTime, expirationTime };
      const expected = [{ ...query, requestId: requestid, arrivedAt: start, grantedTimeout: minutes * 60_000 }];
      const clock = new FakeClock(start + 60_000);
      const list = answer({ error: false, results: [entry] });
      const over = (path: string) => ({ ...callerOver(new FakePool([path, list])), clock });
      expect(factsOf(await fetchProcessListAll(over(all), neverAborted()))).toEqual(expected);
      const one = createGraphProcessListCall(over('GET /restpp/showprocesslist/fraud'));
      expect(factsOf(await one('fraud', neverAborted()))).toMatchObject(expected);
    },
  );

  it('contains no user input', async () => {
    expect(
      JSON.stringify(await runningOf({ requestid: 'x', url }, { requestid: 'y', url: '/graph/g/vertices/T/canary' })),
    ).not.toContain('canary');
  });

  it('is dropped if it has no id or url', async () => {
    const odd = [{ url }, { requestid: '', url }, { requestid: 'x' }, null, 'x', { requestid: 7, url }];
    expect(await runningOf(...odd, { requestid: 'x', url })).toEqual([{ requestId: 'x', ...query }]);
  });
});

describe('the lists', () => {
  it('of one graph have no elapsed time', async () => {
    const pool = new FakePool([
      'GET /restpp/showprocesslist/fraud',
      answer({ error: false, results: [{ requestid: 'x', url }] }),
    ]);
    expect(factsOf(await createGraphProcessListCall(callerOver(pool))('fraud', neverAborted()))).toEqual([
      { ...query, requestId: 'x', listedFor: 0 },
    ]);
  });

  it('of one graph state how long they have contained each query', async () => {
    const clock = new FakeClock();
    const path = 'GET /restpp/showprocesslist/fraud';
    const listed = (...ids: readonly string[]) => answer({ results: ids.map((requestid) => ({ requestid, url })) });
    const bodies = [listed('x'), answer('busy', 503), listed('x', 'y'), listed('y'), listed(), listed('y')];
    const pool = new FakePool(...bodies.map((body) => [path, body] as const));
    const call = createGraphProcessListCall({ ...callerOver(pool), clock });
    const seen: unknown[] = [];
    for (const _ of bodies) {
      const list = await call('fraud', neverAborted());
      seen.push(list.ok ? list.value.map(({ requestId, listedFor }) => `${requestId} ${listedFor}`).join() : 'failed');
      await clock.advance(5000);
    }
    expect(seen).toEqual(['x 0', 'failed', 'x 10000,y 0', 'y 5000', '', 'y 0']);
  });

  it('of graphs are remembered for 20,000 queries, the graphs that were listed last', async () => {
    const clock = new FakeClock();
    const listed = (of: string, count: number) =>
      answer({ results: Array.from({ length: count }, (_, at) => ({ requestid: `${of}${at}`, url })) });
    const replies = [
      ['a', 10_000],
      ['b', 10_000],
      ['a', 10_000],
      ['c', 1],
      ['a', 1],
      ['b', 1],
    ] as const;
    const pool = new FakePool(
      ...replies.map(([graph, count]) => [`GET /restpp/showprocesslist/${graph}`, listed(graph, count)] as const),
    );
    const call = createGraphProcessListCall({ ...callerOver(pool), clock });
    const seen: unknown[] = [];
    for (const [graph] of replies) {
      seen.push(factsOf(await call(graph, neverAborted()))[0]?.listedFor);
      await clock.advance(1000);
    }
    expect(seen).toEqual([0, 0, 2000, 0, 4000, 0]);
  });

  it('of delayed queries have no time if it is absent or impossible', async () => {
    const results = [
      { requestidPartial: '1790000000942', url, elapsedTime: '2023' },
      { url },
      { url, elapsedTime: -1 },
      { url, elapsedTime: 1e300 },
      {},
    ];
    const pool = new FakePool(['GET /restpp/showdelayedlistall', answer({ error: false, results })]);
    expect(factsOf(await fetchDelayedList(callerOver(pool), neverAborted()))).toEqual([
      { ...query, partialId: '1790000000942', elapsed: 2023 },
      { ...query, partialId: '' },
      { ...query, partialId: '' },
      { ...query, partialId: '' },
    ]);
  });

  it('fail with the reason auth if the privilege is missing', async () => {
    const pool = new FakePool([all, answer({ error: true, message: 'no privilege' }, 403)]);
    expect(failureOf(await fetchProcessListAll(callerOver(pool), neverAborted())).reason).toBe('auth');
  });

  it('fail with the reason body without results', async () => {
    const pool = new FakePool([all, answer({ error: false, results: {} })]);
    expect(
      failureOf(await fetchProcessListAll(callerOver(pool, { serverVersion: '4.1' }), neverAborted())).reason,
    ).toBe('body');
  });

  it('return queries or a known reason for any JSON', async () => {
    const entry = fc.record(
      { requestid: fc.jsonValue(), url: fc.oneof(fc.webUrl(), fc.jsonValue()), elapsedTime: fc.jsonValue() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(entry), fc.jsonValue()), async (results) => {
        const caller = callerOver(new FakePool([all, answer({ error: false, results })]), { serverVersion: '4.1' });
        const result = await fetchProcessListAll(caller, neverAborted());
        if (!result.ok) expect(failureReasons).toContain(result.error.reason);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the raw process list', () => {
  /** A list with entries that do not match the schema. */
  const odd = { error: false, results: [{ requestid: 'all' }, 7, { requestid: 'x', url }] };

  it('contains the entries that do not match the schema, the peer, and the times of the request', async () => {
    const clock = new FakeClock();
    const events: string[] = [];
    const caller: Caller = {
      clock,
      digest,
      withContext: (_name, error) => error,
      text: () => Promise.reject(new Error('not requested')),
      json: () => Promise.reject(new Error('not requested')),
      exchange: () => Promise.reject(new Error('not requested')),
      jsonWithOrigin: async () => {
        events.push('request');
        await clock.sleep(300);
        return ok({ json: odd, address: '10.0.0.1:14240', connection: 'c1', form: 'older' });
      },
    };
    const started = clock.now();
    const call = createProcessListCall(caller, {
      onRequest: () => void events.push('before'),
      onReply: (form) => void events.push(form),
    });
    const list = call(neverAborted());
    await clock.advance(300);
    const raw = { body: odd, address: '10.0.0.1:14240', connection: 'c1', started, received: clock.now() };
    expect(await list).toEqual(ok({ queries: [{ requestId: 'x', ...query }], raw }));
    expect(events).toEqual(['before', 'request', 'older']);
  });

  it('has an empty address if the peer is unknown, and is absent from a failed call', async () => {
    const pool = new FakePool([all, answer(odd)], [all, answer({ error: true, message: 'no' })]);
    const hooks = { onRequest: () => undefined, onReply: () => undefined };
    const call = createProcessListCall(callerOver(pool), hooks);
    expect(await call(neverAborted())).toMatchObject({ ok: true, value: { raw: { body: odd, address: '' } } });
    expect(failureOf(await call(neverAborted())).reason).toBe('body');
  });
});
