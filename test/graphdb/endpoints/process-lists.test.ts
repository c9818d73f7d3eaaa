import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDelayedList, readProcessList, readProcessListAll } from '../../../src/graphdb/endpoints/process-lists.ts';
import { failureReasons } from '../../../src/kernel/failure.ts';
import { callerOver, factsOf, failureOf, patient } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const all = 'GET /restpp/showprocesslistall';

async function runningOf(...results: unknown[]): Promise<unknown> {
  const pool = new FakePool([all, answer({ error: false, results })]);
  return factsOf(await readProcessListAll(callerOver(pool), patient()));
}

const query = { graph: 'fraud', query: 'ring_scan', kind: 'installed' };
const url = '/query/fraud/ring_scan?canary=1';

describe('a running query', () => {
  it('has neither instant nor time where the server tells none', async () => {
    expect(await runningOf({ requestid: 'odd', url })).toEqual([{ ...query, requestId: 'odd' }]);
  });

  it('has the time between start and expiration, whatever zone they mean', async () => {
    const entry = {
      requestid: 'x',
      url,
      startTime: '2026-09-22 23:59:59.000',
      expirationTime: '2026-09-23 00:00:15.500',
    };
    expect(await runningOf(entry)).toEqual([{ ...query, requestId: 'x', grantedTimeout: 16_500 }]);
  });

  it('has its elapsed time, quoted or not, and null is none', async () => {
    const times = [2023, '2023', null].map((elapsedTime) => ({ requestid: 'x', url, elapsedTime }));
    const timed = { ...query, requestId: 'x', elapsed: 2023 };
    expect(await runningOf(...times)).toEqual([timed, timed, { ...query, requestId: 'x' }]);
  });

  it('has none where they run backwards, as over a change of the clock', async () => {
    const entry = { requestid: 'x', url, startTime: '2026-10-25 02:59:59', expirationTime: '2026-10-25 02:00:15' };
    expect(await runningOf(entry)).toEqual([{ ...query, requestId: 'x' }]);
  });

  it('shows nothing of what a user sent', async () => {
    expect(
      JSON.stringify(await runningOf({ requestid: 'x', url }, { requestid: 'y', url: '/graph/g/vertices/T/canary' })),
    ).not.toContain('canary');
  });

  it('is left out where it has no id or url', async () => {
    expect(
      await runningOf({ url }, { requestid: '', url }, { requestid: 'x' }, null, 'x', { requestid: 7, url }),
    ).toEqual([]);
  });
});

describe('the lists', () => {
  it('of one graph have no elapsed time', async () => {
    const pool = new FakePool([
      'GET /restpp/showprocesslist/fraud',
      answer({ error: false, results: [{ requestid: 'x', url }] }),
    ]);
    expect(factsOf(await readProcessList(callerOver(pool), 'fraud', patient()))).toEqual([
      { ...query, requestId: 'x' },
    ]);
  });

  it('of delayed queries take an absent time for zero', async () => {
    const results = [{ requestidPartial: '1790000000942', url }, { url }, {}];
    const pool = new FakePool(['GET /restpp/showdelayedlistall', answer({ error: false, results })]);
    expect(factsOf(await readDelayedList(callerOver(pool), patient()))).toEqual([
      { ...query, partialId: '1790000000942', elapsed: 0 },
      { ...query, partialId: '', elapsed: 0 },
    ]);
  });

  it('are auth where the privilege is missing', async () => {
    const pool = new FakePool([all, answer({ error: true, message: 'no privilege' }, 403)]);
    expect(failureOf(await readProcessListAll(callerOver(pool), patient())).reason).toBe('auth');
  });

  it('are body where the results are none', async () => {
    const pool = new FakePool([all, answer({ error: false, results: {} })]);
    expect(failureOf(await readProcessListAll(callerOver(pool, { serverVersion: '4.1' }), patient())).reason).toBe(
      'body',
    );
  });

  it('give queries or a closed reason for any JSON', async () => {
    const entry = fc.record(
      { requestid: fc.jsonValue(), url: fc.oneof(fc.webUrl(), fc.jsonValue()), elapsedTime: fc.jsonValue() },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.array(entry), fc.jsonValue()), async (results) => {
        const caller = callerOver(new FakePool([all, answer({ error: false, results })]), { serverVersion: '4.1' });
        const result = await readProcessListAll(caller, patient());
        if (!result.ok) expect(failureReasons).toContain(result.error.reason);
      }),
      { numRuns: 100 },
    );
  });
});
