import type { SpanExportSettings } from '../model/span.ts';
import type { TracingSettings } from './tracing-section.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where spans go by the configuration, or else by the standard variables; undefined where tracing is off. */
export function otlpEndpoint(settings: TracingSettings, environment: Environment): SpanExportSettings | undefined {
  const url = isTracingDisabled(environment) ? undefined : tracesUrlOf(settings, environment);
  if (url === undefined) return undefined;
  const { headersFile, sample } = settings;
  return {
    url,
    ...(headersFile === undefined ? {} : { headersFile }),
    ...(sample === undefined ? {} : { sample }),
  };
}

function tracesUrlOf({ endpoint }: TracingSettings, environment: Environment): string | undefined {
  if (endpoint !== undefined) return appendTracesPath(endpoint);
  const whole = nonEmpty(environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  if (whole !== undefined) return whole;
  const base = nonEmpty(environment.OTEL_EXPORTER_OTLP_ENDPOINT);
  return base === undefined ? undefined : appendTracesPath(base);
}

/** Many write the whole address where the base is wanted. */
function appendTracesPath(base: string): string {
  const trimmed = base.replace(/\/+$/, '');
  return trimmed.endsWith('/v1/traces') ? trimmed : `${trimmed}/v1/traces`;
}

function isTracingDisabled({ OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporters }: Environment): boolean {
  const names =
    nonEmpty(exporters)
      ?.split(',')
      .map((name) => name.trim()) ?? [];
  return nonEmpty(disabled)?.toLowerCase() === 'true' || names.includes('none');
}

/** The specification has an empty variable mean the same as none. */
function nonEmpty(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}
