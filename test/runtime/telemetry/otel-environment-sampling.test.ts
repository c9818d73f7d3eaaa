import { describe, expect, it } from 'vitest';
import { digest } from '../../../src/runtime/system-ports.ts';
import { isSampled, samplingRatio } from '../../../src/runtime/telemetry/otel-environment.ts';

const ids = Array.from({ length: 4000 }, (_, at) => digest.sha256(String(at)).slice(0, 32));

describe('isSampled', () => {
  it('samples all traces, no traces, or about the configured share', () => {
    expect(ids.filter((id) => isSampled(id, 1))).toHaveLength(ids.length);
    expect(ids.filter((id) => isSampled(id, 0))).toHaveLength(0);
    const share = ids.filter((id) => isSampled(id, 0.25)).length / ids.length;
    expect(share).toBeGreaterThan(0.22);
    expect(share).toBeLessThan(0.28);
  });

  it('samples with a greater share all traces of a smaller one', () => {
    expect(ids.filter((id) => isSampled(id, 0.1)).every((id) => isSampled(id, 0.5))).toBe(true);
  });

  it('compares the last 56 bits with the threshold of the specification', () => {
    expect(isSampled(`${'f'.repeat(18)}80000000000000`, 0.5)).toBe(true);
    expect(isSampled(`${'f'.repeat(18)}7fffffffffffff`, 0.5)).toBe(false);
    expect(isSampled(`${'0'.repeat(18)}ffffffffffffff`, 0)).toBe(false);
  });
});

describe('samplingRatio', () => {
  it.each([
    [undefined, undefined, 1],
    ['', '0.5', 1],
    ['always_on', '0.5', 1],
    ['always_off', undefined, 0],
    ['parentbased_always_on', undefined, 1],
    ['parentbased_always_off', undefined, 0],
    ['traceidratio', '0.25', 0.25],
    ['parentbased_traceidratio', ' 0 ', 0],
    ['traceidratio', undefined, 1],
    ['traceidratio', '', 1],
    ['traceidratio', '2', 1],
    ['traceidratio', 'half', 1],
    ['jaeger_remote', '0.5', 1],
  ])('of %j with %j is %d', (sampler, argument, share) => {
    expect(samplingRatio({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: argument })).toBe(share);
  });
});
