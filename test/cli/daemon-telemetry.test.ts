import { describe, expect, it } from 'vitest';
import { openTelemetry } from '../../src/cli/daemon-telemetry.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Millis } from '../../src/kernel/time.ts';
import type { MetricExporter, MetricExportSettings } from '../../src/model/metric-export.ts';
import type { SpanExportSettings, TraceExporter } from '../../src/model/span.ts';
import { testPorts } from '../support/cli-ports.ts';
import { recordingLogger } from '../support/logger.ts';

const figures = { queue_full: 0, unreachable: 0, timeout: 0, refused: 0, headers: 0, stopped: 0 };

async function opened(
  telemetry: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string>> = {},
) {
  const clusters = [{ name: 'prod', nodes: [{ name: 'm1', url: 'http://127.0.0.1:1' }] }];
  const loaded = loadConfig(JSON.stringify({ clusters, telemetry }), '/etc/g.yml', {});
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const log = recordingLogger();
  const routes: SpanExportSettings[] = [];
  const metricRoutes: MetricExportSettings[] = [];
  const closed: Millis[] = [];
  const close = async (within: Millis) => void closed.push(within);
  const exports: TraceExporter = {
    isSampled: () => true,
    record: () => undefined,
    counts: () => ({ exported: 0, dropped: figures }),
    close,
  };
  const metricExports: MetricExporter = {
    start: () => undefined,
    counts: () => ({ exported: 0, dropped: { unreachable: 0, timeout: 0, refused: 0, headers: 0 } }),
    close,
  };
  const runtime = {
    openSpans: async (route: SpanExportSettings) => {
      routes.push(route);
      return exports;
    },
    openMetrics: async (route: MetricExportSettings) => {
      metricRoutes.push(route);
      return metricExports;
    },
  };
  const options = { config: loaded.value, log: { log, setLevel: () => undefined } };
  const way = await openTelemetry(options, testPorts({ environment }), runtime);
  return { way, exports, metricExports, routes, metricRoutes, closed, lines: log.lines };
}

describe('the span exporter', () => {
  it('is not loaded without an endpoint', async () => {
    const { way, routes, lines } = await opened({});
    expect([way.ports, routes, lines]).toEqual([{}, [], []]);
    await way.close();
  });

  it('uses the configured endpoint, with headers from a file next to the configuration', async () => {
    const { way, exports, routes, closed, lines } = await opened({
      traces: { endpoint: 'http://a:4318', headers_file: 'h.txt' },
    });
    expect(routes).toEqual([{ url: 'http://a:4318/v1/traces', headersFile: '/etc/h.txt' }]);
    expect(way.ports).toEqual({ spanExports: exports, spans: exports });
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'telemetry export enabled',
        fields: { signal: 'traces', url: 'http://a:4318/v1/traces' },
      },
    ]);
    await way.close();
    expect(closed).toEqual([1500]);
  });

  it('exports aborts and notifications if poll cycles are disabled', async () => {
    const { way, exports } = await opened({ traces: { endpoint: 'http://a:4318', cycles: false } });
    expect(way.ports).toEqual({ spanExports: exports, spans: exports });
  });

  it('uses the endpoint of the environment, and does not log its secrets', async () => {
    const whole = 'https://user:canary@a/v1/traces?key=canary';
    const { routes, lines } = await opened({}, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole });
    expect(routes).toEqual([{ url: whole }]);
    expect(lines[0]?.fields).toEqual({ signal: 'traces', url: 'https://a/v1/traces' });
  });

  it.each(['nonsense', 'localhost:4317', 'grpc://a:4317'])(
    'is disabled by the environment variable %s, which is logged',
    async (endpoint) => {
      const { way, routes, lines } = await opened({}, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint });
      expect([way.ports, routes]).toEqual([{}, []]);
      const error = 'the endpoint in the environment is not an http URL';
      expect(lines.map(({ level, fields }) => [level, fields])).toEqual([['warn', { signal: 'traces', error }]]);
    },
  );
});

describe('the metric exporter', () => {
  it('sends metrics to its own endpoint at its own interval', async () => {
    const { way, metricExports, routes, metricRoutes, closed, lines } = await opened({
      metrics: { endpoint: 'http://a:4318', headers_file: 'h.txt', interval: '15s' },
    });
    expect(metricRoutes).toEqual([{ url: 'http://a:4318/v1/metrics', headersFile: '/etc/h.txt', interval: 15_000 }]);
    expect([way.ports, routes]).toEqual([{ metricExports }, []]);
    expect(lines).toEqual([
      {
        level: 'info',
        message: 'telemetry export enabled',
        fields: { signal: 'metrics', url: 'http://a:4318/v1/metrics' },
      },
    ]);
    await way.close();
    expect(closed).toEqual([1500]);
  });

  it('shares the endpoint of the environment with traces', async () => {
    const { routes, metricRoutes } = await opened({}, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://b:4318' });
    expect([...routes, ...metricRoutes]).toEqual([
      { url: 'http://b:4318/v1/traces' },
      { url: 'http://b:4318/v1/metrics' },
    ]);
  });
});
