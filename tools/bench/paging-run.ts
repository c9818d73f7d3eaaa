import { setTimeout as pause } from 'node:timers/promises';
import { simulatedReceiverApis } from '../../src/notify/receivers/all.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import type { ReceivedRequest } from '../../src/simulator/receivers/received-request.ts';
import { type SimulatedReceivers, startReceivers } from '../../src/simulator/receivers/receivers.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../../test/support/child.ts';
import { startGraphwarden } from './candidates.ts';

/** Time until a page is accepted. Pending periods and group waits are 0. */
export interface PagingResult {
  /** Whether another receiver of the same alerts accepted all requests and never responded. */
  readonly hasHangingReceiver: boolean;
  /** Time from the response of the cluster with the change to the accepted page, in ms, for each page. */
  readonly latencies: readonly number[];
  /** Time between two responses of the cluster, in ms. */
  readonly pollGaps: readonly number[];
}

const everyMs = 200;
const often = { interval: `${everyMs}ms`, timeout: `${everyMs}ms` };
const off = { enabled: false };
const turns = [
  ['Down', 'trigger'],
  ['Online', 'resolve'],
] as const;
const idle = ['metrics', 'categories', 'statistics', 'queries', 'delayed_queries', 'workload_queues', 'license'];

/** Lets `pages` incidents begin and end, one after the other. */
export async function runPaging(pages: number, hasHangingReceiver: boolean): Promise<PagingResult> {
  const outside = { listen, clock: systemClock };
  const simulator = await startSimulator({ nodes: 2 }, outside);
  const receivers = await startReceivers(
    [
      { name: 'oncall', kind: 'webhook' },
      {
        name: 'other',
        kind: 'webhook',
        behavior: hasHangingReceiver ? { kind: 'hang', isAccepted: true } : { kind: 'healthy' },
      },
    ],
    { ...outside, apis: simulatedReceiverApis },
  );
  const graphwarden = await startGraphwarden(settingsOf(simulator, receivers));
  try {
    return { hasHangingReceiver, ...(await measure(pages, simulator, receivers)) };
  } finally {
    await graphwarden.stop();
    await receivers.close();
    await simulator.close();
  }
}

function settingsOf(simulator: Simulator, receivers: SimulatedReceivers) {
  return {
    tracker: { confirm: 1, flapping: { on: 1, off: 0.9, changes: 10_000 } },
    clusters: [{ name: 'bench', nodes: simulator.nodes.map(({ name, url }) => ({ name, url })), graphs: ['fraud'] }],
    collectors: { health: often, services: often, ...Object.fromEntries(idle.map((name) => [name, off])) },
    alerts: {
      receivers: receivers.all.map(({ name, url }) => ({ name, webhook: { url } })),
      routes: [
        { matchers: ['service_name="GPE"'], receivers: ['oncall', 'other'], group_wait: '0s' },
        { receivers: [] },
      ],
      rules: { service_not_online: { for: '0s', keep_firing_for: '0s' } },
    },
  };
}

async function measure(
  pages: number,
  simulator: Simulator,
  receivers: SimulatedReceivers,
): Promise<Omit<PagingResult, 'hasHangingReceiver'>> {
  // Waits for two polls, so that the daemon detects the first change.
  await pause(3 * everyMs);
  const latencies: number[] = [];
  const from = Date.now();
  for (let page = 0; page < pages; page += 1) {
    for (const [status, action] of turns) {
      // The change is between two polls, at another offset each time.
      await pause((page * 37) % everyMs);
      const change = simulator.truth().at;
      simulator.control.setService('GPE', '1', '1', status);
      const notification = await eventually('the page is accepted', async () =>
        notificationTo(receivers, action, change),
      );
      if (status === 'Down') latencies.push(notification.at - (seenAt(simulator, change) ?? Number.NaN));
    }
  }
  const times = answersOf(simulator).filter((at) => at >= from);
  return { latencies, pollGaps: times.slice(1).map((at, index) => at - (times[index] ?? at)) };
}

function notificationTo(receivers: SimulatedReceivers, action: string, since: number): ReceivedRequest | undefined {
  return receivers
    .requests()
    .findLast(
      ({ receiver, at, notifications }) => receiver === 'oncall' && at >= since && notifications[0]?.action === action,
    );
}

/** Returns when the cluster first reported a change. */
function seenAt(simulator: Simulator, change: number): number | undefined {
  return answersOf(simulator).find((at) => at >= change);
}

function answersOf(simulator: Simulator): readonly number[] {
  return simulator
    .calls()
    .filter(({ path }) => path.endsWith('/current-service-status'))
    .map(({ at }) => at);
}
