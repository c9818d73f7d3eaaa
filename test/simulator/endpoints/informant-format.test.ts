import { describe, expect, it } from 'vitest';
import { descriptor, eventMeta, goFloat, renderFamily } from '../../../src/simulator/endpoints/informant-format.ts';
import { readExposition } from '../../support/exposition.ts';

describe('goFloat', () => {
  it.each([
    [0, '0'],
    [-1, '-1'],
    [16, '16'],
    [91.40723, '91.40723'],
    [81_234.492_187_5, '81234.4921875'],
    [999_999, '999999'],
    [1_000_000, '1e+06'],
    [1_654_215, '1.654215e+06'],
    [22_802_625_793, '2.2802625793e+10'],
    [0.0001, '0.0001'],
    [0.000_012, '1.2e-05'],
    [1e120, '1e+120'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Inf'],
  ])('writes %d as %s', (value, expected) => {
    expect(goFloat(value)).toBe(expected);
  });
});

describe('renderFamily', () => {
  it('writes HELP, TYPE and samples', () => {
    const samples = [{ labels: { host_id: 'm1', service_name: '' }, value: 3.5 }];
    expect(renderFamily('svc_', { name: 'cpu_usage', help: 'Usage', samples })).toBe(
      '# HELP svc_cpu_usage Usage\n# TYPE svc_cpu_usage gauge\nsvc_cpu_usage{host_id="m1",service_name=""} 3.5\n',
    );
  });

  it('writes no braces without labels, and no lines without samples', () => {
    expect(renderFamily('a_', { name: 'b', help: 'c', samples: [{ labels: {}, value: 1 }] })).toContain('\na_b 1\n');
    expect(renderFamily('a_', { name: 'b', help: 'c', samples: [] })).toBe('');
  });

  it('escapes label values', () => {
    const value = 'a"b\\c\nd';
    const page = renderFamily('', { name: 'x', help: 'h', samples: [{ labels: { path: value }, value: 1 }] });
    expect(page).toContain('x{path="a\\"b\\\\c\\nd"} 1\n');
    expect(readExposition(page, 'text').get('x')?.samples[0]?.labels).toEqual({ path: value });
  });
});

describe('descriptor', () => {
  it.each([
    [['GPE', '1', '2'], { ServiceName: 'GPE', Partition: 1, Replica: 2 }],
    [['RESTPP', '', '3'], { ServiceName: 'RESTPP', Replica: 3 }],
    [['EXE', '2', ''], { ServiceName: 'EXE', Partition: 2 }],
  ] as const)('omits absent fields of %j', ([service, partition, replica], expected) => {
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

  it('has the period of an event with a period', () => {
    expect(eventMeta({ ...origin, span: 'ServiceStatusSelfReport' }).SpanId).toBe('ServiceStatusSelfReport');
  });

  it('is equal for the same event, and different for the next one', () => {
    expect(eventMeta(origin)).toEqual(eventMeta(origin));
    expect(eventMeta({ ...origin, at: origin.at + 1 }).EventId).not.toBe(eventMeta(origin).EventId);
  });
});
