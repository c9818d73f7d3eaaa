import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { createTopology } from '../../../src/simulator/topology.ts';
import { serverRelease } from '../../../src/simulator/versions.ts';
import { type ClientDemand, ClientTraffic } from '../../../src/simulator/world/client-traffic.ts';
import { runEventsUntil } from '../../../src/simulator/world/event-source.ts';
import { NodeLoad } from '../../../src/simulator/world/node-load.ts';

const host = createTopology(1, serverRelease('4.1.2')).hosts[0] ?? expect.fail('a host');
const plenty = { running: 100_000, delayed: 0 };

function arrivedIn(length: number, demand: Partial<ClientDemand>): number {
  const load = new NodeLoad(host, { limits: { OLTP: plenty, AdHoc: plenty }, clockOffset: () => 0 });
  const whole = { open: true, graphs: ['fraud'], perSecond: 2, slowness: 1_000_000, ...demand };
  runEventsUntil([new ClientTraffic(load, () => whole, { from: 0, random: seededRandom(9) })], length);
  return load.running.length;
}

describe('requests of ClientTraffic', () => {
  it.each([0.5, 2, 20])('arrive %d times a second on average', (perSecond) => {
    const expected = perSecond * 400;
    expect(arrivedIn(400_000, { perSecond })).toBeGreaterThan(expected * 0.85);
    expect(arrivedIn(400_000, { perSecond })).toBeLessThan(expected * 1.15);
  });

  it('are equal for equal seeds', () => {
    expect(arrivedIn(100_000, {})).toBe(arrivedIn(100_000, {}));
  });

  it('do not arrive while the node is down', () => {
    expect(arrivedIn(100_000, { open: false })).toBe(0);
  });

  it('follow an increase of the demand within seconds', () => {
    const load = new NodeLoad(host, { limits: { OLTP: plenty, AdHoc: plenty }, clockOffset: () => 0 });
    let perSecond = 0.000_001;
    const demand = (): ClientDemand => ({ open: true, graphs: ['fraud'], perSecond, slowness: 1_000_000 });
    const arrivals = new ClientTraffic(load, demand, { from: 0, random: seededRandom(1) });
    runEventsUntil([arrivals], 20_000);
    const before = load.running.length;
    perSecond = 10;
    runEventsUntil([arrivals], 35_000);
    expect(load.running.length - before).toBeGreaterThan(50);
  });
});
