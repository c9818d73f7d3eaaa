import { describe, expect, it } from 'vitest';
import { simulationNotice, startSimulator } from '../../src/simulator/simulator.ts';
import { selfSigned } from '../support/certificates.ts';
import { FakeClock } from '../support/clock.ts';
import { readJson, send } from '../support/http.ts';
import { listen } from '../support/reusable-port.ts';
import { findTool } from '../support/tools.ts';
import { withCluster } from './test-world.ts';

describe('startSimulator', () => {
  it('opens a port for each node', async () => {
    await withCluster({ nodes: 4 }, async ({ simulator }) => {
      expect(simulator.nodes.map(({ name, hostId, instance }) => [name, hostId, instance])).toEqual([
        ['m1', 'm1', 'RESTPP_1_1'],
        ['m2', 'm2', 'RESTPP_1_2'],
        ['m3', 'm3', 'RESTPP_1_3'],
        ['m4', 'm4', 'RESTPP_1_4'],
      ]);
      for (const { url, port } of simulator.nodes) {
        expect(url).toBe(`http://127.0.0.1:${port}`);
        expect(await readJson(`${url}/api/ping`)).toMatchObject({ message: 'pong' });
      }
    });
  });

  it('leaves no port open if an address is unavailable', async () => {
    const clock = new FakeClock();
    const taken = await startSimulator({ nodes: 1 }, { listen, clock });
    const port = taken.nodes[0]?.port ?? 0;
    const opened: number[] = [];
    const counting: typeof listen = async (options) => {
      const listening = await listen(options);
      opened.push(listening.port);
      return listening;
    };
    await expect(startSimulator({ ports: [0, port, 0] }, { listen: counting, clock })).rejects.toThrow('EADDRINUSE');
    expect(opened).toHaveLength(2);
    for (const one of opened) await expect(send(`http://127.0.0.1:${one}/api/ping`)).rejects.toThrow('ECONNREFUSED');
    await taken.close();
  });

  it('closes all ports, also repeatedly and while replies hang', async () => {
    const clock = new FakeClock();
    const simulator = await startSimulator({}, { listen, clock });
    await simulator.control.injectFault('hang_before_headers', {});
    const hanging = send(`${simulator.nodes[0]?.url ?? ''}/api/ping`);
    const failed = expect(hanging).rejects.toThrow(/socket hang up|ECONNRESET/);
    while (simulator.calls().length === 0) await clock.yieldToEventLoop();
    await Promise.all([simulator.close(), simulator.close()]);
    await failed;
    expect(clock.sleeping).toBe(0);
    await expect(send(`${simulator.nodes[0]?.url ?? ''}/api/ping`)).rejects.toThrow('ECONNREFUSED');
  });

  it('supports two clusters in one process', async () => {
    await withCluster({ graphs: ['one'] }, async (first) => {
      await withCluster({ graphs: ['two'] }, async (second) => {
        first.simulator.control.addGraph('three');
        expect(first.simulator.truth().graphs).toEqual(['one', 'three']);
        expect(second.simulator.truth().graphs).toEqual(['two']);
      });
    });
  });

  it('keeps its time if the wall clock of the host is set', async () => {
    await withCluster({}, async ({ simulator, clock }) => {
      const { at } = simulator.truth();
      clock.step(3_600_000);
      expect(simulator.truth().at).toBe(at);
      await clock.advance(1_000);
      expect(simulator.truth().at).toBe(at + 1_000);
    });
  });
});

describe('nodes that stop', () => {
  it('refuse connections and return on the same port', async () => {
    await withCluster({}, async ({ simulator, url }) => {
      await simulator.control.stopNode('m2');
      await expect(send(url('/api/ping', 1))).rejects.toThrow('ECONNREFUSED');
      expect((await send(url('/api/ping'))).status).toBe(200);
      await simulator.control.startNode('m2');
      expect((await send(url('/api/ping', 1))).status).toBe(200);
    });
  });

  it('stop at the times of a scenario', async () => {
    await withCluster({ scenario: 'node_outage', speed: 10 }, async ({ url, clock }) => {
      await clock.advance(3_100);
      await expect(send(url('/api/ping', 2))).rejects.toThrow('ECONNREFUSED');
      await clock.advance(9_000);
      expect((await send(url('/restpp/echo', 2))).status).toBe(200);
    });
  });
});

describe.skipIf(findTool('openssl') === undefined)('TLS', () => {
  it('is used if a certificate is configured', async () => {
    const { cert, key } = selfSigned('localhost');
    await withCluster({ nodes: 1, tls: { cert, key } }, async ({ url }) => {
      expect(url('/')).toMatch(/^https:/);
      expect((await send(url('/api/ping'), { ca: cert })).status).toBe(200);
      await expect(send(url('/api/ping'))).rejects.toThrow(/self-signed/);
    });
  });
});

describe('the notice', () => {
  it('states that it is a simulation, and the scenario', async () => {
    await withCluster({ scenario: 'disk_full' }, async ({ simulator }) => {
      expect(simulationNotice(simulator)).toMatch(
        /^This is a SIMULATION: .* Scenario disk_full: .*disk of one host fills/,
      );
      await simulator.control.setScenario('calm');
      expect(simulationNotice(simulator)).toContain('Scenario calm: Normal load without incidents.');
    });
  });
});
