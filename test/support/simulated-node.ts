import { connect, createServer } from 'node:net';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';

/**
 * Program that simulates a cluster with a node at each address of its arguments, on the port in the guides. By default, it
 * is the node in the file that `graphwarden init` writes. A query of the guard guide runs on the last node.
 */
const addresses = process.argv.length > 2 ? process.argv.slice(2) : ['127.0.0.1'];
const { nodes, control } = await startSimulator(
  { nodes: addresses.length, graphs: ['sandbox', 'fraud'] },
  { listen, clock: systemClock },
);
for (const [at, address] of addresses.entries()) {
  const port = Number(new URL(nodes[at]?.url ?? '').port);
  createServer((client) => {
    const server = connect(port);
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => [client.destroy(), server.destroy()]);
  }).listen(14_240, address);
}
const [query, hours] = ['adhoc_paths', 8 * 3_600_000];
control.startQuery({ node: `m${addresses.length}`, graph: 'sandbox', query, runsFor: hours, timeout: hours });
