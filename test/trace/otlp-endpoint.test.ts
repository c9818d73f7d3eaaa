import { describe, expect, it } from 'vitest';
import { otlpEndpoint } from '../../src/trace/otlp-endpoint.ts';

const all = { queries: true, incidents: true, cycles: true };
const base = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const whole = 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';

describe('where spans go', () => {
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
  ])('by %j and %s: %s', (environment, endpoint, url) => {
    const settings = endpoint === undefined ? all : { ...all, endpoint };
    expect(otlpEndpoint(settings, environment)?.url).toBe(url);
  });

  it('includes the headers file and the sample ratio if they are set', () => {
    const settings = { ...all, endpoint: 'http://a', headersFile: 'h', sample: 0 };
    expect(otlpEndpoint(settings, {})).toEqual({ url: 'http://a/v1/traces', headersFile: 'h', sample: 0 });
    expect(otlpEndpoint({ ...all, endpoint: 'http://a' }, {})).toEqual({ url: 'http://a/v1/traces' });
  });
});
