import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { startDaemon } from '../support/daemon.ts';
import { send } from '../support/http.ts';
import { pageOf } from '../support/in-process-daemon.ts';

const maxConnections = 64;
const connections = 1300;
/** Connections opened at once: fewer than the system queues for a busy daemon, which loses the others without a word. */
const batch = 50;

/** A daemon, and a function that connects to it. */
async function setUp() {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const web = { max_connections: maxConnections };
  const daemon = await startDaemon(stringify({ listen: '127.0.0.1:0', web, clusters: [{ name: 'c', nodes }] }));
  const { port } = new URL(daemon.url);
  let closed = 0;
  const open = (): Socket => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
    });
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  const closedBy = async (reason: string) =>
    pageOf((await send(`${daemon.url}/metrics`)).text).value('graphwarden_http_connections_closed_total', { reason }) ??
    0;
  return { daemon, open, closed: () => closed, closedBy };
}

it('connection limit › answers while clients open more idle connections than the limit', async () => {
  const { daemon, open, closed, closedBy } = await setUp();
  for (let opened = 0; opened < connections; opened += batch) {
    for (let part = 0; part < batch; part += 1) open();
    // The daemon accepts in order: its answer shows that it has accepted the batch.
    expect((await send(`${daemon.url}/-/healthy`)).status).toBe(200);
  }
  await eventually('the connections over the limit are closed', async () => closed() >= connections - maxConnections);
  expect((await send(`${daemon.url}/-/ready`)).status).toBe(200);
  expect(await closedBy('idle')).toBeGreaterThanOrEqual(connections - maxConnections);
}, 180_000);

it('connection limit › closes connections of clients that send thousands of requests without reading the answers', async () => {
  const { daemon, open, closed, closedBy } = await setUp();
  const clients = 40;
  const requests = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20_000);
  for (let opened = 0; opened < clients; opened += 1) open().write(requests);
  await eventually('the connections are closed', async () => closed() === clients);
  expect((await send(`${daemon.url}/-/healthy`)).status).toBe(200);
  const [pipelined, slow] = [await closedBy('pipelined'), await closedBy('slow')];
  expect(pipelined).toBeGreaterThan(0);
  // On a busy machine, an answer may not be accepted in time before so many requests have arrived.
  expect(pipelined + slow).toBe(clients);
}, 180_000);
