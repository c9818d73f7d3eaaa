import { describe, expect, it } from 'vitest';
import { otlpUrl } from '../../src/trace/otlp-endpoint.ts';

const base = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const whole = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

describe('otlpUrl', () => {
  it.each([
    [{}, undefined, undefined],
    [{ [base]: ' ' }, undefined, undefined],
    [{}, 'http://a:4318', 'http://a:4318/v1/traces'],
    [{}, 'http://a:4318/otlp', 'http://a:4318/otlp/v1/traces'],
    [{}, 'http://a:4318/v1/traces', 'http://a:4318/v1/traces'],
    [{ [base]: 'http://b:4318/' }, undefined, 'http://b:4318/v1/traces'],
    [{ [base]: 'http://b:4318', [whole]: 'http://c/in' }, undefined, 'http://c/in'],
    [{ [base]: 'http://b:4318', [whole]: 'http://c/in' }, 'http://a', 'http://a/v1/traces'],
    [{ [base]: 'http://b', OTEL_SDK_DISABLED: 'TRUE' }, undefined, undefined],
    [{ OTEL_SDK_DISABLED: 'true' }, 'http://a', undefined],
    [{ OTEL_SDK_DISABLED: 'false' }, 'http://a', 'http://a/v1/traces'],
    [{ OTEL_TRACES_EXPORTER: 'none' }, 'http://a', undefined],
    [{ OTEL_TRACES_EXPORTER: 'otlp, none' }, 'http://a', undefined],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'http://a', 'http://a/v1/traces'],
  ])('traces by %j and %s: %s', (environment, endpoint, url) => {
    expect(otlpUrl('traces', endpoint, environment)).toBe(url);
  });

  it.each([
    [{ [base]: 'http://b:4318/' }, undefined, 'http://b:4318/v1/metrics'],
    [{ [base]: 'http://b:4318', [whole]: 'http://c/in' }, undefined, 'http://b:4318/v1/metrics'],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://c/in' }, undefined, 'http://c/in'],
    [{ [base]: 'http://b:4318', OTEL_METRICS_EXPORTER: 'none' }, undefined, undefined],
    [{ OTEL_TRACES_EXPORTER: 'none' }, 'http://a', 'http://a/v1/metrics'],
  ])('metrics by %j and %s: %s', (environment, endpoint, url) => {
    expect(otlpUrl('metrics', endpoint, environment)).toBe(url);
  });
});
