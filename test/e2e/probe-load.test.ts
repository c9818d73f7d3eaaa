import { Agent, request } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { startDaemon } from '../support/daemon.ts';
import { send } from '../support/http.ts';

const clients = 64;

/** Sends a probe from an address of its own. */
async function probe(url: string, client: number, query: string): Promise<number> {
  const dispatcher = new Agent({ localAddress: `127.0.0.${client + 2}` });
  const headers = { 'x-prometheus-scrape-timeout-seconds': '20' };
  const { statusCode, body } = await request(`${url}/probe?${query}`, { dispatcher, headers });
  await body.dump();
  await dispatcher.close();
  return statusCode;
}

it('daemon › answers health checks, scrapes and operators while 64 clients probe nodes that hang', async () => {
  const simulator = await startSimulator({ nodes: 2 }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
  const settings = stringify({ listen: '127.0.0.1:0', clusters: [{ name: 'c', nodes }] });
  const daemon = await startDaemon(settings);
  const release = await simulator.control.injectFault('hang_before_headers');
  const replies: number[] = [];
  const probes = Array.from({ length: 2 * clients }, async (_, index) => {
    // Equal probes of a client count once.
    const query = index < clients ? 'target=c' : 'target=c&collector=health';
    replies.push(await probe(daemon.url, index % clients, query));
  });
  const first = await Promise.race(probes).then(() => replies[0]);
  expect(first).toBe(429);
  for (const path of ['/-/healthy', '/-/ready', '/metrics']) {
    expect((await send(daemon.url + path)).status, path).toBe(200);
  }
  expect(await daemon.reload(settings)).toBe(200);
  await release();
  await Promise.all(probes);
  expect(replies.filter((status) => status === 200)).toHaveLength(clients);
  expect(replies.filter((status) => status === 429)).toHaveLength(clients);
  const { text } = await send(`${daemon.url}/metrics`);
  expect(text).toContain(`graphwarden_http_requests_rejected_total{reason="probe"} ${clients}\n`);
}, 120_000);
