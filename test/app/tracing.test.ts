import { describe, expect, it } from 'vitest';
import { Tracing, type TracingContext, tracingOf } from '../../src/app/tracing.ts';
import { err } from '../../src/kernel/result.ts';
import type { Span } from '../../src/model/span.ts';
import type { SpanExports } from '../../src/model/tracing.ts';
import type { Transition } from '../../src/model/transition.ts';
import { digest } from '../../src/runtime/digest.ts';
import { memoryStore } from '../../src/runtime/store/memory-store.ts';
import type { EndedQuery } from '../../src/trace/query-lives.ts';
import { transitionAdded } from '../../src/track/rows.ts';
import { recordingLogger } from '../support/logger.ts';

const dropped = { queue_full: 0, unreachable: 0, timeout: 0, refused: 0, headers: 0, stopped: 0 };

function transition(at: number, from: string, to: string, cluster = 'prod'): Transition {
  const replica = { cluster, service: 'GPE', partition: '1', replica: '1' };
  return { ...replica, at, from, to, process: '', eventId: '', eventNs: '', source: 'm1' };
}

function ended(id: string): EndedQuery {
  const query = { state: 'running', id, graph: 'fraud', query: 'ring_scan', kind: 'installed', age: 500 } as const;
  const at = { wall: 2000, mono: 2000 };
  return { query, firstSeen: at, lastSeen: at, missedAt: at, isUnwatched: false, outcome: 'ended' };
}

function tracing(more: Partial<TracingContext> = {}) {
  const spans: Span[] = [];
  const log = recordingLogger();
  const exports: SpanExports = {
    keeps: () => true,
    take: (span) => spans.push(span),
    tally: () => ({ exported: 3, dropped }),
    close: async () => undefined,
  };
  const nodes = { url: () => 'http://a:1', offset: () => undefined };
  const settings = { queries: true, incidents: true };
  const context = { log, store: memoryStore(), digest, exports, nodes, settings, ...more };
  return { spans, lines: log.lines, context, traced: new Tracing(context) };
}

describe('tracing', () => {
  it('makes a span of each query that is over', () => {
    const { traced, spans } = tracing();
    traced.over({ cluster: 'prod', node: 'm1', ended: [ended('a'), ended('b')] });
    expect(spans.map(({ name, start, end, attributes }) => [name, start, end, attributes['server.address']])).toEqual([
      ['RUN QUERY ring_scan', 1500, 2000, 'a'],
      ['RUN QUERY ring_scan', 1500, 2000, 'a'],
    ]);
  });

  it('leaves out what sampling does', () => {
    const { context, spans } = tracing();
    const traced = new Tracing({ ...context, exports: { ...context.exports, keeps: () => false } });
    traced.over({ cluster: 'prod', node: 'm1', ended: [ended('a')] });
    traced.changed(transition(10, 'Online', 'Down'));
    traced.changed(transition(30, 'Down', 'Online'));
    expect(spans).toEqual([]);
  });

  it('makes one span of a query that the lists of two nodes name', () => {
    const { traced, spans } = tracing();
    traced.over({ cluster: 'prod', node: 'm1', ended: [ended('a'), ended('b')] });
    traced.over({ cluster: 'prod', node: 'm2', ended: [ended('b'), ended('c')] });
    traced.over({ cluster: 'test', node: 'm1', ended: [ended('a')] });
    expect(spans.map(({ attributes }) => attributes['graphwarden.query.id'])).toEqual(['a', 'b', 'c', 'a']);
  });

  it('remembers no more than the latest of them', () => {
    const { traced, spans } = tracing();
    const many = Array.from({ length: 10_001 }, (_, at) => ended(`q${at}`));
    traced.over({ cluster: 'prod', node: 'm1', ended: many });
    traced.over({ cluster: 'prod', node: 'm2', ended: many.slice(-10_000) });
    expect(spans).toHaveLength(10_001);
    traced.over({ cluster: 'prod', node: 'm2', ended: many.slice(0, 1) });
    expect(spans).toHaveLength(10_002);
  });

  it('makes a span of an incident when it is over', () => {
    const { traced, spans } = tracing();
    traced.changed(transition(10, 'Online', 'Down'));
    expect(spans).toEqual([]);
    traced.changed(transition(30, 'Down', 'Online'));
    expect(spans.map(({ name, start, end }) => [name, start, end])).toEqual([['GPE not online', 10, 30]]);
  });

  it('makes none of what is switched off', async () => {
    const { traced, spans } = tracing({ settings: { queries: false, incidents: false } });
    traced.over({ cluster: 'prod', node: 'm1', ended: [ended('a')] });
    await traced.recall(['prod']);
    traced.changed(transition(10, 'Online', 'Down'));
    traced.changed(transition(30, 'Down', 'Online'));
    expect(spans).toEqual([]);
  });

  it('takes up what was under way before, and sends nothing a second time', async () => {
    const store = memoryStore();
    const past = [
      transition(10, 'Online', 'Down'),
      transition(20, 'Down', 'Online'),
      transition(30, 'Online', 'Warmup'),
      transition(35, 'Online', 'Down', 'test'),
    ];
    await store.commit(past.map(transitionAdded));
    const { traced, spans } = tracing({ store });
    await traced.recall(['prod']);
    await traced.recall(['prod']);
    traced.changed(transition(40, 'Warmup', 'Online'));
    traced.changed(transition(50, 'Down', 'Online', 'test'));
    expect(spans.map(({ start, end, events }) => [start, end, events.length])).toEqual([[30, 40, 2]]);
  });

  it('forgets the incidents of a cluster that is watched no more, and asks for them when it is watched again', async () => {
    const { traced, spans, context } = tracing();
    const down = transition(10, 'Online', 'Down');
    await traced.recall(['prod', 'test']);
    for (const one of [down, transition(12, 'Online', 'Down', 'test')]) traced.changed(one);
    traced.forget('prod');
    traced.changed(transition(20, 'Down', 'Online', 'test'));
    traced.changed(transition(30, 'Down', 'Online'));
    expect(spans.map(({ start, end }) => [start, end])).toEqual([[12, 20]]);
    await context.store.commit([transitionAdded(down)]);
    await traced.recall(['prod', 'test']);
    traced.changed(transition(40, 'Down', 'Online'));
    expect(spans.map(({ start, end }) => [start, end])).toEqual([
      [12, 20],
      [10, 40],
    ]);
  });

  it('says that the past cannot be read, and goes on with the present', async () => {
    const store = { ...memoryStore(), find: async () => err('the disk is gone') };
    const { traced, spans, lines } = tracing({ store });
    await traced.recall(['prod']);
    expect(lines.map(({ level, fields }) => [level, fields])).toEqual([
      ['warn', { cluster: 'prod', reason: 'the disk is gone' }],
    ]);
    traced.changed(transition(10, 'Online', 'Down'));
    traced.changed(transition(30, 'Down', 'Online'));
    expect(spans).toHaveLength(1);
  });

  it('tells what became of the spans', () => {
    expect(tracing().traced.samples()[0]?.value).toBe(3);
  });

  it('is there where there is a way out', () => {
    const { context } = tracing();
    const { exports, nodes, ...ports } = context;
    const config = { tracing: { queries: true, incidents: true, cycles: true } };
    expect(tracingOf(config, ports, nodes)).toBe(undefined);
    expect(tracingOf(config, { ...ports, spanExports: exports }, nodes)?.samples()).toHaveLength(7);
  });
});
