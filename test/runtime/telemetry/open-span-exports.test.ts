import { hostname } from 'node:os';
import { context, diag, logs, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Span, SpanExportSettings } from '../../../src/model/span.ts';
import { systemClock } from '../../../src/runtime/clock.ts';
import { systemFiles } from '../../../src/runtime/files.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import { SpanStatistics } from '../../../src/runtime/telemetry/export-statistics.ts';
import { instrumentedExporter, openSpanExports } from '../../../src/runtime/telemetry/open-span-exports.ts';
import { schemaUrl } from '../../../src/runtime/telemetry/resources.ts';
import { eventually } from '../../support/child.ts';
import { recordingLogger } from '../../support/logger.ts';
import { type OtlpAnswer, type OtlpReceiver, otlpReceiver } from '../../support/otlp.ts';

const traceId = '0123456789abcdef0123456789abcdef';
const none = { queue_full: 0, unreachable: 0, timeout: 0, refused: 0, headers: 0, stopped: 0 };

function span(more: Partial<Span> = {}): Span {
  const what = { name: 'n', kind: 'server', start: 1_790_000_000_723, end: 1_790_000_010_723 } as const;
  return { traceId, spanId: 'b'.repeat(16), ...what, attributes: {}, events: [], links: [], ...more };
}

describe('the span exporter', () => {
  const kept = { ...process.env };
  let answer: OtlpAnswer = 200;
  let receiver: OtlpReceiver;

  beforeEach(async () => {
    answer = 200;
    receiver = await otlpReceiver(() => answer);
  });

  afterEach(async () => {
    await receiver.close();
    for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name];
  });

  async function opened(environment: Readonly<Record<string, string>> = {}, route: Partial<SpanExportSettings> = {}) {
    Object.assign(process.env, environment);
    const log = recordingLogger();
    const ports = { clock: systemClock, files: systemFiles, log, build: { version: '1.2.3' } };
    const exports = await openSpanExports({ url: `${receiver.url}/v1/traces`, ...route }, ports);
    return { exports, lines: log.lines };
  }

  it('exports every field of a span, with its ids and times', async () => {
    const { exports } = await opened();
    exports.record(
      span({
        name: 'RUN QUERY q',
        start: 1_790_000_000_723.25,
        attributes: { text: 'a', whole: -3, part: 0.5, yes: true },
        events: [{ name: 'e', at: 1_790_000_000_999, attributes: { why: 'x' } }],
        links: [{ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) }],
        error: 'the query was aborted',
      }),
    );
    exports.record(span({ spanId: 'e'.repeat(16), parentId: 'b'.repeat(16), kind: 'client', start: 3, end: 5 }));
    await exports.close(5000);
    expect(receiver.spans).toHaveLength(2);
    const [root, child] = receiver.spans;
    expect(root).toMatchObject({
      traceId,
      spanId: 'b'.repeat(16),
      parentId: '',
      name: 'RUN QUERY q',
      kind: 2,
      start: 1_790_000_000_723_250_000n,
      end: 1_790_000_010_723_000_000n,
      attributes: { text: 'a', whole: -3, part: 0.5, yes: true },
      events: [{ name: 'e', at: 1_790_000_000_999_000_000n, attributes: { why: 'x' } }],
      links: [{ traceId: 'c'.repeat(32), spanId: 'd'.repeat(16) }],
      status: { code: 2, message: 'the query was aborted' },
      scope: 'graphwarden',
    });
    expect(child).toMatchObject({ traceId, spanId: 'e'.repeat(16), parentId: 'b'.repeat(16), kind: 3 });
    expect([child?.start, child?.end]).toEqual([3_000_000n, 5_000_000n]);
    const { 'service.instance.id': instance, ...resource } = root?.resource ?? {};
    expect(instance).toMatch(/^[0-9a-f-]{36}$/);
    expect(resource).toMatchObject({ 'service.name': 'graphwarden', 'service.version': '1.2.3' });
    expect(resource).toMatchObject({ 'host.name': hostname(), 'os.type': 'linux', 'process.pid': process.pid });
    expect(Object.keys(resource).filter((name) => name.startsWith('process.command'))).toEqual([]);
    expect(root?.schemas).toEqual({ resource: schemaUrl, scope: schemaUrl });
    expect(exports.counts()).toEqual({ exported: 2, dropped: none });
  });

  it('sends the spans of other services with their resources, in the same batch', async () => {
    const { exports } = await opened({ OTEL_RESOURCE_ATTRIBUTES: 'k8s.pod.name=warden-0', OTEL_SERVICE_NAME: 'x' });
    const m1 = { 'service.name': 'graphdb', 'service.instance.id': 'm1' };
    exports.record(span());
    exports.record(span({ resource: m1 }));
    exports.record(span({ resource: { ...m1, 'service.instance.id': 'm2' } }));
    exports.record(span({ resource: { ...m1 } }));
    await exports.close(5000);
    const resources = receiver.spans.map(({ resource }) => resource);
    expect(resources.map((one) => [one['service.name'], one['service.instance.id']])).toEqual([
      ['x', expect.stringMatching(/-/)],
      ['graphdb', 'm1'],
      ['graphdb', 'm1'],
      ['graphdb', 'm2'],
    ]);
    expect(resources.map((one) => one['k8s.pod.name'])).toEqual(['warden-0', undefined, undefined, undefined]);
    expect(resources.map((one) => one['host.name'])).toEqual([hostname(), undefined, undefined, undefined]);
    expect(receiver.requests).toHaveLength(1);
  });

  it('follows the standard environment variables', async () => {
    const { exports } = await opened({
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_SERVICE_NAME: 'warden-7',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.5',
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_LOG_LEVEL: 'debug',
    });
    const ids = Array.from({ length: 40 }, (_, at) => digest.sha256(String(at)).slice(0, 32));
    const wanted = ids.filter((id) => exports.isSampled(id));
    for (const id of wanted) exports.record(span({ traceId: id }));
    await eventually('they come by themselves', async () => receiver.spans.length === wanted.length);
    expect([wanted.length > 0, wanted.length < 40]).toEqual([true, true]);
    expect(receiver.spans.map((one) => one.traceId)).toEqual(wanted);
    expect(receiver.requests[0]?.headers).toMatchObject({ 'x-tenant': 'one', 'content-encoding': 'gzip' });
    expect(receiver.spans[0]?.resource).toMatchObject({
      'service.name': 'warden-7',
      'deployment.environment.name': 'prod',
    });
    await exports.close(1000);
  });

  it('uses the configured sampling share instead of that of the environment', async () => {
    const { exports } = await opened({ OTEL_TRACES_SAMPLER: 'always_off' }, { sample: 1 });
    expect(exports.isSampled(traceId)).toBe(true);
    await exports.close(1000);
    const off = await opened({ OTEL_TRACES_SAMPLER: 'always_on' }, { sample: 0 });
    expect(off.exports.isSampled(traceId)).toBe(false);
    off.exports.record(span());
    await off.exports.close(1000);
    expect(off.exports.counts()).toEqual({ exported: 0, dropped: none });
  });

  it('limits its queue', async () => {
    const { exports } = await opened({ OTEL_BSP_MAX_QUEUE_SIZE: '3' });
    for (let count = 0; count < 8; count += 1) exports.record(span());
    await exports.close(5000);
    const { exported, dropped } = exports.counts();
    expect(exported + dropped.queue_full).toBe(8);
    expect(dropped.queue_full).toBeGreaterThan(0);
    expect(receiver.spans).toHaveLength(exported);
  });

  it.each([
    [400, 'refused'],
    [401, 'refused'],
    [404, 'refused'],
    [500, 'refused'],
    [503, 'refused'],
    ['hang', 'timeout'],
  ] as const)(
    'logs one failure of an endpoint that answers %s, counts the spans, and logs its recovery',
    async (bad, reason) => {
      const { exports, lines } = await opened({ OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_EXPORTER_OTLP_TIMEOUT: '2000' });
      answer = bad;
      for (const count of [1, 2]) {
        exports.record(span());
        await eventually('it is dropped', async () => exports.counts().dropped[reason] === count);
      }
      answer = 200;
      exports.record(span());
      await eventually('it arrives', async () => exports.counts().exported === 1);
      await exports.close(1000);
      expect(lines.map(({ level, message, fields }) => [level, message, fields.reason])).toEqual([
        ['warn', 'telemetry export failed', reason],
        ['info', 'telemetry export recovered', undefined],
      ]);
      expect(exports.counts()).toEqual({ exported: 1, dropped: { ...none, [reason]: 2 } });
    },
  );

  it('closes in time although the endpoint does not respond, and accepts no more spans', async () => {
    answer = 'hang';
    const { exports } = await opened();
    exports.record(span());
    exports.record(span());
    // The library's own timeout of ten seconds would be another reason.
    await exports.close(300);
    exports.record(span());
    expect(exports.counts()).toEqual({ exported: 0, dropped: { ...none, stopped: 3 } });
  });

  it('leaves no listener, tracer, context or logger in the process', async () => {
    const before = listeners();
    const { exports } = await opened({ OTEL_LOG_LEVEL: 'all' });
    expect(listeners()).toEqual(before);
    expect(trace.getTracer('else').startSpan('s').isRecording()).toBe(false);
    expect(logs.getLogger('else').enabled()).toBe(false);
    const seen = context.with(context.active().setValue(Symbol.for('k'), 1), () =>
      context.active().getValue(Symbol.for('k')),
    );
    expect(seen).toBe(undefined);
    diag.error('this is not logged');
    await exports.close(1000);
  });

  it('supports two exporters at the same time', async () => {
    const one = await opened({}, { sample: 0 });
    const other = await opened();
    expect([one.exports.isSampled(traceId), other.exports.isSampled(traceId)]).toEqual([false, true]);
    other.exports.record(span());
    one.exports.record(span());
    await Promise.all([one.exports.close(2000), other.exports.close(2000)]);
    expect(receiver.spans).toHaveLength(1);
  });
});

/** Who listens to the process, by event. */
function listeners() {
  return process.eventNames().map((name) => [String(name), process.listenerCount(name)]);
}

describe('instrumentedExporter', () => {
  it('counts accepted and failed spans of the wrapped exporter', async () => {
    const tally = new SpanStatistics(10, recordingLogger());
    const receiver = await otlpReceiver(() => (receiver.requests.length > 1 ? 400 : 200));
    const exporter = instrumentedExporter(new OTLPTraceExporter({ url: receiver.url }), tally);
    const send = () => new Promise<Error | undefined>((resolve) => exporter.export([], ({ error }) => resolve(error)));
    expect(await send()).toBe(undefined);
    expect((await send())?.name).toBe('OTLPExporterError');
    await exporter.shutdown();
    await receiver.close();
  });
});
