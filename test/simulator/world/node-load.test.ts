import { beforeEach, describe, expect, it } from 'vitest';
import { createTopology } from '../../../src/simulator/topology.ts';
import { serverRelease } from '../../../src/simulator/versions.ts';
import { runEventsUntil } from '../../../src/simulator/world/event-source.ts';
import { inQueue, NodeLoad } from '../../../src/simulator/world/node-load.ts';
import type { QuerySpec, QueueName } from '../../../src/simulator/world/query.ts';
import { installedQuery } from '../../../src/simulator/world/query.ts';

const limits = { OLTP: { running: 2, delayed: 1 }, AdHoc: { running: 1, delayed: 0 } };
const host = createTopology(1, serverRelease('4.1.2')).hosts[0] ?? expect.fail('a host');

let load: NodeLoad;
beforeEach(() => {
  load = new NodeLoad(host, { limits, clockOffset: () => 0 });
});

function order(runsFor: number, more: { timeout?: number; queue?: QueueName; detached?: boolean } = {}): QuerySpec {
  const { timeout = 1_000, queue = 'OLTP', detached = false } = more;
  return { ...installedQuery({ graph: 'g', query: 'q', parameters: '', runsFor, timeout, detached }), queue };
}

function states(): readonly string[] {
  return [...load.running, ...load.delayed, ...load.endedSince(0)].map(({ state, endedAt }) =>
    endedAt === undefined ? state : `${state}@${endedAt}`,
  );
}

describe('a query', () => {
  it.each([
    ['finishes', order(300), 300, 'success@300'],
    ['finishes in the last moment', order(1_000), 1_000, 'success@1000'],
    ['times out', order(5_000), 1_000, 'timeout@1000'],
    ['times out when it was granted more', order(5_000, { timeout: 4_000 }), 4_000, 'timeout@4000'],
  ])('%s at its exact moment', (_, wanted, end, expected) => {
    load.start(wanted, 0);
    runEventsUntil([load], end - 1);
    expect(states()).toEqual(['running']);
    runEventsUntil([load], end);
    expect(states()).toEqual([expected]);
    expect(load.nextEventAt()).toBe(Number.POSITIVE_INFINITY);
  });

  it('has an id with the instance and the moment of its arrival', () => {
    const ids = [load.start(order(1), 1_790_000_000_123), load.start(order(1), 1_790_000_000_123)].map(
      (query) => query?.requestId ?? '',
    );
    expect(ids[0]).toMatch(/^\d+\.RESTPP_1_1\.1790000000123\.N$/);
    expect(new Set(ids).size).toBe(2);
    expect(load.find(ids[1] ?? '')?.requestId).toBe(ids[1]);
    expect(load.find('none')).toBeUndefined();
  });

  it('has an id with the time of the clock of the host', () => {
    const ahead = new NodeLoad(host, { limits, clockOffset: () => 5_000 });
    expect(ahead.start(order(1), 1_000)?.requestId).toContain('.6000.');
  });
});

describe('the queues', () => {
  it('run some queries, delay some and reject the others', () => {
    const accepted = [1, 2, 3, 4].map(() => load.start(order(500), 0)?.state);
    expect(accepted).toEqual(['running', 'running', 'delayed', undefined]);
    expect(load.rejected).toBe(1);
  });

  it('start the next query when one ends; its timeout begins then', () => {
    load.start(order(900), 0);
    load.start(order(400), 0);
    load.start(order(5_000), 100);
    runEventsUntil([load], 400);
    expect(load.delayed).toEqual([]);
    expect(load.running.map(({ arrivedAt, startedAt }) => [arrivedAt, startedAt])).toEqual([
      [0, 0],
      [100, 400],
    ]);
    runEventsUntil([load], 1_399);
    expect(states()).toEqual(['running', 'success@400', 'success@900']);
    runEventsUntil([load], 1_400);
    expect(states()).toEqual(['success@400', 'success@900', 'timeout@1400']);
  });

  it('are independent of each other', () => {
    expect(load.start(order(500, { queue: 'AdHoc' }), 0)?.state).toBe('running');
    expect(load.start(order(500, { queue: 'AdHoc' }), 0)).toBeUndefined();
    expect(load.start(order(500), 0)?.state).toBe('running');
    expect(inQueue(load.running, 'AdHoc')).toHaveLength(1);
    expect(inQueue(load.running, 'OLTP')).toHaveLength(1);
  });
});

describe('an abort', () => {
  it('ends a running query and starts the next one', () => {
    const [first, , waiting] = [1, 2, 3].map(() => load.start(order(500), 0)?.requestId);
    const aborted = load.abort(({ requestId }) => requestId === first, 200);
    expect(aborted.map(({ requestId }) => requestId)).toEqual([first]);
    expect(load.running.at(-1)).toMatchObject({ requestId: waiting, startedAt: 200 });
    expect(load.find(first ?? '')).toMatchObject({ state: 'aborted', endedAt: 200 });
  });

  it('does not end a query that outlives aborts, but reports it as aborted', () => {
    const id = load.start({ ...order(500), outlivesAborts: true }, 0)?.requestId;
    expect(load.abort(() => true, 200).map(({ requestId }) => requestId)).toEqual([id]);
    expect(states()).toEqual(['running']);
    runEventsUntil([load], 500);
    expect(states()).toEqual(['success@500']);
  });

  it('does not end a queued query', () => {
    const waiting = [1, 2, 3].map(() => load.start(order(500), 0)?.requestId)[2];
    expect(load.abort(({ requestId }) => requestId === waiting, 100)).toEqual([]);
    expect(load.delayed).toHaveLength(1);
  });
});

describe('the finished queries of a node', () => {
  it('are kept for two minutes, detached ones permanently', () => {
    load.start(order(100, { detached: true }), 0);
    load.start(order(200), 0);
    runEventsUntil([load], 200);
    load.start(order(100), 300_000);
    runEventsUntil([load], 300_100);
    expect(load.endedSince(0).map(({ endedAt }) => endedAt)).toEqual([100, 300_100]);
    expect(load.endedSince(300_000)).toHaveLength(1);
  });

  it('are lost when the process ends', () => {
    for (const _ of [1, 2, 3]) load.start(order(100), 0);
    load.clear();
    expect(states()).toEqual([]);
    expect(load.nextEventAt()).toBe(Number.POSITIVE_INFINITY);
  });
});
