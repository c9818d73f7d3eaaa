import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/graphdb/caller.ts';
import { fetchDataConsistency, fetchDeletedVertices } from '../../../src/graphdb/endpoints/consistency.ts';
import { fetchList } from '../../../src/graphdb/endpoints/list.ts';
import { createGraphProcessListCall } from '../../../src/graphdb/endpoints/process-lists.ts';
import { fetchQueueStatus } from '../../../src/graphdb/endpoints/queue-status.ts';
import { fetchStatistics } from '../../../src/graphdb/endpoints/statistics.ts';
import type { Answer } from '../../../src/graphdb/graph-db.ts';
import { createGraphDiscovery } from '../../../src/graphdb/graph-discovery.ts';
import { mapResult, ok } from '../../../src/kernel/result.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../../support/client.ts';
import { CostlyClock } from '../../support/clock.ts';
import { answer, FakePool } from '../../support/fake-pool.ts';

function entry(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function read(body: unknown): ReturnType<typeof fetchList<number>> {
  const caller = callerOver(new FakePool(['POST /informant/current-service-status', answer(body)]));
  return fetchList(caller, { name: 'serviceStatus', input: { body: {} }, member: 'items', entry }, neverAborted());
}

function many<Item>(item: (at: number) => Item): Item[] {
  return Array.from({ length: 20_000 }, (_, at) => item(at));
}

describe('a list', () => {
  it.each([
    [{ items: [1, 2] }, [1, 2]],
    [{ items: [1, 'odd', null, 2] }, [1, 2]],
    [{ items: [] }, []],
    [{ items: null }, []],
    [{}, []],
    [{ items: [3], more: true }, [3]],
  ])('%j is parsed to %j', async (body, expected) => {
    expect(factsOf(await read(body))).toEqual(expected);
  });

  it.each([{ other: [] }, { items: 'text' }, { items: {} }, { items: 7 }])('%j is not a list', async (body) => {
    expect(failureOf(await read(body))).toEqual({
      reason: 'body',
      message: 'POST /informant/current-service-status on m1: the response contains no list of items',
    });
  });
});

describe('a list with invalid entries', () => {
  it.each([
    ['none', [1, 'odd'], true],
    ['none', ['odd'], true],
    ['one', [1, 'odd'], true],
    ['one', ['odd', null], false],
    ['one', [], true],
    ['all', [1, 'odd'], false],
    ['all', [1, 2], true],
  ] as const)('that needs %s: the validity of %j is %s', async (needs, items, isValid) => {
    const caller = callerOver(new FakePool(['POST /informant/current-service-status', answer({ items })]));
    const call = { name: 'serviceStatus', input: { body: {} }, member: 'items', entry, needs } as const;
    expect((await fetchList(caller, call, neverAborted())).ok).toBe(isValid);
  });
});

describe('a very long answer', () => {
  const engines = many((at) => ({ GPE: `GPE_${at}_1`, PassCheck: true }));
  const queues = many((at) => ({ WorkloadQueueName: `q${at}` }));
  const endpoints = many((at) => [`GET /query/g/q${at}`, { CompletedRequests: 1 }] as const);
  const graphs = many((at) => ({ graphName: `g${at}` }));
  type Read = (caller: Caller, signal: AbortSignal) => Answer<readonly unknown[]>;

  it.each<readonly [string, object, Read, number]>([
    [
      'the process list',
      { results: many((at) => ({ requestid: `${at}`, url: '/query/g/q' })) },
      (caller, signal) => createGraphProcessListCall(caller)('g', signal),
      20_000,
    ],
    [
      'the queues',
      { WorkloadQueueStatusByInstances: [{ results: { GPE: queues } }] },
      async (caller, signal) => mapResult(await fetchQueueStatus(caller, signal), ({ queues: listed }) => listed),
      20_000,
    ],
    ['the data check', { results: { GPEGSECheck: engines } }, fetchDataConsistency, 20_000],
    ['the vertex check', { results: engines }, fetchDeletedVertices, 20_000],
    ['the statistics', Object.fromEntries(endpoints), (caller, signal) => fetchStatistics(caller, 'g', signal), 20_000],
    [
      'the graphs',
      { graphs },
      (caller, signal) => createGraphDiscovery('auto', caller.clock).names(caller, signal),
      20_000,
    ],
  ])('of %s is read in slices', async (_what, json, call, expected) => {
    const clock = new CostlyClock();
    const caller: Caller = { ...callerOver(new FakePool(), { clock }), json: async () => ok({ ...json }) };
    expect(factsOf(await call(caller, neverAborted()))).toHaveLength(expected);
    expect(clock.pauses).toBeGreaterThan(20);
  });
});
