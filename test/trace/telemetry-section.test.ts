import { describe, expect, it } from 'vitest';
import { telemetrySection } from '../../src/trace/telemetry-section.ts';

function traces(given: unknown) {
  return telemetrySection.safeParse({ traces: given }).data?.traces;
}

describe('the telemetry section', () => {
  it('samples all traces and has no endpoint by default', () => {
    const nothing = { queries: true, incidents: true, cycles: false };
    expect(telemetrySection.parse(undefined)).toEqual({ traces: nothing, metrics: {} });
    expect(traces({})).toEqual(nothing);
  });

  it('keeps given values', () => {
    const given = { endpoint: 'http://127.0.0.1:4318/', headers_file: 'h.txt', sample: 0.1, queries: false };
    expect(traces({ ...given, incidents: false, cycles: true })).toEqual({
      endpoint: 'http://127.0.0.1:4318',
      headersFile: 'h.txt',
      sample: 0.1,
      queries: false,
      incidents: false,
      cycles: true,
    });
  });

  it.each([
    { endpoint: '127.0.0.1:4318' },
    { endpoint: 'grpc://127.0.0.1:4317' },
    { endpoint: 'http://u:p@127.0.0.1' },
    { endpoint: 'http://a/?key=1' },
    { headers_file: '' },
    { sample: -0.1 },
    { sample: 1.1 },
    { sample: '10%' },
    { queries: 'yes' },
    { spans: true },
  ])('refuses %j', (given) => {
    expect(traces(given)).toBe(undefined);
  });

  it('has an endpoint, headers and an interval of metrics', () => {
    const metrics = { endpoint: 'http://a:4318', headers_file: 'h.txt', interval: '15s' };
    expect(telemetrySection.parse({ metrics }).metrics).toEqual({
      endpoint: 'http://a:4318',
      headersFile: 'h.txt',
      interval: 15_000,
    });
  });

  it.each([{ interval: '0s' }, { interval: '500ms' }, { interval: 60 }, { sample: 1 }, { endpoint: 'a:4317' }])(
    'rejects the metrics %j',
    (metrics) => {
      expect(telemetrySection.safeParse({ metrics }).success).toBe(false);
    },
  );
});
