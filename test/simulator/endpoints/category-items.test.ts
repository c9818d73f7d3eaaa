import { describe, expect, it } from 'vitest';
import {
  type CategoryItem,
  capacityItems,
  diskItems,
  endpointItems,
  networkItems,
} from '../../../src/simulator/endpoints/category-items.ts';
import { callOn, noon, worldOf } from '../test-world.ts';

const call = callOn(worldOf());
const meta = {
  EventMeta: {
    Targets: [{ ServiceName: 'IFM' }],
    EventId: expect.stringMatching(/^[0-9a-f]{32}$/),
    TimestampNS: expect.stringMatching(/^\d{19}$/),
    Source: { ServiceName: 'EXE', Partition: 1 },
  },
  HostID: 'm1',
  CollectTimeStamps: expect.stringMatching(/^\d{19}$/),
};

function last(items: readonly CategoryItem[], matches: (item: CategoryItem) => boolean): unknown {
  return items.findLast((item) => item.host === 'm1' && matches(item))?.json;
}

describe('capacityItems', () => {
  const items = capacityItems(call);

  it('have a row for the whole host, and one per service', () => {
    const { measurement } = call.world.informant.view.capacity[0] ?? expect.fail('a host');
    expect(last(items, ({ service }) => service === undefined)).toEqual({
      ...meta,
      CPU: { CPUUsage: measurement.cpu },
      Memory: { MemoryUsageMB: measurement.memoryUsedMb },
    });
    expect(last(items, ({ service }) => service?.ServiceName === 'GPE')).toMatchObject({
      ServiceDescriptor: { ServiceName: 'GPE', Partition: 1, Replica: 1 },
    });
  });

  it('omit a usage of zero', () => {
    expect(last(items, ({ service }) => service?.ServiceName === 'NGINX')).toEqual({
      ...meta,
      ServiceDescriptor: { ServiceName: 'NGINX', Replica: 1 },
      CPU: {},
      Memory: { MemoryUsageMB: 54 },
    });
  });
});

describe('diskItems', () => {
  it('have one version per disk measurement, independent of the number of refreshes', () => {
    const world = worldOf();
    const items = diskItems(callOn(world)).filter(({ host, pathName }) => host === 'm1' && pathName === 'Log');
    expect(items).toHaveLength(1);
    world.advance(noon + 600_000);
    expect(diskItems(callOn(world)).filter(({ host, pathName }) => host === 'm1' && pathName === 'Log')).toHaveLength(
      3,
    );
  });

  it('contain the directory and its file system', () => {
    const disk = call.world.informant.view.disks[0]?.measurement[0] ?? expect.fail('a disk');
    expect(last(diskItems(call), ({ pathName }) => pathName === 'Gstore')).toEqual({
      ...meta,
      Disk: {
        PathName: 'Gstore',
        Path: '/srv/graph/data/gstore',
        MountPoint: '/data',
        SizeMB: disk.usedMb,
        FreeSizeMB: disk.freeMb,
      },
    });
  });
});

describe('networkItems', () => {
  it('write 64-bit counters as text', () => {
    const { connections, incoming, outgoing } =
      call.world.informant.view.network[0]?.measurement ?? expect.fail('a host');
    expect(last(networkItems(call), () => true)).toEqual({
      ...meta,
      Network: {
        IP: '10.0.0.11',
        TCPConnectionNum: connections,
        IncomingBytesNum: String(incoming),
        OutgoingBytesNum: String(outgoing),
      },
    });
  });
});

describe('endpointItems', () => {
  it('contain the requests of an endpoint and omit zeros', () => {
    const items = endpointItems(call).filter(({ host }) => host === 'm1');
    expect(items.length).toBeGreaterThan(3);
    for (const { json, endpoint } of items) {
      expect(json).toMatchObject({
        ServiceDescriptor: { ServiceName: 'RESTPP', Replica: 1 },
        QPS: { Endpoint: endpoint },
      });
      expect(JSON.stringify(json)).not.toMatch(/:0[,}]/);
    }
  });
});

function dates(one: typeof call): readonly number[] {
  return networkItems(one).map(({ at }) => at);
}

describe('every item', () => {
  it('is dated by the clock of its host', () => {
    const ahead = callOn(worldOf({ clockSkew: 7_000 }));
    expect(dates(ahead)).toEqual(dates(call).map((at) => at + 7_000));
  });
});
