type Environment = Readonly<Record<string, string | undefined>>;

/** Signals that are exported, as the standard names them. */
export type Signal = 'traces' | 'metrics';

/**
 * Returns the complete URL of a signal: of the configuration, or else of the standard variables; undefined if the signal
 * is not exported.
 */
export function otlpUrl(signal: Signal, endpoint: string | undefined, environment: Environment): string | undefined {
  if (isDisabled(signal, environment)) return undefined;
  if (endpoint !== undefined) return appendPath(endpoint, signal);
  const whole = nonEmpty(environment[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]);
  if (whole !== undefined) return whole;
  const base = nonEmpty(environment.OTEL_EXPORTER_OTLP_ENDPOINT);
  return base === undefined ? undefined : appendPath(base, signal);
}

/** Appends the path of the signal, unless the configured URL already ends with it. */
function appendPath(base: string, signal: Signal): string {
  const trimmed = base.replace(/\/+$/, '');
  return trimmed.endsWith(`/v1/${signal}`) ? trimmed : `${trimmed}/v1/${signal}`;
}

function isDisabled(signal: Signal, environment: Environment): boolean {
  const exporters = nonEmpty(environment[`OTEL_${signal.toUpperCase()}_EXPORTER`])?.split(',') ?? [];
  const isSdkDisabled = nonEmpty(environment.OTEL_SDK_DISABLED)?.toLowerCase() === 'true';
  return isSdkDisabled || exporters.some((name) => name.trim() === 'none');
}

/** By the specification, an empty variable counts as unset. */
function nonEmpty(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}
