import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { err, ok, type Result } from '../../src/kernel/result.ts';
import type { Dns, SrvRecord } from '../../src/kernel/system.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { type Simulator, startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { type InProcessDaemon, type Page, startInProcessDaemon } from '../support/in-process-daemon.ts';

const often = { interval: '400ms', timeout: '400ms' };
const collectors = { health: often, services: often, queries: often, delayed_queries: often };

/** A name server whose answers a test changes. */
class FakeDns implements Dns {
  addressList: Result<readonly string[], string> = err('no address look-up was expected');
  services: Result<readonly SrvRecord[], string> = err('no SRV look-up was expected');

  addresses(): Promise<Result<readonly string[], string>> {
    return Promise.resolve(this.addressList);
  }

  srv(): Promise<Result<readonly SrvRecord[], string>> {
    return Promise.resolve(this.services);
  }
}

async function serverAt(host: string, port: number): Promise<Simulator> {
  const simulator = await startSimulator({ nodes: 1, host, ports: [port] }, { listen, clock: systemClock });
  onTestFinished(() => simulator.close());
  return simulator;
}

async function discovering(discover: Readonly<Record<string, unknown>>, dns: Dns): Promise<InProcessDaemon> {
  const clusters = [{ name: 'c', discover: { ...discover, refresh_interval: '200ms' } }];
  const daemon = await startInProcessDaemon({ clusters, collectors }, { dns });
  onTestFinished(() => daemon.stop());
  return daemon;
}

/** The nodes that are up, and that the page speaks of at all. */
function nodesOn({ families }: Page): { readonly up: readonly string[]; readonly named: readonly string[] } {
  const samples = [...families.values()].flatMap((family) => family.samples);
  const up = samples.filter(({ name, value }) => name === 'graphdb_up' && value === 1);
  const named = new Set(samples.map(({ labels }) => labels.node ?? '').filter((node) => node !== ''));
  return { up: up.map(({ labels }) => labels.node ?? '').toSorted(), named: [...named].toSorted() };
}

async function settles(daemon: InProcessDaemon, nodes: readonly string[]): Promise<Page> {
  return eventually(`the page speaks of ${nodes.join()} alone`, async () => {
    const page = await daemon.page();
    const isSettled = JSON.stringify(nodesOn(page)) === JSON.stringify({ up: nodes, named: nodes });
    return isSettled && page.value('graphwarden_cluster_nodes') === nodes.length && page;
  });
}

describe('nodes behind a name', () => {
  const [one, two, three] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;

  it('are added and removed, with their series', async () => {
    const port = await freePort();
    const [, second] = await Promise.all([one, two, three].map((host) => serverAt(host, port)));
    const dns = new FakeDns();
    dns.addressList = ok([one, two]);
    const daemon = await discovering({ dns: 'db.test', port }, dns);
    await settles(daemon, [one, two]);

    dns.addressList = ok([three, two, one]);
    await settles(daemon, [one, two, three]);

    dns.addressList = ok([one, three]);
    await settles(daemon, [one, three]);
    const requestCount = second?.calls().length;
    await pause(1000);
    expect(second?.calls().length, 'a removed node is not polled').toBe(requestCount);

    dns.addressList = ok([two]);
    const moved = await settles(daemon, [two]);
    expect(moved.families.has('graphdb_service_status'), 'facts of the cluster come from who is left').toBe(true);

    dns.addressList = ok([one, two, three]);
    await settles(daemon, [one, two, three]);
  });

  it('stay if the name server fails or returns no address', async () => {
    const port = await freePort();
    await serverAt(one, port);
    const dns = new FakeDns();
    dns.addressList = ok([one]);
    const daemon = await discovering({ dns: 'db.test', port }, dns);
    await settles(daemon, [one]);
    for (const answer of [err('the name server is gone'), ok([])]) {
      const before = daemon.log.length;
      dns.addressList = answer;
      await eventually('the problem is reported', () =>
        Promise.resolve(daemon.log.slice(before).some(({ message }) => message.startsWith('discovery failed'))),
      );
      await settles(daemon, [one]);
    }
    dns.addressList = ok([one]);
    await eventually('its end is reported', () =>
      Promise.resolve(daemon.log.some(({ message }) => message === 'discovery recovered')),
    );
  });

  it('are resolved later if the name server fails at the start', async () => {
    const port = await freePort();
    await serverAt(one, port);
    const dns = new FakeDns();
    dns.addressList = err('not yet');
    const daemon = await discovering({ dns: 'db.test', port }, dns);
    const page = await daemon.page();
    expect(nodesOn(page).named).toEqual([]);
    const unreachable = { collector: 'services', reason: 'unreachable' };
    expect(page.value('graphwarden_collector_failures_total', unreachable)).toBeGreaterThan(0);
    dns.addressList = ok([one]);
    await settles(daemon, [one]);
  });
});

function record(simulator: Simulator): SrvRecord {
  return { name: 'localhost.', port: simulator.nodes[0]?.port ?? 0 };
}

it('a service that moves to another port keeps its name, and is polled there', async () => {
  const [before, after] = [await serverAt('127.0.0.1', 0), await serverAt('127.0.0.1', 0)];
  const dns = new FakeDns();
  dns.services = ok([record(before)]);
  const daemon = await discovering({ srv: '_nginx._tcp.db.test' }, dns);
  await settles(daemon, ['localhost']);
  expect(after.calls()).toEqual([]);
  dns.services = ok([record(after)]);
  await eventually('the new port is polled', () => Promise.resolve(after.calls().length > 3));
  await settles(daemon, ['localhost']);
  const requestCount = before.calls().length;
  await pause(1000);
  expect(before.calls().length).toBe(requestCount);
});
