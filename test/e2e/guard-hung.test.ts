import { expect, it, onTestFinished } from 'vitest';
import { abortCalls, type GuardEnvironment, startEnvironment } from './guard-environment.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 40s' }, grace: '2s' }],
};
const due = 42_000;
const patient = { interval: '30s', timeout: '30s' };
const slow = ['services', 'statistics', 'delayed_queries', 'workload_queues', 'metrics'];
/** What they ask for. */
const hung = /statistics|delayed|workload|current-service-status|informant/;

/** How long after it was due the abort of a query arrived that runs from now on. Sockets are real, time is not. */
async function reactionOn(stage: GuardEnvironment): Promise<number> {
  const { simulator } = stage;
  const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 600_000 };
  const query = simulator.control.startQuery(order);
  await stage.run(60_000);
  expect(simulator.aborts().map(({ requestId }) => requestId)).toEqual([query?.requestId]);
  const [call] = abortCalls(simulator);
  return (call?.at ?? Number.NaN) - (query?.startedAt ?? Number.NaN) - due;
}

it('an abort leaves in time though more collectors hang than there are sockets', { timeout: 180_000 }, async () => {
  const collectors = Object.fromEntries(slow.map((name) => [name, patient]));
  const stage = await startEnvironment({ collectors, guard });
  onTestFinished(() => stage.stop());
  await stage.simulator.control.injectFault('hang_before_headers', { path: hung });
  await stage.run(35_000);
  const waiting = stage.simulator.calls().filter(({ status }) => status === undefined).length;
  const reaction = await reactionOn(stage);
  process.stdout.write(`${waiting} calls hung; the abort arrived ${reaction} ms after it was due\n`);
  expect(waiting).toBeGreaterThan(0);
  expect(reaction).toBeGreaterThanOrEqual(0);
  expect(reaction).toBeLessThan(250);
  const failed = stage.warden().log.filter(({ fields }) => fields.reason === 'timeout');
  expect(new Set(failed.map(({ fields }) => fields.collector)).size).toBeGreaterThanOrEqual(4);
});

it('guard receives lists while another endpoint of the node hangs', async () => {
  const stage = await startEnvironment({ collectors: { delayed_queries: { interval: '5s', timeout: '5s' } }, guard });
  onTestFinished(() => stage.stop());
  await stage.simulator.control.injectFault('hang_before_headers', { path: /delayed/ });
  await stage.run(20_000);
  const reaction = await reactionOn(stage);
  expect(reaction).toBeGreaterThanOrEqual(0);
  expect(reaction).toBeLessThan(250);
});
