import { describe, expect, it } from 'vitest';
import type { IncidentId } from '../../../src/alert/incident-lookup.ts';
import { IncidentTraces } from '../../../src/app/tracing/incident-traces.ts';
import { createTraceRecorder, TraceRecorder, type TracingContext } from '../../../src/app/tracing/tracing.ts';
import { err } from '../../../src/kernel/result.ts';
import type { Span, TraceExporter } from '../../../src/model/span.ts';
import type { Transition } from '../../../src/model/transition.ts';
import { memoryStore } from '../../../src/runtime/store/local-store.ts';
import { digest } from '../../../src/runtime/system-ports.ts';
import type { EndedQuery } from '../../../src/trace/query-tracking.ts';
import { insertTransition } from '../../../src/track/rows.ts';
import { recordingLogger } from '../../support/logger.ts';

const dropped = { queue_full: 0, unreachable: 0, timeout: 0, refused: 0, headers: 0, stopped: 0 };

const noIncidents = {
  includingIncident: ({ key, episode }: IncidentId) => ({ key, episode }),
  incidentOfInstance: () => undefined,
};

function transition(at: number, from: string, to: string, cluster = 'prod'): Transition {
  const replica = { cluster, service: 'GPE', partition: '1', replica: '1' };
  return { ...replica, at, from, to, process: '', eventId: '', eventNs: '', source: 'm1' };
}

function ended(id: string): EndedQuery {
  const query = { state: 'running', id, graph: 'fraud', query: 'ring_scan', kind: 'installed', age: 500 } as const;
  const at = { wall: 2000, mono: 2000 };
  return { query, firstSeen: at, lastSeen: at, missedAt: at, isEndUnknown: false, outcome: 'ended' };
}

function tracing(more: Partial<TracingContext> = {}) {
  const spans: Span[] = [];
  const log = recordingLogger();
  const exports: TraceExporter = {
    isSampled: () => true,
    record: (span) => spans.push(span),
    counts: () => ({ exported: 3, dropped }),
    close: async () => undefined,
  };
  const nodes = { url: () => 'http://a:1', offset: () => undefined };
  const settings = { queries: true };
  const spansOf = more.exports ?? exports;
  const incidents = new IncidentTraces({ digest, spans: spansOf, alerts: noIncidents, abortOf: () => undefined });
  const context = { log, store: memoryStore(), digest, exports, nodes, settings, incidents, ...more };
  return { spans, lines: log.lines, context, traced: new TraceRecorder(context) };
}

