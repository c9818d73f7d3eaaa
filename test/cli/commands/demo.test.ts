import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/cli/cli.ts';
import { commands } from '../../../src/cli/commands/all.ts';
import { scenarioNames } from '../../../src/simulator/world/scenarios.ts';
import { eventually } from '../../support/child.ts';
import { testPorts } from '../../support/cli-ports.ts';
import { readExposition } from '../../support/exposition.ts';
import { send } from '../../support/http.ts';
import { type LivePorts, livePorts } from '../../support/live-ports.ts';

function begin(...args: readonly string[]) {
  const ports = livePorts();
  return { ports, exit: runCli(['demo', ...args], commands, ports) };
}

async function urlOf(ports: LivePorts): Promise<string> {
  return eventually('a banner', async () => /metrics +(\S+)\/metrics/.exec(ports.stdout.text())?.[1]);
}

it('demo serves a simulated cluster, prints a notice, and stops with it', async () => {
  const { ports, exit } = begin('--listen', '127.0.0.1:0');
  const url = await urlOf(ports);
  await eventually('readiness', async () => (await send(`${url}/-/ready`)).status === 200);
  // On a busy machine the first polls may time out.
  await eventually('all nodes are up', async () => {
    const families = readExposition((await send(`${url}/metrics`)).text, 'text');
    expect(families.get('graphdb_up')?.samples.map(({ labels, value }) => [labels.node, value])).toEqual([
      ['m1', 1],
      ['m2', 1],
      ['m3', 1],
    ]);
    return true;
  });
  const notice = 'This is a SIMULATION: no database is involved. Scenario runaway_queries: ';
  expect(ports.stdout.text()).toContain(notice);
  expect((await send(`${url}/`)).text).toContain(notice);
  const nodes = [...ports.stdout.text().matchAll(/^ {2}m\d +(http:\/\/127\.0\.0\.1:\d+)\/api\/ping$/gm)];
  expect(nodes).toHaveLength(3);
  expect((await send(`${nodes[0]?.[1]}/api/ping`)).status).toBe(200);
  ports.signal('SIGINT');
  expect(await exit).toBe(0);
  await expect(send(`${nodes[0]?.[1]}/api/ping`)).rejects.toThrow('ECONNREFUSED');
  await expect(send(url)).rejects.toThrow('ECONNREFUSED');
  expect(ports.listeners('SIGINT') + ports.listeners('SIGTERM')).toBe(0);
});

it('demo simulates the given number of nodes and the given scenario', async () => {
  const { ports, exit } = begin('--listen', '127.0.0.1:0', '--nodes', '5', '--scenario', 'node_outage');
  await urlOf(ports);
  expect(ports.stdout.text()).toContain('Scenario node_outage');
  expect(ports.stdout.text()).toMatch(/^ {2}m5 /m);
  ports.signal('SIGTERM');
  expect(await exit).toBe(0);
});

it('demo simulates receivers with --receivers, and prints their requests', async () => {
  const { ports, exit } = begin('--listen', '127.0.0.1:0', '--receivers', '--faults', 'hook=slow:10ms');
  await urlOf(ports);
  const banner = ports.stdout.text();
  expect(banner).toMatch(/^ {2}oncall +pagerduty +curl -d 503 http:\/\/127\.0\.0\.1:\d+\/-\/behavior$/m);
  const heartbeat = /^\d\d:\d\d:\d\dZ {2}hook {4}trigger {2}graphwarden is running/m;
  await eventually('the heartbeat is printed', async () => heartbeat.test(ports.stdout.text()));
  const behaviorUrl = /hook +webhook +curl -d 503 (\S+)/.exec(banner)?.[1] ?? '';
  expect((await send(behaviorUrl, { method: 'POST', body: '503' })).status).toBe(200);
  ports.signal('SIGINT');
  expect(await exit).toBe(0);
  await expect(send(behaviorUrl, { method: 'POST', body: '503' })).rejects.toThrow('ECONNREFUSED');
});

it('demo reports that its port is in use, with a remedy', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => squatter.once('listening', resolve));
  const address = squatter.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const { ports, exit } = begin('--listen', `127.0.0.1:${port}`);
  expect(await exit).toBe(1);
  expect(ports.stderr.text()).toContain(`cannot listen on 127.0.0.1:${port}: address already in use`);
  expect(ports.stderr.text()).toContain('--listen 127.0.0.1:0');
  expect(ports.stdout.text()).toBe('');
  squatter.close();
});

describe('invalid usage of `demo`', () => {
  it.each([
    [['--scenario', 'doomsday'], `Allowed choices are ${scenarioNames.join(', ')}.`],
    [['--nodes', '0'], '--nodes must be a number from 1 to 100'],
    [['--nodes', 'three'], '--nodes must be a number'],
    [['--nodes', '101'], '--nodes must be a number'],
    [['--listen', '0.0.0.0:9916'], '--listen must be a loopback address'],
    [['--listen', '9916'], '--listen must be'],
    [['--faults', 'chat=503'], '--faults requires --receivers'],
    [['--receivers', '--faults', 'chat=rude'], "--faults chat: 'rude' is not one of"],
    [['--listen', '127.0.0.1:99999'], '--listen must be a loopback address with a port'],
  ])('is %j', async (args, sentence) => {
    const ports = testPorts({ loadRuntime: livePorts().loadRuntime });
    expect(await runCli(['demo', ...args], commands, ports)).toBe(2);
    expect(ports.stderr.text()).toContain(sentence);
  });
});
