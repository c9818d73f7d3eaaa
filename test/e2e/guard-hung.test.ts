import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { listen } from '../support/returning-port.ts';
import { startWarden } from '../support/warden.ts';
import { abortCalls, openStage } from './guard-stage.ts';

const collectors = ['services', 'statistics', 'delayed_queries', 'workload_queues', 'metrics'];
/** What they ask for. */
const hung = /statistics|delayed|workload|current-service-status|informant/;
const patient = { every: '8s', timeout: '8s' };
const policy = {
  name: 'runaway',
  mode: 'enforce',
  when: { query: 'ring_*', age: '> 8s' },
  confirm: { sightings: 2, apart: '2s' },
  grace: '2s',
};
const due = 10_000;

/** In real time, since it is real sockets that are short; the bar is 250 ms, which a busy machine may miss. */
it('an abort leaves soon though more collectors hang than there are sockets', { timeout: 60_000 }, async () => {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  const settings = {
    clusters: [{ name: 'prod', nodes, graphs: ['fraud'] }],
    collectors: {
      queries: { every: '2s', timeout: '2s' },
      ...Object.fromEntries(collectors.map((name) => [name, patient])),
    },
    guard: { mode: 'enforce', policies: [policy] },
  };
  // All beats fall together, so that they hang together.
  const warden = await startWarden(settings, { random: { next: () => 0 } });
  onTestFinished(() => warden.stop());
  await simulator.control.inject('hang_before_headers', { path: hung });
  const waiting = (): number => simulator.calls().filter(({ status }) => status === undefined).length;
  const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 600_000 };
  const query = simulator.control.startQuery(order);
  const [call] = await eventually(
    'it is aborted',
    async () => {
      const calls = abortCalls(simulator);
      return calls.length > 0 && calls;
    },
    25_000,
  );
  const reaction = (call?.at ?? Number.NaN) - (query?.startedAt ?? Number.NaN) - due;
  process.stdout.write(`${waiting()} calls hung; the abort arrived ${reaction} ms after it was due\n`);
  expect(waiting()).toBeGreaterThan(0);
  expect(reaction).toBeGreaterThanOrEqual(0);
  expect(reaction).toBeLessThan(3000);
  expect(simulator.aborts().map(({ requestId }) => requestId)).toEqual([query?.requestId]);
  await eventually('four of them are given up', async () => {
    const failed = warden.log.filter(
      ({ message, fields }) => message === 'reading fails' && fields.reason === 'timeout',
    );
    return new Set(failed.map(({ fields }) => fields.collector)).size >= 4;
  });
});

it('lists go on while the other list of what the node does hangs', async () => {
  const stage = await openStage({
    collectors: { delayed_queries: { every: '5s', timeout: '5s' } },
    guard: { mode: 'enforce', policies: [{ ...policy, when: { query: 'ring_*', age: '> 40s' } }] },
  });
  onTestFinished(() => stage.stop());
  const { simulator } = stage;
  await simulator.control.inject('hang_before_headers', { path: /delayed/ });
  await stage.run(20_000);
  const order = { node: 'm1', graph: 'fraud', query: 'ring_scan', runsFor: 600_000, timeout: 600_000 };
  const query = simulator.control.startQuery(order);
  await stage.run(60_000);
  const [call] = abortCalls(simulator);
  const reaction = (call?.at ?? Number.NaN) - (query?.startedAt ?? Number.NaN) - 42_000;
  expect(reaction).toBeGreaterThanOrEqual(0);
  expect(reaction).toBeLessThan(250);
  expect(simulator.aborts()).toHaveLength(1);
});
