import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node';

const digits = 14;
const all = 16 ** digits;

/**
 * Keeps a share of traces by the last 56 bits of their ids, as the specification has it: who else goes by it keeps the
 * same. While it is overruled it keeps all.
 */
export function ratioSampler(ratio: number, overruled = () => false): NodeSDKConfiguration['sampler'] {
  const from = BigInt(Math.round((1 - ratio) * all));
  const isKept = (traceId: string): boolean => overruled() || BigInt(`0x${traceId.slice(-digits)}`) >= from;
  return {
    shouldSample: (_context, traceId) => ({ decision: isKept(traceId) ? 2 : 0 }),
    toString: () => `TraceIdRatioBased{${ratio}}`,
  };
}
