import { describe, expect, it } from 'vitest';
import { serviceStatus } from '../../../src/simulator/endpoints/service-status.ts';
import type { World } from '../../../src/simulator/world/world.ts';
import { callOn, jsonOf, noon, worldOf } from '../test-world.ts';

interface Event {
  readonly EventMeta: { readonly EventId: string; readonly TimestampNS: string };
  readonly ServiceDescriptor: unknown;
  readonly ServiceStatus: string;
  readonly ProcessState: string;
}

async function events(world: World, ...descriptors: readonly unknown[]): Promise<readonly Event[]> {
  const answer = await jsonOf(
    serviceStatus(callOn(world, { body: JSON.stringify({ ServiceDescriptors: descriptors }) })),
  );
  return (Object(answer) as { ServiceStatusEvents?: readonly Event[] }).ServiceStatusEvents ?? [];
}

describe('serviceStatus', () => {
  it('returns events in the format of the server', async () => {
    expect(await events(worldOf({ nodes: 1 }), { ServiceName: 'gpe' })).toEqual([
      {
        EventMeta: {
          Targets: [{ ServiceName: 'IFM' }],
          EventId: expect.stringMatching(/^[0-9a-f]{32}$/),
          SpanId: 'ServiceStatusSelfReport',
          TimestampNS: expect.stringMatching(/^\d{19}$/),
          Source: { ServiceName: 'GPE', Partition: 1, Replica: 1 },
        },
        ServiceDescriptor: { ServiceName: 'GPE', Partition: 1, Replica: 1 },
        ServiceStatus: 'Online',
        ProcessState: 'Running',
      },
    ]);
  });

  it.each([
    [[{ ServiceName: 'GPE' }], 3],
    [[{ ServiceName: 'GPE', Replica: 2 }], 1],
    [[{ ServiceName: 'GPE', Partition: '1', Replica: '2' }], 1],
    [[{ ServiceName: 'GPE', Partition: 2 }], 0],
    [[{ ServiceName: 'GPE' }, { ServiceName: 'gse' }, { ServiceName: 'EXE' }], 9],
    [[{ ServiceName: 'KAFKASTRM-LL' }], 3],
    [[{ ServiceName: 'TS3' }], 0],
    [[], 0],
  ])('answers %j with %d events', async (descriptors, count) => {
    expect(await events(worldOf(), ...descriptors)).toHaveLength(count);
  });

  it.each(['', '{}', 'nonsense', '{"ServiceDescriptors":[{}]}'])('refuses the body %j', (body) => {
    expect(serviceStatus(callOn(worldOf(), { body }))).toMatchObject({ status: 400 });
  });

  it('is current, and includes stopped processes', async () => {
    const world = worldOf();
    world.setService({ service: 'GSE', replica: '1' }, 'Down');
    world.setService({ service: 'GSE', replica: '2' }, 'Warmup');
    const states = (await events(world, { ServiceName: 'GSE' })).map(
      ({ ServiceStatus, ProcessState }) => `${ServiceStatus} ${ProcessState}`,
    );
    expect(states).toEqual(['Down Stopped', 'Warmup Running', 'Online Running']);
  });

  it('reports the same event until there is a change, or half a minute has passed', async () => {
    const world = worldOf();
    const at = async (passed: number): Promise<string> => {
      world.advance(noon + passed);
      const [event] = await events(world, { ServiceName: 'GPE', Replica: 1 });
      return `${event?.EventMeta.EventId} ${event?.EventMeta.TimestampNS}`;
    };
    world.setService({ service: 'GPE', replica: '1' }, 'Warmup');
    const first = await at(0);
    expect(await at(29_000)).toBe(first);
    expect(await at(31_000)).not.toBe(first);
    expect((await at(31_000)).split(' ')[1]?.slice(0, 13)).toBe(String(noon + 30_000));
  });
});
