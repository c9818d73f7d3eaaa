import { expect, it, onTestFinished } from 'vitest';
import { abortCalls, startGuardEnvironment } from './guard-environment.ts';

const graph = 'fraud';
const order = { node: 'm1', graph, detached: true };

it('a query in detached mode is listed with the others, and the guard aborts it', async () => {
  const environment = await startGuardEnvironment({
    guard: {
      mode: 'enforce',
      policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '10s' }],
    },
    collectors: { detached_queries: { enabled: true, interval: '5s', timeout: '5s' } },
  });
  onTestFinished(() => environment.stop());
  const { simulator } = environment;
  const runaway = simulator.control.startQuery({
    ...order,
    query: 'ring_scan_all',
    runsFor: 600_000,
    timeout: 600_000,
  });
  simulator.control.startQuery({ ...order, query: 'other', runsFor: 12_000, timeout: 60_000 });
  simulator.control.startQuery({ ...order, query: 'late', runsFor: 60_000, timeout: 13_000 });
  await environment.run(10_000);
  const labels = { cluster_name: 'prod', node: 'm1', graph };
  const before = await environment.daemon().page();
  expect(before.value('graphdb_detached_queries_running', labels)).toBe(3);
  expect(before.value('graphdb_queries_overdue', { ...labels, query: 'ring_scan_all' })).toBe(0);

  await environment.run(60_000);
  expect(simulator.aborts().map(({ requestId }) => requestId)).toEqual([runaway?.requestId]);
  expect(abortCalls(simulator)).toHaveLength(1);
  const after = await environment.daemon().page();
  expect(after.value('graphdb_detached_queries_running', labels)).toBe(0);
  const ended = (outcome: string) => after.value('graphdb_detached_queries_ended_total', { ...labels, outcome });
  expect(['success', 'timeout', 'aborted', 'unknown'].map(ended)).toEqual([1, 1, 1, 0]);
});
