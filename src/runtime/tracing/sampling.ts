const digits = 14;
const all = 16 ** digits;

/** The share of traces that `OTEL_TRACES_SAMPLER` keeps. A span of ours has no parent elsewhere: those that go by it go by their root. */
export function shareOf(environment: Readonly<Record<string, string | undefined>>): number {
  const sampler = environment.OTEL_TRACES_SAMPLER?.trim().replace(/^parentbased_/, '');
  if (sampler === 'always_off') return 0;
  const share = Number(environment.OTEL_TRACES_SAMPLER_ARG?.trim() || 1);
  return sampler === 'traceidratio' && share >= 0 && share <= 1 ? share : 1;
}

/** Whether a trace is of that share, by the last 56 bits of its id, as the specification has it: who else goes by it keeps the same. */
export function isSampled(traceId: string, share: number): boolean {
  return BigInt(`0x${traceId.slice(-digits)}`) >= BigInt(Math.round((1 - share) * all));
}
