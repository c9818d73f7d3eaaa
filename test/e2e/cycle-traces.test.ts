import { describe, expect, it, onTestFinished } from 'vitest';
import type { Span } from '../../src/model/span.ts';
import type { SimulatedAuth } from '../../src/simulator/options.ts';
import { SpanBook } from '../support/span-book.ts';
import { openStage } from './guard-stage.ts';

const canary = 'canary-83b1f04e77';
const auth: SimulatedAuth = { kind: 'secret', secret: canary };
const on = { enabled: true };

/** A traced daemon that watches a simulated cluster `prod` of two nodes, m1 and m2. */
async function traced(book: SpanBook) {
  const stage = await openStage({
    guard: {},
    simulated: { nodes: 2, auth },
    cluster: { read_auth: { secret: canary } },
    collectors: { license: on, statistics: on },
    world: { spans: book },
  });
  onTestFinished(() => stage.stop());
  return stage;
}

/** What a call's span and a server's own log both know of a call. */
function statusOf({ attributes }: Span): string {
  return `${attributes['http.request.method']} ${attributes['url.template']}`;
}

describe('the cycles of a daemon', () => {
  it('are one trace each, with every call that was made', async () => {
    const book = new SpanBook();
    const { simulator, run } = await traced(book);
    await run(20_000);
    const roots = book.spans.filter(({ parentId }) => parentId === undefined);
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(roots.length);
    const ids = new Set(book.spans.map(({ traceId, spanId }) => `${traceId}/${spanId}`));
    expect(ids.size).toBe(book.spans.length);
    const orphans = book.spans.filter(
      (one) => one.parentId !== undefined && !ids.has(`${one.traceId}/${one.parentId}`),
    );
    expect(orphans).toEqual([]);
    for (const root of roots) {
      for (const child of book.below(root)) {
        expect(child.start).toBeGreaterThanOrEqual(root.start);
        expect(child.end).toBeLessThanOrEqual(root.end + 0.001);
      }
    }
    const [cluster = expect.fail()] = book.roots('collect license');
    const [attempt = expect.fail()] = book.below(cluster);
    expect(book.below(attempt).map(({ name }) => name)).toContain('GET /restpp/showlicenseinfo');
    const made = book.spans.filter(({ kind }) => kind === 'client');
    expect(made.filter((one) => statusOf(one) !== one.name)).toEqual([]);
    const lists = made.filter(({ name }) => name === 'GET /restpp/showprocesslistall');
    const asked = simulator.calls().filter(({ path }) => path === '/restpp/showprocesslistall');
    expect(asked.length).toBeGreaterThanOrEqual(6);
    // The last reads may still be under way.
    expect(asked.length - lists.length).toBeLessThanOrEqual(2);
    expect(asked.length - lists.length).toBeGreaterThanOrEqual(0);
    expect(lists[0]?.attributes).toMatchObject({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 });
  });

  it('of a node that fails are in error, and the next one links to it', async () => {
    const book = new SpanBook(() => false);
    const { simulator, run } = await traced(book);
    const failing = (): readonly Span[] =>
      book.roots('collect queries').filter(({ attributes }) => attributes['graphwarden.node'] === 'm1');
    await simulator.control.inject('status_503', { node: 'm1', path: '/restpp/showprocesslistall' });
    await run(60_000);
    const [first = expect.fail(), second = expect.fail()] = failing();
    expect(first).toMatchObject({ error: 'status', links: [] });
    expect(first.attributes).toMatchObject({ 'graphwarden.outcome': 'failed', 'error.type': 'status' });
    expect(book.below(first).filter(({ error }) => error !== undefined)).toMatchObject([
      { name: 'GET /restpp/showprocesslistall', error: '503', attributes: { 'http.response.status_code': 503 } },
    ]);
    expect(second.links).toEqual([{ traceId: first.traceId, spanId: first.spanId }]);
  });

  it('hold no secret and nothing that was asked for in a query string', async () => {
    const book = new SpanBook();
    const { simulator, run } = await traced(book);
    simulator.control.startQuery({
      node: 'm1',
      graph: 'fraud',
      query: 'q',
      parameters: `name=${canary}`,
      runsFor: 60_000,
    });
    await run(60_000);
    const text = JSON.stringify(book.spans);
    expect(text).toContain('/restpp/statistics/{graph}');
    expect(text).toContain('seconds=REDACTED&segments=REDACTED');
    expect(text).not.toContain(canary);
    expect(text).not.toMatch(/seconds=\d/);
    expect(text).not.toContain('authorization');
  });
});
