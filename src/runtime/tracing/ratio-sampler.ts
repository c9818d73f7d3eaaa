import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node';

const digits = 14;
const all = 16 ** digits;

/** Keeps a share of traces by the last 56 bits of their ids, as the specification has it: who else goes by it keeps the same. */
export function ratioSampler(ratio: number): NodeSDKConfiguration['sampler'] {
  const from = (1 - ratio) * all;
  return {
    shouldSample: (_context, traceId) => ({ decision: Number.parseInt(traceId.slice(-digits), 16) >= from ? 2 : 0 }),
    toString: () => `TraceIdRatioBased{${ratio}}`,
  };
}
