type Environment = Readonly<Record<string, string | undefined>>;

/** Sizes and times of the batches of spans, as options of the library. Times are in ms. */
export function batchOptions(environment: Environment) {
  return {
    maxQueueSize: positiveNumber(environment, 'OTEL_BSP_MAX_QUEUE_SIZE') ?? 2048,
    maxExportBatchSize: positiveNumber(environment, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE') ?? 512,
    scheduledDelayMillis: positiveNumber(environment, 'OTEL_BSP_SCHEDULE_DELAY') ?? 5000,
    exportTimeoutMillis: positiveNumber(environment, 'OTEL_BSP_EXPORT_TIMEOUT') ?? 30_000,
  };
}

/** Limits of one span, as options of the library; those that are absent have its default. */
export function spanLimits(environment: Environment): Readonly<Record<string, number>> {
  const limits = Object.entries(limitVariables).flatMap(([option, names]) => {
    const limit = names.map((name) => positiveNumber(environment, name)).find((found) => found !== undefined);
    return limit === undefined ? [] : [[option, limit] as const];
  });
  return Object.fromEntries(limits);
}

const limitVariables = {
  attributeCountLimit: ['OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', 'OTEL_ATTRIBUTE_COUNT_LIMIT'],
  attributeValueLengthLimit: ['OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT', 'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'],
  eventCountLimit: ['OTEL_SPAN_EVENT_COUNT_LIMIT'],
  linkCountLimit: ['OTEL_SPAN_LINK_COUNT_LIMIT'],
  attributePerEventCountLimit: ['OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT'],
  attributePerLinkCountLimit: ['OTEL_LINK_ATTRIBUTE_COUNT_LIMIT'],
} as const;

/** Times of the metric export in ms; the timeout is at most the interval. */
export function metricExportTimes(environment: Environment, interval?: number) {
  const exportIntervalMillis = interval ?? positiveNumber(environment, 'OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000;
  const timeout = positiveNumber(environment, 'OTEL_METRIC_EXPORT_TIMEOUT') ?? 30_000;
  return { exportIntervalMillis, exportTimeoutMillis: Math.min(timeout, exportIntervalMillis) };
}

/** Returns a positive number of the environment; undefined if it is invalid, as the specification requires. */
function positiveNumber(environment: Environment, name: string): number | undefined {
  const given = Number(environment[name]?.trim() || 0);
  return given > 0 && Number.isFinite(given) ? given : undefined;
}

const traceIdDigits = 14;
const sampleRange = 16 ** traceIdDigits;

/** Share of traces that `OTEL_TRACES_SAMPLER` keeps. No span has a remote parent, so a parent-based sampler uses its root sampler. */
export function samplingRatio(environment: Environment): number {
  const sampler = environment.OTEL_TRACES_SAMPLER?.trim().replace(/^parentbased_/, '');
  if (sampler === 'always_off') return 0;
  const share = Number(environment.OTEL_TRACES_SAMPLER_ARG?.trim() || 1);
  return sampler === 'traceidratio' && share >= 0 && share <= 1 ? share : 1;
}

/**
 * Returns whether a trace belongs to the share, by the last 56 bits of its id as the specification defines: other
 * programs with the same share keep the same traces.
 */
export function isSampled(traceId: string, share: number): boolean {
  return BigInt(`0x${traceId.slice(-traceIdDigits)}`) >= BigInt(Math.round((1 - share) * sampleRange));
}

/** Attributes of the process, which every span has. */
export type ResourceAttributes = Readonly<Record<string, string>>;

/** Returns our attributes, overridden by `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`. */
export function resourceAttributesFrom(own: ResourceAttributes, environment: Environment): ResourceAttributes {
  const service = environment.OTEL_SERVICE_NAME?.trim() ?? '';
  return {
    ...own,
    ...parsePairs(environment.OTEL_RESOURCE_ATTRIBUTES ?? ''),
    ...(service === '' ? {} : { 'service.name': service }),
  };
}

/** Parses `key=value` pairs with percent-encoding. As the specification requires, one invalid pair invalidates all. */
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
