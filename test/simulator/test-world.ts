import { TextDecoder } from 'node:util';
import type { EndpointCall } from '../../src/simulator/call.ts';
import { type SimulatorOptions, withDefaults } from '../../src/simulator/options.ts';
import type { Reply } from '../../src/simulator/replies.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { TokenIssuer } from '../../src/simulator/tokens.ts';
import type { HostState, World } from '../../src/simulator/world/world.ts';
import { World as SimulatedWorld } from '../../src/simulator/world/world.ts';
import { FakeClock } from '../support/clock.ts';
import { listen } from '../support/reusable-port.ts';

/** The moment at which the worlds of these tests are first looked at. */
export const noon = Date.UTC(2026, 8, 22, 12, 0, 0);

/** A world without its network. */
export function worldOf(options: SimulatorOptions = {}): World {
  return new SimulatedWorld(withDefaults(options), noon);
}

/** The nth node of a world. */
export function nodeOf(world: World, index = 0): HostState {
  const node = world.hosts[index];
  if (node === undefined) throw new Error(`there is no node ${index}`);
  return node;
}

/** A call to the first node, as an endpoint gets it. */
export function callOn(world: World, more: Partial<EndpointCall> = {}): EndpointCall {
  return {
    world,
    node: nodeOf(world),
    path: {},
    query: new URLSearchParams(),
    headers: {},
    body: '',
    tokens: new TokenIssuer(),
    clock: new FakeClock(),
    advanceClock: () => undefined,
    disconnected: new AbortController().signal,
    recordAbort: () => undefined,
    ...more,
  };
}

/** The JSON of an answer, for `toMatchObject` and its like. */
export async function jsonOf(reply: Reply | Promise<Reply>): Promise<unknown> {
  return JSON.parse((await reply).body);
}

/** Removes all load, so that a test sees its own queries alone. */
export function withoutLoad(world: World): World {
  for (const { load } of world.hosts) load.clear();
  return world;
}

/** A cluster on loopback whose time stands still until the test moves it. */
export interface Cluster {
  readonly simulator: Simulator;
  readonly clock: FakeClock;
  /** Address of a path on the nth node. */
  readonly url: (path: string, index?: number) => string;
}

/** Opens a cluster, passes it to `use`, and always closes it. */
export async function withCluster(options: SimulatorOptions, use: (cluster: Cluster) => Promise<void>): Promise<void> {
  const clock = new FakeClock();
  const simulator = await startSimulator(options, { listen, clock });
  try {
    await use({ simulator, clock, url: (path, index = 0) => `${simulator.nodes[index]?.url ?? ''}${path}` });
  } finally {
    await simulator.close();
  }
}

/** Everything a spoilt body yields, as text; a stream that throws rejects. */
export async function readBody(body: string | Uint8Array | readonly Uint8Array[] | AsyncIterable<Uint8Array>) {
  if (typeof body === 'string') return body;
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body instanceof Uint8Array ? [body] : body) text += decoder.decode(piece, { stream: true });
  return text;
}
