import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { evilBehaviours } from '../../test/e2e/evil-replies.ts';
import { pathOf, sendEvilReply } from '../../test/e2e/evil-reply.ts';

/**
 * Load on graphwarden in a separate process: clients that repeat requests, a node with hostile replies, or a cluster
 * whose service instances change. It reports its port (0 for clients) and, on the message `responses`, the number of
 * responses by status, or of changes.
 */
const [kind = '', origin = ''] = process.argv.slice(2);

interface Clients {
  readonly count: number;
  readonly paths: readonly string[];
  /** Time between two requests of a client, ms. */
  readonly pause: number;
}

const history = '/api/v1/availability?since=60d';
const clients: Readonly<Record<string, Clients>> = {
  api: { count: 200, paths: [history, '/api/v1/transitions', '/api/v1/queries', '/api/v1/alerts'], pause: 0 },
  probe: { count: 64, paths: ['/probe?target=bench/m1'], pause: 0 },
  scrapes: { count: 1000, paths: ['/metrics'], pause: 1000 },
};
const responses: Record<string, number> = {};

process.on('message', (message) => {
  if (z.literal('responses').safeParse(message).success) process.send?.({ responses });
});
if (kind === 'evil') serveHostileReplies();
else if (kind === 'changes') await serveChanges();
else startClients(clients[kind]);

function startClients(load: Clients | undefined): void {
  if (load === undefined) throw new Error(`unknown load ${kind}`);
  for (let client = 0; client < load.count; client += 1) void repeat(load, client);
  process.send?.({ port: 0 });
}

/** Repeats the requests of a client. Each client has its own address, because limits apply per address. */
async function repeat({ paths, pause: between }: Clients, client: number): Promise<never> {
  const dispatcher = new Agent({ localAddress: `127.0.1.${client % 200}` });
  for (let count = client; ; count += 1) {
    const path = paths[count % paths.length] ?? '';
    countResponse(await statusOf(`${origin}${path}`, dispatcher));
    await pause(between);
  }
}

async function statusOf(url: string, dispatcher: Agent): Promise<string> {
  try {
    const { statusCode, body } = await request(url, { dispatcher });
    await body.dump();
    return String(statusCode);
  } catch {
    return 'no response';
  }
}

function countResponse(status: string): void {
  responses[status] = (responses[status] ?? 0) + 1;
}

/** Serves a simulated cluster of 20 nodes in which 5,000 instances change. The nodes respond while these services are down. */
async function serveChanges(): Promise<void> {
  const changing = ['ADMIN', 'CTRL', 'GUI', 'KAFKA', 'KAFKACONN'];
  const simulator = await startSimulator({ nodes: 20, instancesPerNode: 450 }, { listen, clock: systemClock });
  let status: 'Down' | 'Online' = 'Online';
  setInterval(() => {
    status = status === 'Online' ? 'Down' : 'Online';
    for (const service of changing) simulator.control.setInstances(service, status);
    countResponse(`all ${status}`);
  }, 5000);
  process.send?.({ port: simulator.nodes[0]?.port });
}

/** Replies to each request with the next hostile reply, or with one kind of reply after a message with its name. */
function serveHostileReplies(): void {
  let count = 0;
  let chosen = evilBehaviours;
  process.on('message', (message) => {
    const { success, data } = z.object({ behaviour: z.string() }).safeParse(message);
    if (success) chosen = evilBehaviours.filter(([name]) => name === data.behaviour);
  });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const path = pathOf(String(data));
      const behaviour = chosen[count % chosen.length];
      if (path === undefined || behaviour === undefined) return;
      count += 1;
      countResponse(behaviour[0]);
      sendEvilReply(socket, behaviour[1](path));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
  });
}
