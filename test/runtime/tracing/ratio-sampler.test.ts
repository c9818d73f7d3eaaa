import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { digest } from '../../../src/runtime/digest.ts';
import { ratioSampler } from '../../../src/runtime/tracing/ratio-sampler.ts';

function kept(ratio: number, traceId: string): boolean {
  return ratioSampler(ratio)?.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.SERVER, {}, []).decision === 2;
}

const ids = Array.from({ length: 4000 }, (_, at) => digest.sha256(String(at)).slice(0, 32));

describe('ratioSampler', () => {
  it('keeps all, none, or about the share', () => {
    expect(ids.filter((id) => kept(1, id))).toHaveLength(ids.length);
    expect(ids.filter((id) => kept(0, id))).toHaveLength(0);
    const share = ids.filter((id) => kept(0.25, id)).length / ids.length;
    expect(share).toBeGreaterThan(0.22);
    expect(share).toBeLessThan(0.28);
  });

  it('keeps with a greater share all that it keeps with a smaller one', () => {
    expect(ids.filter((id) => kept(0.1, id)).every((id) => kept(0.5, id))).toBe(true);
  });

  it('goes by the last 56 bits, at the threshold of the specification', () => {
    expect(kept(0.5, `${'f'.repeat(18)}80000000000000`)).toBe(true);
    expect(kept(0.5, `${'f'.repeat(18)}7fffffffffffff`)).toBe(false);
  });

  it('keeps all while it is overruled', () => {
    let overruled = true;
    const sampler = ratioSampler(0, () => overruled);
    const decisions = () => {
      return ids.map((id) => sampler?.shouldSample(ROOT_CONTEXT, id, '', SpanKind.SERVER, {}, []).decision);
    };
    expect(new Set(decisions())).toEqual(new Set([2]));
    overruled = false;
    expect(new Set(decisions())).toEqual(new Set([0]));
  });

  it('says what it is', () => {
    expect(String(ratioSampler(0.5))).toBe('TraceIdRatioBased{0.5}');
  });
});
