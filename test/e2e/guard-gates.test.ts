import { expect, it, onTestFinished } from 'vitest';
import { resetBreakers } from './guard-api-client.ts';
import { abortCalls, type GuardEnvironment, startGuardEnvironment } from './guard-environment.ts';

const slots = 8;
const policy = {
  name: 'under-pressure',
  mode: 'enforce',
  when: { query: 'ring_*', age: '> 20s' },
  gate: { any: [{ queue_depth: '> 3', for: '15s' }] },
  grace: '5s',
  cooldown: '10s',
};
const roomy = { max: 100, within: '1h' };
const guard = {
  mode: 'enforce',
  budgets: { per_node: roomy, per_cluster: roomy },
  breakers: { same_query: { aborts: 100, within: '1h' } },
  policies: [policy],
};

/** A node on which all slots are taken by queries that run away. */
async function openFull(): Promise<GuardEnvironment> {
  const environment = await startGuardEnvironment({
    guard,
    simulated: { maxConcurrentQueries: slots, maxDelayQueueSize: 100 },
    collectors: { delayed_queries: { interval: '5s', timeout: '5s' } },
  });
  onTestFinished(() => environment.stop());
  start(environment, slots, 'ring_scan');
  // Ahead of the traffic of the day, so that each slot that becomes free is taken for good.
  start(environment, 20, 'patient_one');
  return environment;
}

function start({ simulator }: GuardEnvironment, count: number, query: string): void {
  const order = { node: 'm1', graph: 'fraud', query, runsFor: 3_600_000, timeout: 3_600_000 };
  for (let index = 0; index < count; index += 1) simulator.control.startQuery(order);
}

function depth({ simulator }: GuardEnvironment): number {
  return simulator.truth().nodes[0]?.delayed.length ?? 0;
}

it('guard sends no abort without pressure', async () => {
  const environment = await startGuardEnvironment({
    guard,
    collectors: { delayed_queries: { interval: '5s', timeout: '5s' } },
  });
  onTestFinished(() => environment.stop());
  start(environment, slots, 'ring_scan');
  await environment.run(80_000);
  expect(depth(environment)).toBe(0);
  expect(abortCalls(environment.simulator)).toEqual([]);
});

it('guard stops a policy that does not relieve the pressure, until an operator resets the circuit breaker', async () => {
  const environment = await openFull();
  const depths: number[] = [];
  for (let cycle = 0; cycle < 60; cycle += 1) {
    await environment.run(5000);
    depths.push(depth(environment));
    start(environment, 2, 'patient_one');
  }
  expect(Math.min(...depths)).toBeGreaterThan(3);
  expect(environment.simulator.aborts()).toHaveLength(2);
  expect((await environment.daemon().page()).text).toMatch(
    /^graphwarden_guard_breaker_open\{.*reason="no_relief".*\} 1$/m,
  );
  expect(await resetBreakers(environment)).toEqual(['no_relief']);
  await environment.run(80_000);
  expect(environment.simulator.aborts().length).toBeGreaterThan(2);
});
