import { expect, it, onTestFinished } from 'vitest';
import { abortCalls, openStage, type Stage } from './guard-stage.ts';

const runaway = { name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '10s' };
const other = { name: 'other', mode: 'enforce', when: { query: 'elsewhere_*', age: '> 20s' } };
const guard = { mode: 'enforce', policies: [runaway] };
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 600_000 };

/** A query in the middle of its grace. */
async function inGrace(): Promise<Stage> {
  const stage = await openStage({ guard });
  onTestFinished(() => stage.stop());
  stage.simulator.control.startQuery(order);
  await stage.run(25_000);
  expect(stage.warden().log.map(({ message }) => message)).toContain('a query matches a policy');
  return stage;
}

it.each([
  ['a policy that observes by now', { ...guard, policies: [{ ...runaway, mode: 'observe' }] }],
  ['a policy that is gone', { ...guard, policies: [other] }],
  ['a guard without policies', { mode: 'enforce', policies: [] }],
  ['a guard that observes by now', { ...guard, mode: 'observe' }],
  ['a query that is protected by now', { ...guard, protect: [{ query: 'ring_scan' }] }],
  ['another policy that comes first', { ...guard, policies: [{ ...runaway, name: 'first', grace: '10m' }, runaway] }],
])('nothing is aborted any more for the sake of %s', async (_, changed) => {
  const stage = await inGrace();
  await stage.reload(changed);
  await stage.run(60_000);
  expect(abortCalls(stage.simulator)).toEqual([]);
});

it('a reload that changes something else lets the grace go on as it is', async () => {
  const stage = await inGrace();
  await stage.reload({ ...guard, policies: [runaway, other] });
  await stage.run(10_000);
  expect(abortCalls(stage.simulator)).toHaveLength(1);
  expect(stage.simulator.aborts()).toHaveLength(1);
});
