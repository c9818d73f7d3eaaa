import { expect, it, onTestFinished } from 'vitest';
import { readJson } from '../support/http.ts';
import { openFalseAbortNode } from './false-abort-node.ts';
import { firing, outcomesOf } from './guard-api-client.ts';
import { abortCalls, startEnvironment } from './guard-environment.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '5s' }],
};
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };

it('guard reports a query that runs on after its abort, and sends a page', async () => {
  const stage = await openFalseAbortNode(guard, (id) => [id]);
  const query = stage.simulator.control.startQuery(order);
  await stage.run(120_000);
  expect(stage.answered).toEqual([query?.requestId]);
  expect(await outcomesOf(stage)).toEqual(['still_running']);
  expect(await firing(stage)).toContain('abort_unconfirmed');
  expect(stage.simulator.truth().nodes[0]?.running.map(({ requestId }) => requestId)).toContain(query?.requestId);
});

it('guard reports no abort if the reply of the server names no query', async () => {
  const stage = await openFalseAbortNode(guard, () => []);
  stage.simulator.control.startQuery(order);
  await stage.run(120_000);
  expect(stage.answered).toHaveLength(1);
  expect(await outcomesOf(stage)).toEqual(['not_aborted']);
  expect(await firing(stage)).not.toContain('abort_unconfirmed');
});

it('guard pauses if the reply of the server names another query', async () => {
  const stage = await openFalseAbortNode(guard, (id) => [id, id.replace(/^\d+/, '7')]);
  stage.simulator.control.startQuery(order);
  stage.simulator.control.startQuery({ ...order, query: 'ring_of_others' });
  await stage.run(120_000);
  expect(stage.answered).toHaveLength(1);
  expect(await readJson(`${stage.warden().url}/api/v1/guard`)).toMatchObject({
    paused: true,
    reasons: ['unexpected_id'],
  });
  expect(await firing(stage)).toContain('guard_paused');
});

it.each([
  ['for good', undefined, 'unknown', true],
  ['for a while', 10_000, 'confirmed', false],
] as const)('a node that goes away %s right after an abort', async (_, after, outcome, pages) => {
  const stage = await startEnvironment({ guard });
  onTestFinished(() => stage.stop());
  const { control } = stage.simulator;
  control.startQuery(order);
  for (let steps = 0; stage.simulator.aborts().length === 0; steps += 1) {
    expect(steps).toBeLessThan(10_000);
    await stage.run(10);
  }
  await stage.run(100);
  await stage.clock.through(control.stopNode('m1'));
  if (after !== undefined) {
    await stage.run(after);
    await stage.clock.through(control.startNode('m1'));
  }
  await stage.run(60_000);
  expect(abortCalls(stage.simulator)).toHaveLength(1);
  expect(await outcomesOf(stage)).toEqual([outcome]);
  expect((await firing(stage)).includes('abort_unconfirmed')).toBe(pages);
});
