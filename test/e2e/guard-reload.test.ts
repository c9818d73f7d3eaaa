import { expect, it, onTestFinished } from 'vitest';
import { abortCalls, type GuardEnvironment, startGuardEnvironment } from './guard-environment.ts';

const runaway = { name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '10s' };
const other = { name: 'other', mode: 'enforce', when: { query: 'elsewhere_*', age: '> 20s' } };
const guard = { mode: 'enforce', policies: [runaway] };
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 600_000 };

/** A query in the middle of its grace. */
async function inGrace(): Promise<GuardEnvironment> {
  const environment = await startGuardEnvironment({ guard });
  onTestFinished(() => environment.stop());
  environment.simulator.control.startQuery(order);
  await environment.run(25_000);
  expect(environment.daemon().log.map(({ message }) => message)).toContain('query matched');
  return environment;
}

it.each([
  ['a policy that observes', { ...guard, policies: [{ ...runaway, mode: 'observe' }] }],
  ['a configuration without the policy', { ...guard, policies: [other] }],
  ['a guard without policies', { mode: 'enforce', policies: [] }],
  ['a guard that observes', { ...guard, mode: 'observe' }],
  ['a protected query', { ...guard, protect: [{ query: 'ring_scan' }] }],
  ['another policy that comes first', { ...guard, policies: [{ ...runaway, name: 'first', grace: '10m' }, runaway] }],
])('guard does not abort a query in its grace period after a reload to %s', async (_, changed) => {
  const environment = await inGrace();
  await environment.reload(changed);
  await environment.run(60_000);
  expect(abortCalls(environment.simulator)).toEqual([]);
});

it('guard does not restart a grace period if a reload does not change the policies', async () => {
  const environment = await inGrace();
  await environment.reload({ ...guard, protect: [{ query: 'pagerank' }], breakers: { no_relief: { aborts: 5 } } });
  await environment.run(10_000);
  expect(abortCalls(environment.simulator)).toHaveLength(1);
  expect(environment.simulator.aborts()).toHaveLength(1);
});

it('guard confirms a query again after a change of policies, and aborts it then', async () => {
  const environment = await inGrace();
  await environment.reload({ ...guard, policies: [runaway, other] });
  await environment.run(10_000);
  expect(abortCalls(environment.simulator)).toEqual([]);
  await environment.run(15_000);
  expect(environment.simulator.aborts()).toHaveLength(1);
});
