import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/runtime/clock.ts';
import { listen } from '../../src/runtime/listener.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { eventually } from '../support/child.ts';
import { send } from '../support/http.ts';
import { type InProcessDaemon, startInProcessDaemon } from '../support/in-process-daemon.ts';

const often = { interval: '1s', timeout: '900ms' };
const collectors = { health: often, services: often, queries: often };

/** Long enough to distinguish a scrape that waits for a hanging poll from a slow one on a busy machine. */
const hang = 15_000;
const seldom = { interval: `${hang}ms`, timeout: `${hang}ms` };

/** Resources that keep a process alive, by kind. */
function handles(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((kind) => /TCP|Timeout|Immediate|FSReq|DNS|Pipe.*Server/.test(kind))
    .toSorted();
}

/** Returns the resources that were added. */
function surplus(before: readonly string[]): readonly string[] {
  const left = [...before];
  return handles().filter((kind) => left.splice(left.indexOf(kind), left.includes(kind) ? 1 : 0).length === 0);
}

/** Established connections of this machine to a loopback port, as the kernel lists them. */
function socketsTo(port: number): number {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .filter((line) => line.includes(remote))
    .map((line) => line.trim().split(/\s+/));
  return rows.filter(([, , peer, state]) => peer === remote && state === '01').length;
}

describe('two daemons in one process', () => {
  it('do not affect each other, and leave no open handles', async () => {
    await systemClock.sleep(50);
    const before = handles();
    const one = await startSimulator({ nodes: 2, prefix: 'svc_' }, { listen, clock: systemClock });
    const other = await startSimulator({ nodes: 1, prefix: 'other_' }, { listen, clock: systemClock });
    const startDaemon = (name: string, { nodes }: typeof one): Promise<InProcessDaemon> =>
      startInProcessDaemon({
        clusters: [{ name, nodes: nodes.map(({ name: node, url }) => ({ name: node, url })) }],
        collectors,
      });
    const [first, second] = await Promise.all([startDaemon('zebra', one), startDaemon('okapi', other)]);
    const [firstPage, secondPage] = [await first.page(), await second.page()];
    expect(firstPage.text).not.toContain('okapi');
    expect(secondPage.text).not.toContain('zebra');
    await first.stop();
    const isUp = async () => (await second.page()).value('graphdb_up', { node: 'm1' });
    await expect.poll(isUp, { timeout: 60_000 }).toBe(1);
    await second.stop();
    await one.close();
    await other.close();
    await eventually('every handle is gone', () => Promise.resolve(surplus(before).length === 0));
  });
});

describe('a node that hangs, under concurrent scrapes', () => {
  it('gets at most four sockets, and does not delay scrapes', async () => {
    const simulator = await startSimulator({ nodes: 2, padding: 1000 }, { listen, clock: systemClock });
    const nodes = simulator.nodes.map(({ name, url }) => ({ name, url }));
    const slow = { health: seldom, services: seldom, queries: seldom };
    const daemon = await startInProcessDaemon({ clusters: [{ name: 'c', nodes }], collectors: slow });
    await simulator.control.injectFault('hang_before_headers', { node: 'm1' });
    const isHanging = (): boolean =>
      simulator.calls().some(({ node, status }) => node === 'm1' && status === undefined);
    await eventually('a call hangs', async () => isHanging());
    const scrape = async (): Promise<number> => {
      const start = performance.now();
      expect((await send(`${daemon.url}/metrics`)).status).toBe(200);
      return performance.now() - start;
    };
    const times: number[] = [];
    const sockets: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      sockets.push(socketsTo(simulator.nodes[0]?.port ?? 0));
      times.push(...(await Promise.all(Array.from({ length: 50 }, scrape))));
    }
    expect(times).toHaveLength(500);
    expect(Math.max(...times)).toBeLessThan(hang / 2);
    expect(Math.max(...sockets)).toBeLessThanOrEqual(4);
    expect(Math.max(...sockets)).toBeGreaterThan(0);
    await eventually('the hang shows', async () => (await daemon.page()).value('graphdb_up', { node: 'm1' }) === 0);
    expect((await daemon.page()).value('graphdb_up', { node: 'm2' })).toBe(1);
    await daemon.stop();
    await simulator.close();
  });
});
