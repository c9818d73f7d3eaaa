import { describe, expect, it } from 'vitest';
import { fetchDataConsistency, fetchDeletedVertices } from '../../../src/graphdb/endpoints/consistency.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { FakeClock } from '../../support/clock.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const data = 'GET /restpp/data_consistency_check';
const vertices = 'GET /restpp/deleted_vertex_check';

/** The verdicts without what is the same in all of them. */
async function verdicts(request: string, body: object): Promise<readonly object[]> {
  const caller = callerOver(new FakePool([request, answer({ error: false, ...body })]));
  const read = request === data ? fetchDataConsistency : fetchDeletedVertices;
  const list = factsOf(await read(caller, neverAborted()));
  return list.map(({ partition, engine, passed, unsynced }) => ({ partition, engine, passed, unsynced }));
}

describe('a consistency check', () => {
  it('reports its duration and its end', async () => {
    const clock = new FakeClock();
    const slow = async (): Promise<ReturnType<typeof answer>> => {
      await clock.sleep(90_000);
      return answer({ error: false, message: 'check passed', results: [{ GPE: 'GPE_1_1', PassCheck: true }] });
    };
    const check = fetchDeletedVertices(callerOver(new FakePool([vertices, slow]), { clock }), neverAborted());
    await clock.advance(90_000);
    expect(factsOf(await check)).toEqual([
      {
        check: 'deleted_vertex',
        graph: '',
        partition: '',
        engine: 'GPE_1_1',
        passed: true,
        unsynced: 0,
        durationMillis: 90_000,
        endedAt: clock.now().wall,
      },
    ]);
  });

  it('counts inconsistent entries', async () => {
    const results = { GPESelfCheck: [{ Partition: 2, PassCheck: false, UnSyncList: [{}, {}] }] };
    expect(await verdicts(data, { message: 'check failed', results })).toEqual([
      { partition: '2', engine: '', passed: false, unsynced: 2 },
    ]);
  });

  it('uses the message if no entry has a result', async () => {
    const overall = { partition: '', engine: '', unsynced: 0 };
    const passed = { partition: '', engine: 'GPE_1_1', passed: true, unsynced: 0 };
    const one = { GPE: 'GPE_1_1', PassCheck: 'true' };
    expect(await verdicts(vertices, { message: 'check failed', results: [one] })).toEqual([
      passed,
      { ...overall, passed: false },
    ]);
    expect(await verdicts(vertices, { message: 'check failed', results: [] })).toEqual([{ ...overall, passed: false }]);
    expect(await verdicts(vertices, { message: 'check passed', results: [] })).toEqual([{ ...overall, passed: true }]);
    expect(await verdicts(vertices, { message: '', results: [] })).toEqual([]);
    expect(await verdicts(data, { message: 'check passed', results: {} })).toEqual([{ ...overall, passed: true }]);
  });

  it('drops entries without a verdict', async () => {
    const results = [{ GPE: 'GPE_1_1' }, 7, { PassCheck: 'perhaps' }, { GPE: 'GPE_2_1', PassCheck: false }];
    expect(await verdicts(vertices, { message: 'check failed', results })).toEqual([
      { partition: '', engine: 'GPE_2_1', passed: false, unsynced: 0 },
    ]);
  });

  it.each([
    [data, []],
    [data, null],
    [vertices, {}],
    [vertices, 'text'],
  ])('of %s is body for %j', async (request, results) => {
    const caller = callerOver(new FakePool([request, answer({ error: false, results })]), { serverVersion: '4.1' });
    const read = request === data ? fetchDataConsistency : fetchDeletedVertices;
    expect(failureOf(await read(caller, neverAborted())).reason).toBe('body');
  });
});
