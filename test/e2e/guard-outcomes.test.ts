import { expect, it, onTestFinished } from 'vitest';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { readJson } from '../support/http.ts';
import { openFalseAbortNode } from './false-abort-node.ts';
import { firing, outcomesOf } from './guard-api-client.ts';
import { abortCalls, nodesByName, startGuardEnvironment } from './guard-environment.ts';
import { listenOn, NetworkClock } from './network-clock.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 20s' }, grace: '5s' }],
};
const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 3_600_000, timeout: 3_600_000 };

it('guard reports a query that continues after its abort, and sends a page', async () => {
  const environment = await openFalseAbortNode(guard, (id) => [id]);
  const query = environment.simulator.control.startQuery(order);
  await environment.run(80_000);
  expect(environment.answered).toEqual([query?.requestId]);
  expect(await outcomesOf(environment)).toEqual(['still_running']);
  expect(await firing(environment)).toContain('abort_unconfirmed');
  expect(environment.simulator.truth().nodes[0]?.running.map(({ requestId }) => requestId)).toContain(query?.requestId);
});

it('guard reports no abort if the reply of the server names no query', async () => {
  const environment = await openFalseAbortNode(guard, () => []);
  environment.simulator.control.startQuery(order);
  await environment.run(80_000);
  expect(environment.answered).toHaveLength(1);
  expect(await outcomesOf(environment)).toEqual(['not_aborted']);
  expect(await firing(environment)).not.toContain('abort_unconfirmed');
});

it('guard pauses if the reply of the server names another query', async () => {
  const environment = await openFalseAbortNode(guard, (id) => [id, id.replace(/^\d+/, '7')]);
  environment.simulator.control.startQuery(order);
  environment.simulator.control.startQuery({ ...order, query: 'ring_of_others' });
  await environment.run(80_000);
  expect(environment.answered).toHaveLength(1);
  expect(await readJson(`${environment.daemon().url}/api/v1/guard`)).toMatchObject({
    paused: true,
    reasons: ['unexpected_id'],
  });
  expect(await firing(environment)).toContain('guard_paused');
});

it('guard pauses only the cluster whose server names another query, over a restart too', async () => {
  const clock = new NetworkClock();
  const other = await startSimulator({ nodes: 1 }, { listen: listenOn(clock), clock });
  onTestFinished(() => clock.through(other.close()));
  const clusters = ['prod', 'test'];
  const environment = await openFalseAbortNode(
    { ...guard, policies: guard.policies.map((policy) => ({ ...policy, clusters })) },
    (id) => [id.replace(/^\d+/, '7')],
    { clock, otherClusters: [{ name: 'test', nodes: nodesByName(other.nodes) }] },
  );
  environment.simulator.control.startQuery(order);
  await environment.run(60_000);
  expect(await firing(environment)).toEqual(expect.arrayContaining(['guard_paused']));
  await environment.restart();
  environment.simulator.control.startQuery({ ...order, query: 'ring_of_others' });
  other.control.startQuery(order);
  await environment.run(60_000);
  expect([environment.answered.length, other.aborts().length]).toEqual([1, 1]);
  expect(await readJson(`${environment.daemon().url}/api/v1/guard`)).toMatchObject({
    paused: false,
    reasons: [],
    clusters: [
      { cluster: 'prod', paused: true, reasons: ['unexpected_id'] },
      { cluster: 'test', paused: false, reasons: [] },
    ],
  });
  const page = await environment.daemon().page();
  expect(clusters.map((name) => page.value('graphwarden_guard_paused', { cluster_name: name }))).toEqual([1, 0]);
});

it.each([
  ['permanently', undefined, 'unknown', true],
  ['for 10 s', 10_000, 'confirmed', false],
] as const)('guard reports the outcome if the node stops %s right after an abort', async (_, after, outcome, pages) => {
  const environment = await startGuardEnvironment({ guard });
  onTestFinished(() => environment.stop());
  const { control } = environment.simulator;
  control.startQuery(order);
  for (let steps = 0; environment.simulator.aborts().length === 0; steps += 1) {
    expect(steps).toBeLessThan(10_000);
    await environment.run(10);
  }
  await environment.run(100);
  await environment.clock.through(control.stopNode('m1'));
  if (after !== undefined) {
    await environment.run(after);
    await environment.clock.through(control.startNode('m1'));
  }
  await environment.run(60_000);
  expect(abortCalls(environment.simulator)).toHaveLength(1);
  expect(await outcomesOf(environment)).toEqual([outcome]);
  expect((await firing(environment)).includes('abort_unconfirmed')).toBe(pages);
});
