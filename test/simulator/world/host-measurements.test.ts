import { describe, expect, it } from 'vitest';
import { createTopology } from '../../../src/simulator/topology.ts';
import { serverRelease } from '../../../src/simulator/versions.ts';
import {
  type MeasurementContext,
  measureCapacity,
  measureDisks,
  measureNetwork,
} from '../../../src/simulator/world/host-measurements.ts';
import { ServiceStatuses } from '../../../src/simulator/world/service-statuses.ts';

const topology = createTopology(3, serverRelease('4.1.2'));
const host = topology.hosts[1] ?? expect.fail('a second host');
const noon = Date.UTC(2026, 8, 22, 12);
const at = (moment: number): MeasurementContext => ({ host, seed: 1, at: moment });

describe('measureCapacity', () => {
  const board = new ServiceStatuses(topology, 0);

  it('depends only on the time', () => {
    expect(measureCapacity(at(noon), board.entries, 3)).toEqual(measureCapacity(at(noon), board.entries, 3));
    expect(measureCapacity(at(noon), board.entries, 3)).not.toEqual(
      measureCapacity(at(noon + 60_000), board.entries, 3),
    );
  });

  it('has only the services of the host, each once, with an idle proxy', () => {
    const { services } = measureCapacity(at(noon), board.entries, 0);
    const names = services.map(({ service }) => service);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain('KAFKASTRM-LL');
    expect(services.find(({ service }) => service === 'GPE')).toMatchObject({ partition: '1', replica: '2' });
    expect(services.find(({ service }) => service === 'NGINX')).toMatchObject({ cpu: 0, memoryMb: 54 });
  });

  it('grows with the queries and stays within the limits of the host', () => {
    const [idle, busy, flooded] = [0, 10, 500].map((running) => measureCapacity(at(noon), board.entries, running));
    expect(busy?.cpu).toBeGreaterThan(idle?.cpu ?? 0);
    expect(busy?.memoryUsedMb).toBeGreaterThan(idle?.memoryUsedMb ?? 0);
    expect(flooded?.cpu).toBe(100);
    expect(flooded?.memoryUsedMb).toBeLessThan(flooded?.memoryTotalMb ?? 0);
    expect(idle?.cpu).toBeGreaterThan(5);
    expect(idle?.cpu).toBeLessThan(25);
  });

  it('omits stopped services', () => {
    const stopped = new ServiceStatuses(topology, 0);
    stopped.set({ service: 'GSE', host: 'm2' }, 'Down', 1);
    const names = measureCapacity(at(noon), stopped.entries, 0).services.map(({ service }) => service);
    expect(names).not.toContain('GSE');
    expect(names).toContain('GPE');
  });
});

describe('measureDisks', () => {
  const free = (age: number, filled: number, mount: string): number =>
    measureDisks(at(noon), age, filled).find(({ mountPoint }) => mountPoint === mount)?.freeMb ?? Number.NaN;

  it('has four directories on two file systems', () => {
    const disks = measureDisks(at(noon), 0, 0);
    expect(disks.map(({ pathName, mountPoint }) => [pathName, mountPoint])).toEqual([
      ['Gstore', '/data'],
      ['Home', '/'],
      ['Kafka', '/data'],
      ['Log', '/'],
    ]);
    expect(disks[0]?.freeMb).toBe(disks[2]?.freeMb);
  });

  it('grows over time and never shrinks', () => {
    expect(free(3_600_000, 0, '/data')).toBeLessThan(free(0, 0, '/data'));
    expect(free(1e15, 0, '/data')).toBe(0);
  });

  it.each([
    [0.5, 0.5],
    [1, 0],
  ])('fills %d of the data disk in an incident, and does not change the other disk', (filled, left) => {
    expect(free(0, filled, '/data')).toBeCloseTo(free(0, 0, '/data') * left, 0);
    expect(free(0, filled, '/')).toBe(free(0, 0, '/'));
  });
});

describe('measureNetwork', () => {
  it('only increases from the start of the host', () => {
    const counts = Array.from(
      { length: 2_000 },
      (_, index) => measureNetwork(at(noon + index * 7_000), noon, 0).incoming,
    );
    expect(counts[0]).toBe(0);
    expect(counts.every((count, index) => index === 0 || count > (counts[index - 1] ?? 0))).toBe(true);
    expect(counts.every(Number.isInteger)).toBe(true);
  });

  it('sends less than it receives and opens more connections under load', () => {
    const { incoming, outgoing, connections } = measureNetwork(at(noon + 60_000), noon, 0);
    expect(outgoing).toBeLessThan(incoming);
    expect(measureNetwork(at(noon + 60_000), noon, 30).connections).toBe(connections + 60);
  });
});
