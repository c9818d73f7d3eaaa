import { connect } from 'node:net';
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

it('answers while clients open more idle connections than the limit', async () => {
  const simulator = await startSimulator({ nodes: 1 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const web = { max_connections: maxConnections };
  const daemon = await startDaemon(stringify({ listen: '127.0.0.1:0', web, clusters: [{ name: 'c', nodes }] }));
  const { port } = new URL(daemon.url);
  let closed = 0;
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.on('close', () => {
      closed += 1;
    });
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await eventually('the connections over the limit are closed', async () => closed >= connections - maxConnections);
  for (const path of ['/-/healthy', '/-/ready']) expect((await send(daemon.url + path)).status, path).toBe(200);
  const page = pageOf((await send(`${daemon.url}/metrics`)).text);
  const count = page.value('graphwarden_http_connections_closed_total', { reason: 'idle' });
  expect(count).toBeGreaterThanOrEqual(connections - maxConnections);
}, 60_000);
