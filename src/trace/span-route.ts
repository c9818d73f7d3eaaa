import type { SpanRoute } from '../model/tracing.ts';
import type { TracingSettings } from './tracing-section.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where spans go by the configuration, or else by the standard variables; undefined where tracing is off. */
export function spanRoute(settings: TracingSettings, environment: Environment): SpanRoute | undefined {
  const url = isOff(environment) ? undefined : urlOf(settings, environment);
  if (url === undefined) return undefined;
  const { headersFile, sample } = settings;
  return {
    url,
    ...(headersFile === undefined ? {} : { headersFile }),
    ...(sample === undefined ? {} : { sample }),
  };
}

function urlOf({ endpoint }: TracingSettings, environment: Environment): string | undefined {
  if (endpoint !== undefined) return tracesOf(endpoint);
  const whole = said(environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
  if (whole !== undefined) return whole;
  const base = said(environment.OTEL_EXPORTER_OTLP_ENDPOINT);
  return base === undefined ? undefined : tracesOf(base);
}

/** Many write the whole address where the base is wanted. */
function tracesOf(base: string): string {
  const trimmed = base.replace(/\/+$/, '');
  return trimmed.endsWith('/v1/traces') ? trimmed : `${trimmed}/v1/traces`;
}

function isOff({ OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporters }: Environment): boolean {
  const names =
    said(exporters)
      ?.split(',')
      .map((name) => name.trim()) ?? [];
  return said(disabled)?.toLowerCase() === 'true' || names.includes('none');
}

/** The specification has an empty variable mean the same as none. */
function said(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === '' ? undefined : trimmed;
}
