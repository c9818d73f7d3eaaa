import { expect, it, onTestFinished } from 'vitest';
import { abortCalls, type GuardEnvironment, startEnvironment } from './guard-environment.ts';

const guard = {
  mode: 'enforce',
  policies: [{ name: 'runaway', mode: 'enforce', when: { query: 'ring_*', age: '> 40s' }, grace: '2s' }],
};
const due = 42_000;
/** Well below the timeouts of the requests that hang, ms. */
const maxReaction = 2000;
const patient = { interval: '30s', timeout: '30s' };
const slow = ['services', 'statistics', 'delayed_queries', 'workload_queues', 'metrics'];
/** Paths that they request. */
const hung = /statistics|delayed|workload|current-service-status|informant/;

/** How long after it was due the abort of a query arrived that runs from now on. Sockets are real, time is not. */
async function reactionOn(environment: GuardEnvironment): Promise<number> {
  const { simulator } = environment;
  const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 600_000 };
  const query = simulator.control.startQuery(order);
  await environment.run(60_000);
  expect(simulator.aborts().map(({ requestId }) => requestId)).toEqual([query?.requestId]);
  const [call] = abortCalls(simulator);
  return (call?.at ?? Number.NaN) - (query?.startedAt ?? Number.NaN) - due;
}

it('guard sends an abort in time while more collectors hang than there are sockets', async () => {
  const collectors = Object.fromEntries(slow.map((name) => [name, patient]));
  let isHanging = false;
  const environment = await startEnvironment({
    collectors,
    guard,
    // The requests that do not hang themselves wait for a socket.
    hangs: (url) => isHanging && !/showprocesslist|abortquery/.test(url),
  });
  onTestFinished(() => environment.stop());
  await environment.simulator.control.injectFault('hang_before_headers', { path: hung });
  isHanging = true;
  await environment.run(35_000);
  const waiting = environment.simulator.calls().filter(({ status }) => status === undefined).length;
  const reaction = await reactionOn(environment);
  process.stdout.write(`${waiting} calls hung; the abort arrived ${reaction} ms after it was due\n`);
  expect(waiting).toBeGreaterThan(0);
  expect(reaction).toBeGreaterThanOrEqual(0);
  expect(reaction).toBeLessThan(maxReaction);
  const failed = environment.daemon().log.filter(({ fields }) => fields.reason === 'timeout');
  expect(new Set(failed.map(({ fields }) => fields.collector)).size).toBeGreaterThanOrEqual(4);
});

it('guard receives lists while another endpoint of the node hangs', async () => {
  let isHanging = false;
  const environment = await startEnvironment({
    collectors: { delayed_queries: { interval: '5s', timeout: '5s' } },
    guard,
    hangs: (url) => isHanging && url.includes('delayed'),
  });
  onTestFinished(() => environment.stop());
  await environment.simulator.control.injectFault('hang_before_headers', { path: /delayed/ });
  isHanging = true;
  await environment.run(20_000);
  const reaction = await reactionOn(environment);
  expect(reaction).toBeGreaterThanOrEqual(0);
  expect(reaction).toBeLessThan(maxReaction);
});
