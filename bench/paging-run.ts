import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../src/runtime/clock.ts';
import { listen } from '../src/runtime/listener.ts';
import type { ReceivedLetter } from '../src/simulator/receivers/letter.ts';
import { type Receivers, startReceivers } from '../src/simulator/receivers/receivers.ts';
import { type Simulator, startSimulator } from '../src/simulator/simulator.ts';
import { eventually } from '../test/support/child.ts';
import { startGraphwarden } from './contenders.ts';

/** How soon a person is paged: holds and group waits are 0. */
export interface PagingResult {
  /** Whether another receiver of the same alerts took every letter and never answered. */
  readonly besideHanging: boolean;
  /** From the answer of the cluster that showed the change to the page that was taken, ms, for each page. */
  readonly latencies: readonly number[];
  /** From one answer of the cluster to the next, ms, as far as one polled it meanwhile. */
  readonly beats: readonly number[];
}

const everyMs = 200;
const often = { every: `${everyMs}ms`, timeout: `${everyMs}ms` };
const off = { enabled: false };
const turns = [
  ['Down', 'trigger'],
  ['Online', 'resolve'],
] as const;
const idle = ['metrics', 'categories', 'statistics', 'queries', 'delayed_queries', 'workload_queues', 'license'];

/** Has `pages` incidents begin and end, one after the other. */
export async function runPaging(pages: number, besideHanging: boolean): Promise<PagingResult> {
  const outside = { listen, clock: systemClock };
  const simulator = await startSimulator({ nodes: 2 }, outside);
  const receivers = await startReceivers(
    [
      { name: 'oncall', kind: 'webhook' },
      { name: 'other', kind: 'webhook', manner: besideHanging ? { kind: 'hang', taken: true } : { kind: 'healthy' } },
    ],
    outside,
  );
  const graphwarden = await startGraphwarden(settingsOf(simulator, receivers));
  try {
    return { besideHanging, ...(await measure(pages, simulator, receivers)) };
  } finally {
    await graphwarden.stop();
    await receivers.close();
    await simulator.close();
  }
}

function settingsOf(simulator: Simulator, receivers: Receivers) {
  return {
    tracker: { confirm: 1, flapping: { on: 1, off: 0.9 } },
    clusters: [{ name: 'bench', nodes: simulator.nodes.map(({ name, url }) => ({ name, url })), graphs: ['fraud'] }],
    collectors: { health: often, services: often, ...Object.fromEntries(idle.map((name) => [name, off])) },
    alerts: {
      receivers: receivers.all.map(({ name, url }) => ({ name, webhook: { url } })),
      routes: [{ match: { service_name: 'GPE' }, receivers: ['oncall', 'other'], group_wait: '0s' }],
      rules: { service_not_online: { hold: '0s', keep_firing: '0s' } },
    },
  };
}

async function measure(
  pages: number,
  simulator: Simulator,
  receivers: Receivers,
): Promise<Omit<PagingResult, 'besideHanging'>> {
  // Two readings, so that the first change is one.
  await pause(3 * everyMs);
  const latencies: number[] = [];
  const from = Date.now();
  for (let page = 0; page < pages; page += 1) {
    for (const [status, action] of turns) {
      // Somewhere between two readings, each time somewhere else.
      await pause((page * 37) % everyMs);
      const change = simulator.truth().at;
      simulator.control.setService('GPE', '1', '1', status);
      const letter = await eventually('the page is taken', async () => letterTo(receivers, action, change));
      if (status === 'Down') latencies.push(letter.at - (seenAt(simulator, change) ?? Number.NaN));
    }
  }
  const times = answersOf(simulator).filter((at) => at >= from);
  return { latencies, beats: times.slice(1).map((at, index) => at - (times[index] ?? at)) };
}

function letterTo(receivers: Receivers, action: string, since: number): ReceivedLetter | undefined {
  return receivers
    .letters()
    .findLast(({ receiver, at, told }) => receiver === 'oncall' && at >= since && told[0]?.action === action);
}

/** When the cluster first told of what changed then. */
function seenAt(simulator: Simulator, change: number): number | undefined {
  return answersOf(simulator).find((at) => at >= change);
}

function answersOf(simulator: Simulator): readonly number[] {
  return simulator
    .calls()
    .filter(({ path }) => path.endsWith('/current-service-status'))
    .map(({ at }) => at);
}
