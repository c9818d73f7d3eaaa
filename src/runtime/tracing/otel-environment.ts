/** What the library takes where nothing is said. */
const defaultQueueCapacity = 2048;

/** How many spans may wait: what the library makes of `OTEL_BSP_MAX_QUEUE_SIZE`, since it counts nothing that it drops. */
export function queueCapacity(environment: Readonly<Record<string, string | undefined>>): number {
  const given = Number(environment.OTEL_BSP_MAX_QUEUE_SIZE?.trim() || defaultQueueCapacity);
  return given > 0 ? given : defaultQueueCapacity;
}

const traceIdDigits = 14;
const sampleRange = 16 ** traceIdDigits;

/** The share of traces that `OTEL_TRACES_SAMPLER` keeps. A span of ours has no parent elsewhere: those that go by it go by their root. */
export function samplingRatio(environment: Readonly<Record<string, string | undefined>>): number {
  const sampler = environment.OTEL_TRACES_SAMPLER?.trim().replace(/^parentbased_/, '');
  if (sampler === 'always_off') return 0;
  const share = Number(environment.OTEL_TRACES_SAMPLER_ARG?.trim() || 1);
  return sampler === 'traceidratio' && share >= 0 && share <= 1 ? share : 1;
}

/** Whether a trace is of that share, by the last 56 bits of its id, as the specification has it: who else goes by it keeps the same. */
export function isSampled(traceId: string, share: number): boolean {
  return BigInt(`0x${traceId.slice(-traceIdDigits)}`) >= BigInt(Math.round((1 - share) * sampleRange));
}

/** What every span says of the process that sent it. */
export type ResourceAttributes = Readonly<Record<string, string>>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Ours, and what `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` put in their place. */
export function resourceAttributesFrom(own: ResourceAttributes, environment: Environment): ResourceAttributes {
  const service = environment.OTEL_SERVICE_NAME?.trim() ?? '';
  return {
    ...own,
    ...parsePairs(environment.OTEL_RESOURCE_ATTRIBUTES ?? ''),
    ...(service === '' ? {} : { 'service.name': service }),
  };
}

/** `key=value` with commas between and percent signs decoded; by the specification one bad pair spoils all. */
function parsePairs(text: string): ResourceAttributes {
  const found: Record<string, string> = {};
  for (const pair of text.split(',').filter((one) => one.trim() !== '')) {
    const [, key = '', value] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
    const decoded = decodeValue(value?.trim() ?? '%');
    if (decoded === undefined || key.trim() === '') return {};
    found[key.trim()] = decoded;
  }
  return found;
}

function decodeValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
