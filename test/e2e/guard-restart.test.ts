import { expect, it, onTestFinished } from 'vitest';
import { memoryStore } from '../../src/runtime/store/local-store.ts';
import { openFalseAbortNode } from './false-abort-node.ts';
import { outcomesOf, resetBreakers } from './guard-api-client.ts';
import { abortCalls, startGuardEnvironment } from './guard-environment.ts';

const runaway = { name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '10s' };
const guard = { mode: 'enforce', policies: [runaway] };
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };

it('guard restarts a grace period after a restart, and aborts the query once', async () => {
  const environment = await startGuardEnvironment({ guard, world: { store: memoryStore() } });
  onTestFinished(() => environment.stop());
  const query = environment.simulator.control.startQuery(order);
  await environment.run(28_000);
  await environment.restart();
  const restarted = environment.clock.now().wall;
  await environment.run(60_000);
  const [abort, ...more] = environment.simulator.aborts();
  expect([abort?.requestId, more, abortCalls(environment.simulator).length]).toEqual([query?.requestId, [], 1]);
  // The query also has to be confirmed again, by lists 5 s apart.
  expect((abort?.at ?? 0) - restarted).toBeGreaterThanOrEqual(10_000);
});

it('guard never sends an abort again after a restart or a reload', async () => {
  const environment = await openFalseAbortNode(guard, (id) => [id]);
  const query = environment.simulator.control.startQuery(order);
  await environment.run(31_000);
  expect(environment.answered).toEqual([query?.requestId]);
  await environment.restart();
  await environment.run(60_000);
  expect(await outcomesOf(environment)).toEqual(['still_running']);
  await environment.reload({ ...guard, policies: [{ ...runaway, name: 'another', grace: '1s' }, runaway] });
  await environment.run(60_000);
  await environment.restart();
  await environment.run(60_000);
  expect(environment.simulator.truth().nodes[0]?.running.map(({ requestId }) => requestId)).toContain(query?.requestId);
  expect(environment.answered).toHaveLength(1);
});

it('guard keeps spent budgets over a restart', async () => {
  const budgets = { per_node: { max: 2, within: '4m' } };
  const environment = await startGuardEnvironment({
    guard: { ...guard, budgets, policies: [{ ...runaway, cooldown: '0s' }] },
    world: { store: memoryStore() },
  });
  onTestFinished(() => environment.stop());
  for (let index = 0; index < 5; index += 1) {
    environment.simulator.control.startQuery({ ...order, query: `ring_${index}` });
  }
  await environment.run(60_000);
  expect(environment.simulator.aborts()).toHaveLength(2);
  await environment.restart();
  await environment.run(120_000);
  expect(environment.simulator.aborts()).toHaveLength(2);
  await environment.run(150_000);
  expect(environment.simulator.aborts()).toHaveLength(4);
});

it('guard keeps an open circuit breaker over a restart, and its reset', async () => {
  const environment = await startGuardEnvironment({
    guard: {
      ...guard,
      budgets: { per_node: { max: 100, within: '1h' }, per_cluster: { max: 100, within: '1h' } },
      breakers: { same_query: { aborts: 2, within: '15m' } },
      policies: [{ ...runaway, cooldown: '0s' }],
    },
    world: { store: memoryStore() },
  });
  onTestFinished(() => environment.stop());
  for (let index = 0; index < 5; index += 1) environment.simulator.control.startQuery(order);
  await environment.run(60_000);
  await environment.restart();
  await environment.run(60_000);
  expect(environment.simulator.aborts()).toHaveLength(2);
  expect((await environment.daemon().page()).text).toMatch(
    /^graphwarden_guard_breaker_open\{.*reason="same_query".*\} 1$/m,
  );
  expect(await resetBreakers(environment)).toEqual(['same_query']);
  // The aborts before the reset do not count after a restart either.
  await environment.restart();
  await environment.run(60_000);
  expect(environment.simulator.aborts()).toHaveLength(4);
});
