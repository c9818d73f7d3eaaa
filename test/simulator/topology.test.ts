import { describe, expect, it } from 'vitest';
import { createTopology, type Topology } from '../../src/simulator/topology.ts';
import { serverRelease } from '../../src/simulator/versions.ts';

function instances({ services }: Topology, name: string): readonly string[] {
  return services
    .filter(({ service }) => service === name)
    .map(({ partition, replica, host }) => `${partition}#${replica}@${host.name}`);
}

describe('createTopology', () => {
  const current = serverRelease('4.1.2');

  it.each([
    [1, 1, ['1#1@m1']],
    [2, 1, ['1#1@m1', '1#2@m2']],
    [3, 1, ['1#1@m1', '1#2@m2', '1#3@m3']],
    [4, 2, ['1#1@m1', '1#2@m2', '2#1@m3', '2#2@m4']],
    [5, 5, ['1#1@m1', '2#1@m2', '3#1@m3', '4#1@m4', '5#1@m5']],
  ])('divides %d hosts into %d partitions', (count, partitions, engines) => {
    const topology = createTopology(count, current);
    expect(topology.partitions).toBe(partitions);
    expect(instances(topology, 'GPE')).toEqual(engines);
  });

  it('adds replicas with new numbers until each host has the configured number of instances', () => {
    const { hosts, services } = createTopology(5, current, 30);
    const perHost = hosts.map((host) => services.filter((one) => one.host === host).length);
    expect(perHost).toEqual([30, 30, 30, 30, 30]);
    const names = services.map(({ service, partition, replica }) => `${service} ${partition}#${replica}`);
    expect(new Set(names).size).toBe(150);
    expect(createTopology(5, current, 3).services).toEqual(createTopology(5, current).services);
  });

  it('numbers some services by replica, some by partition, and a quorum on the first hosts', () => {
    const topology = createTopology(5, current);
    expect(instances(topology, 'RESTPP')).toEqual(['#1@m1', '#2@m2', '#3@m3', '#4@m4', '#5@m5']);
    expect(instances(topology, 'EXE')[1]).toBe('2#@m2');
    expect(instances(topology, 'KAFKASTRM-LL')[4]).toBe('5#@m5');
    expect(instances(topology, 'ZK')).toEqual(['#1@m1', '#2@m2', '#3@m3']);
  });

  it('names hosts, engines and instances as the server does', () => {
    const { hosts } = createTopology(4, current);
    expect(hosts.map(({ name, engine, instance }) => [name, engine, instance])).toEqual([
      ['m1', 'GPE_1_1', 'RESTPP_1_1'],
      ['m2', 'GPE_1_2', 'RESTPP_1_2'],
      ['m3', 'GPE_2_1', 'RESTPP_1_3'],
      ['m4', 'GPE_2_2', 'RESTPP_1_4'],
    ]);
    expect(new Set(createTopology(250, current).hosts.map(({ address }) => address)).size).toBe(250);
  });

  it('has the time-series services only in 3.x', () => {
    expect(instances(createTopology(3, serverRelease('3.9.3')), 'TS3SERV')).toEqual(['#1@m1']);
    expect(instances(createTopology(3, serverRelease('3.9.3')), 'TS3')).toHaveLength(3);
    expect(instances(createTopology(3, current), 'TS3')).toEqual([]);
  });
});
