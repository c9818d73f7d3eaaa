import { describe, expect, it } from 'vitest';
import { fetchQueueStatus } from '../../../src/graphdb/endpoints/queue-status.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

const request = 'POST /restpp/workload-manager/queuestatus';

function read(body: object): ReturnType<typeof fetchQueueStatus> {
  const caller = callerOver(new FakePool([request, answer({ error: false, ...body })]), { serverVersion: '4.1' });
  return fetchQueueStatus(caller, neverAborted());
}

const queue = (name: string, more: object = {}): object => ({ WorkloadQueueName: name, ...more });

describe('queue status', () => {
  it('is requested for all queues, with their requests', async () => {
    const pool = new FakePool([request, answer({ error: false, WorkloadQueueStatusByInstances: [] })]);
    expect(factsOf(await fetchQueueStatus(callerOver(pool), neverAborted()))).toEqual({
      queues: [],
      isComplete: true,
    });
    expect(pool.requests[0]?.body).toBe('{"mode":"verbose"}');
  });

  it('counts requests, or has the count of the server', async () => {
    const results = {
      GPE_1_1: [
        queue('AdHoc', { runningQueries: ['a', 'b'], delayQueries: [], maxConcurrentQueries: 3, maxDelayQueueSize: 4 }),
      ],
      GPE_2_1: [queue('AdHoc', { runningQueries: 5, delayQueries: '6' })],
    };
    expect(factsOf(await read({ WorkloadQueueStatusByInstances: [{ error: false, results }] }))).toEqual({
      queues: [
        { engine: 'GPE_1_1', queue: 'AdHoc', running: 2, delayed: 0, runningLimit: 3, delayedLimit: 4 },
        { engine: 'GPE_2_1', queue: 'AdHoc', running: 5, delayed: 6, runningLimit: 0, delayedLimit: 0 },
      ],
      isComplete: true,
    });
  });

  it.each([
    { error: true, message: 'engine down' },
    { error: 'true', results: {} },
    { error: false, results: 'text' },
  ])('is not complete with the instance %j; queues without a name are dropped', async (bad) => {
    const good = { error: false, results: { GPE_1_1: [queue('OLTP'), {}, 7] } };
    const { queues, isComplete } = factsOf(await read({ WorkloadQueueStatusByInstances: [bad, good] }));
    expect(queues.map(({ engine, queue: name }) => [engine, name])).toEqual([['GPE_1_1', 'OLTP']]);
    expect(isComplete).toBe(false);
  });

  it.each([
    { WorkloadQueueStatusByInstances: [{ error: true }] },
    { WorkloadQueueStatusByInstances: 'text' },
    { results: [] },
  ])('fails with the reason body for %j', async (body) => {
    expect(failureOf(await read(body)).reason).toBe('body');
  });
});