describe('tracing', () => {
  it('creates a span for each query that ended', () => {
    const { traced, spans } = tracing();
    traced.onQueriesEnded({ cluster: 'prod', node: 'm1', ended: [ended('a'), ended('b')] });
    expect(spans.map(({ name, start, end, attributes }) => [name, start, end, attributes['server.address']])).toEqual([
      ['RUN QUERY ring_scan', 1500, 2000, 'a'],
      ['RUN QUERY ring_scan', 1500, 2000, 'a'],
    ]);
  });

  it('exports no span that is not sampled', () => {
    const { context } = tracing();
    const { traced, spans } = tracing({ exports: { ...context.exports, isSampled: () => false } });
    traced.onQueriesEnded({ cluster: 'prod', node: 'm1', ended: [ended('a')] });
    traced.onTransition(transition(10, 'Online', 'Down'));
    traced.onTransition(transition(30, 'Down', 'Online'));
    expect(spans).toEqual([]);
  });

  it('creates one span for a query that the lists of two nodes name', () => {
    const { traced, spans } = tracing();
    traced.onQueriesEnded({ cluster: 'prod', node: 'm1', ended: [ended('a'), ended('b')] });
    traced.onQueriesEnded({ cluster: 'prod', node: 'm2', ended: [ended('b'), ended('c')] });
    traced.onQueriesEnded({ cluster: 'test', node: 'm1', ended: [ended('a')] });
    expect(spans.map(({ attributes }) => attributes['graphwarden.query.id'])).toEqual(['a', 'b', 'c', 'a']);
  });

  it('keeps only the latest queries', () => {
    const { traced, spans } = tracing();
    const many = Array.from({ length: 10_001 }, (_, at) => ended(`q${at}`));
    traced.onQueriesEnded({ cluster: 'prod', node: 'm1', ended: many });
    traced.onQueriesEnded({ cluster: 'prod', node: 'm2', ended: many.slice(-10_000) });
    expect(spans).toHaveLength(10_001);
    traced.onQueriesEnded({ cluster: 'prod', node: 'm2', ended: many.slice(0, 1) });
    expect(spans).toHaveLength(10_002);
  });

  it('creates a span for an incident when it ends', () => {
    const { traced, spans } = tracing();
    traced.onTransition(transition(10, 'Online', 'Down'));
    expect(spans).toEqual([]);
    traced.onTransition(transition(30, 'Down', 'Online'));
    expect(spans.map(({ name, start, end }) => [name, start, end])).toEqual([['GPE not online', 10, 30]]);
  });

  it('creates no spans of disabled kinds', async () => {
    const { traced, spans } = tracing({ settings: { queries: false }, incidents: undefined });
    traced.onQueriesEnded({ cluster: 'prod', node: 'm1', ended: [ended('a')] });
    await traced.restore(['prod']);
    traced.onTransition(transition(10, 'Online', 'Down'));
    traced.onTransition(transition(30, 'Down', 'Online'));
    expect(spans).toEqual([]);
  });

  it('continues open incidents of an earlier run, and sends no span twice', async () => {
    const store = memoryStore();
    const past = [
      transition(10, 'Online', 'Down'),
      transition(20, 'Down', 'Online'),
      transition(30, 'Online', 'Warmup'),
      transition(35, 'Online', 'Down', 'test'),
    ];
    await store.commit(past.map(insertTransition));
    const { traced, spans } = tracing({ store });
    await traced.restore(['prod']);
    await traced.restore(['prod']);
    traced.onTransition(transition(40, 'Warmup', 'Online'));
    traced.onTransition(transition(50, 'Down', 'Online', 'test'));
    expect(spans.map(({ start, end, events }) => [start, end, events.length])).toEqual([[30, 40, 2]]);
  });

  it('drops the incidents of a cluster that is no longer monitored, and reads them when it is monitored again', async () => {
    const { traced, spans, context } = tracing();
    const down = transition(10, 'Online', 'Down');
    await traced.restore(['prod', 'test']);
    for (const one of [down, transition(12, 'Online', 'Down', 'test')]) traced.onTransition(one);
    traced.forget('prod');
    traced.onTransition(transition(20, 'Down', 'Online', 'test'));
    traced.onTransition(transition(30, 'Down', 'Online'));
    expect(spans.map(({ start, end }) => [start, end])).toEqual([[12, 20]]);
    await context.store.commit([insertTransition(down)]);
    await traced.restore(['prod', 'test']);
    traced.onTransition(transition(40, 'Down', 'Online'));
    expect(spans.map(({ start, end }) => [start, end])).toEqual([
      [12, 20],
      [10, 40],
    ]);
  });

  it('reports that stored incidents cannot be read, and continues with new ones', async () => {
    const store = { ...memoryStore(), find: async () => err('the disk is gone') };
    const { traced, spans, lines } = tracing({ store });
    await traced.restore(['prod']);
    expect(lines.map(({ level, fields }) => [level, fields])).toEqual([
      ['warn', { cluster: 'prod', error: 'the disk is gone' }],
    ]);
    traced.onTransition(transition(10, 'Online', 'Down'));
    traced.onTransition(transition(30, 'Down', 'Online'));
    expect(spans).toHaveLength(1);
  });

  it('is enabled if an exporter is configured', () => {
    const { context } = tracing();
    const { exports, nodes, incidents, ...ports } = context;
    const config = { telemetry: { traces: { queries: true, incidents: true, cycles: true } } };
    expect(createTraceRecorder(config, ports, { nodes, incidents })).toBe(undefined);
    expect(createTraceRecorder(config, { ...ports, spanExports: exports }, { nodes, incidents })).toBeInstanceOf(
      TraceRecorder,
    );
  });
});
