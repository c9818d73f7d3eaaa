import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { ReceivedRequest } from '../../src/simulator/receivers/received-request.ts';
import type { SimulatedReceivers } from '../../src/simulator/receivers/receivers.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';
import { startSimulatedReceivers } from '../support/simulated-receivers.ts';

let simulator: Simulator;
let receivers: SimulatedReceivers;
let daemon: InProcessDaemon;

const policy = {
  name: 'runaway',
  mode: 'enforce',
  when: { age: '> 2s', granted_timeout: '> 1m' },
  confirm: { observations: 2, apart: '1s' },
  grace: '1s',
  notify: ['oncall-db'],
};

beforeAll(async () => {
  const ports = { listen, clock: systemClock };
  simulator = await startSimulator({ nodes: 1 }, ports);
  receivers = await startSimulatedReceivers(
    [
      { name: 'chat', kind: 'webhook' },
      { name: 'oncall-db', kind: 'webhook' },
    ],
    ports,
  );
  const nodes = simulator.nodes.map(({ name, url, instance }) => ({ name, url, instance }));
  daemon = await startInProcessDaemon({
    clusters: [{ name: 'prod', nodes }],
    collectors: { queries: { interval: '2s', timeout: '2s' } },
    guard: { mode: 'enforce', policies: [policy] },
    alerts: {
      receivers: receivers.all.map(({ name, url }) => ({ name, webhook: { url } })),
      // Only the policy leads to `oncall-db`. The chat receives the notification by its route.
      routes: [
        { receivers: ['chat'], matchers: ['alertname="GraphdbQueryAborted"'], group_wait: '2s' },
        { receivers: [] },
      ],
      rules: { query_aborted: { shown_for: '1s', keep_firing_for: '0s' } },
    },
  });
});

afterAll(async () => {
  await daemon.stop();
  await receivers.close();
  await simulator.close();
});

function notificationTo(name: string, action: 'trigger' | 'resolve'): ReceivedRequest | undefined {
  return receivers
    .requests()
    .find(({ receiver, notifications }) => receiver === name && notifications[0]?.action === action);
}

/** Returns the metrics of the guard, to show in a failure why it did nothing. */
async function whatItShows(): Promise<string> {
  const { text } = await daemon.page();
  const lines = text.split('\n').filter((line) => line.startsWith('graphwarden_guard_') && !line.endsWith(' 0'));
  return [...lines, ...daemon.log.map((line) => JSON.stringify(line))].join('\n');
}

/** The decisions in a stream of events, as `enforce over confirmed`. */
function decisionsIn(stream: string): readonly string[] {
  return [...stream.matchAll(/^event: decision\ndata: (.*)$/gm)].map(([, data = '']) => {
    const { mode, phase, outcome } = JSON.parse(data);
    return `${mode} ${phase} ${outcome}`;
  });
}

it('guard notifies the receivers of the policy at once and others by their routes, and sends the resolve to all', async () => {
  const [node] = simulator.nodes;
  const events = send(`${daemon.url}/api/v1/events`);
  const order = { graph: 'fraud', query: 'ring_scan', runsFor: 300_000, timeout: 600_000, node: node?.name ?? '' };
  simulator.control.startQuery(order);
  const first = await eventually('the receiver of the policy is notified', async () =>
    notificationTo('oncall-db', 'trigger'),
  ).catch(async (cause: unknown) => {
    throw new Error(await whatItShows(), { cause });
  });
  expect(first.notifications).toMatchObject([
    { summary: `ring_scan of fraud is being aborted on ${order.node} of prod` },
  ]);
  const second = await eventually('the chat is notified', async () => notificationTo('chat', 'trigger'));
  expect(second.at - first.at).toBeGreaterThan(1000);
  for (const name of ['oncall-db', 'chat']) {
    const last = await eventually(`${name} is notified of the end`, async () => notificationTo(name, 'resolve'));
    expect(last.notifications).toMatchObject([{ summary: `ring_scan of fraud was aborted on ${order.node} of prod` }]);
  }
  expect(receivers.requests().filter(({ notifications }) => notifications[0]?.action === 'trigger')).toHaveLength(2);
  await daemon.app.stop();
  expect(decisionsIn((await events).text)).toEqual(['enforce committing null', 'enforce over confirmed']);
});
