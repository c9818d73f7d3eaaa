import { describe, expect, it } from 'vitest';
import { descriptor, eventMeta } from '../../../src/simulator/endpoints/event-meta.ts';

describe('descriptor', () => {
  it.each([
    [['GPE', '1', '2'], { ServiceName: 'GPE', Partition: 1, Replica: 2 }],
    [['RESTPP', '', '3'], { ServiceName: 'RESTPP', Replica: 3 }],
    [['EXE', '2', ''], { ServiceName: 'EXE', Partition: 2 }],
  ] as const)('omits what %j does not have', ([service, partition, replica], expected) => {
    expect(descriptor(service, partition, replica)).toEqual(expected);
  });
});

describe('eventMeta', () => {
  const origin = { source: { ServiceName: 'EXE', Partition: 2 }, key: 'm2', at: 1_790_000_000_019 };

  it('has the form of the server', () => {
    expect(eventMeta(origin)).toEqual({
      Targets: [{ ServiceName: 'IFM' }],
      EventId: expect.stringMatching(/^[0-9a-f]{32}$/),
      TimestampNS: expect.stringMatching(/^1790000000019\d{6}$/),
      Source: { ServiceName: 'EXE', Partition: 2 },
    });
  });

  it('has a span where there is one', () => {
    expect(eventMeta({ ...origin, span: 'ServiceStatusSelfReport' }).SpanId).toBe('ServiceStatusSelfReport');
  });

  it('is the same for the same event, and another for the next', () => {
    expect(eventMeta(origin)).toEqual(eventMeta(origin));
    expect(eventMeta({ ...origin, at: origin.at + 1 }).EventId).not.toBe(eventMeta(origin).EventId);
  });
});
