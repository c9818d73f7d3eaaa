import { describe, expect, it } from 'vitest';
import { createGraphDiscovery } from '../../src/graphdb/graph-discovery.ts';
import { failure } from '../../src/kernel/failure.ts';
import type { HttpReply, HttpRequest } from '../../src/kernel/http.ts';
import { err, type Result } from '../../src/kernel/result.ts';
import { callerOver, factsOf, failureOf, neverAborted } from '../support/client.ts';
import { FakeClock } from '../support/clock.ts';
import { answer, FakePool } from '../support/fake-pool.ts';

const schema = 'GET /gsql/v1/schema/graphs';
const endpoints = 'GET /restpp/endpoints?dynamic=true';
const two = answer({ error: false, graphs: [{ graphName: 'social' }, { graphName: 'fraud' }] });
const denied = answer({ error: true }, 401);

/** Answers when its signal aborts, as a hung node does. */
function hang(_request: HttpRequest, signal: AbortSignal): Promise<Result<HttpReply, ReturnType<typeof failure>>> {
  const hung = err(failure('timeout', 'hung'));
  if (signal.aborted) return Promise.resolve(hung);
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(hung), { once: true });
  });
}

describe('configured graphs', () => {
  it('are returned without a request', async () => {
    const names = createGraphDiscovery(['b', 'a'], new FakeClock());
    expect(factsOf(await names.names(callerOver(new FakePool()), neverAborted()))).toEqual(['b', 'a']);
  });
});

describe('discovered graphs', () => {
  it('come from the schema, sorted, without invalid names', async () => {
    const odd = [{ graphName: 'b' }, { graphName: '../x' }, {}, null, { graphName: 'a' }, { graphName: 'b' }];
    const pool = new FakePool([schema, answer({ error: false, graphs: odd })]);
    const names = createGraphDiscovery('auto', new FakeClock());
    expect(factsOf(await names.names(callerOver(pool), neverAborted()))).toEqual(['a', 'b']);
  });

  it('are derived from the queries if the schema is denied', async () => {
    const listing = {
      'GET /query/fraud/q': {},
      'POST /query/fraud/q': {},
      'GET /query/{graph_name}/x': {},
      'GET /graph/g/v': {},
    };
    const pool = new FakePool([schema, denied], [endpoints, answer(listing)]);
    const names = createGraphDiscovery('auto', new FakeClock());
    expect(factsOf(await names.names(callerOver(pool), neverAborted()))).toEqual(['fraud']);
  });

  it('are derived from the queries if the schema has no list', async () => {
    const pool = new FakePool([schema, answer({ error: false })], [endpoints, answer({ 'GET /query/fraud/q': {} })]);
    const names = createGraphDiscovery('auto', new FakeClock());
    expect(factsOf(await names.names(callerOver(pool, { serverVersion: '4.1' }), neverAborted()))).toEqual(['fraud']);
  });

  it('are all graphs, in alphabetical order, because the limits of collectors keep the first ones', async () => {
    const graphs = Array.from({ length: 10_000 }, (_, at) => ({ graphName: `g${99_999 - at}` }));
    const pool = new FakePool([schema, answer({ error: false, graphs })]);
    const found = factsOf(await createGraphDiscovery('auto', new FakeClock()).names(callerOver(pool), neverAborted()));
    expect([found.length, found[0], found.at(-1)]).toEqual([10_000, 'g90000', 'g99999']);
  });

  it('do not shrink to those with queries while the schema is denied', async () => {
    const clock = new FakeClock();
    const pool = new FakePool([schema, two], [schema, denied], [endpoints, answer({ 'GET /query/fraud/q': {} })]);
    const caller = callerOver(pool, { clock });
    const names = createGraphDiscovery('auto', clock);
    await names.names(caller, neverAborted());
    await clock.advance(300_000);
    await names.names(caller, neverAborted());
    await clock.settle();
    expect(pool.requests).toHaveLength(3);
    expect(factsOf(await names.names(caller, neverAborted()))).toEqual(['fraud', 'social']);
  });

  it('fail with the reason of the schema, unless the server does not have the call', async () => {
    const both = new FakePool([schema, denied], [endpoints, answer('', 503)]);
    expect(
      failureOf(await createGraphDiscovery('auto', new FakeClock()).names(callerOver(both), neverAborted())).reason,
    ).toBe('auth');
    const missing = new FakePool(
      [schema, answer('', 404)],
      ['GET /gsql/v1/version', answer('GSQL version: 4.1.0')],
      [endpoints, answer('', 503)],
    );
    expect(
      failureOf(await createGraphDiscovery('auto', new FakeClock()).names(callerOver(missing), neverAborted())).reason,
    ).toBe('status');
  });

  it('are derived from the queries if the GSQL server hangs', async () => {
    const clock = new FakeClock();
    const pool = new FakePool([schema, hang], [endpoints, answer({ 'GET /query/fraud/q': {} })]);
    const found = createGraphDiscovery('auto', clock).names(callerOver(pool, { clock }), neverAborted());
    await clock.advance(1500);
    expect(factsOf(await found)).toEqual(['fraud']);
  });

  it('are requested once for all callers, and again in the background after five minutes', async () => {
    const clock = new FakeClock();
    const pool = new FakePool([schema, two]);
    const caller = callerOver(pool, { clock });
    const graphs = createGraphDiscovery('auto', clock);
    const all = await Promise.all([1, 2, 3].map(() => graphs.names(caller, neverAborted())));
    expect(all.map(factsOf)).toEqual([1, 2, 3].map(() => ['fraud', 'social']));
    await clock.advance(299_999);
    expect(factsOf(await graphs.names(caller, neverAborted()))).toEqual(['fraud', 'social']);
    await clock.advance(1);
    pool.alsoExpect([schema, answer({ error: false, graphs: [{ graphName: 'fraud' }] })]);
    expect(factsOf(await graphs.names(caller, neverAborted()))).toEqual(['fraud', 'social']);
    await clock.settle();
    expect(factsOf(await graphs.names(caller, neverAborted()))).toEqual(['fraud']);
  });

  it('are requested again soon if a graph is missing, but not at every call', async () => {
    const clock = new FakeClock();
    const pool = new FakePool([schema, two]);
    const caller = callerOver(pool, { clock });
    const graphs = createGraphDiscovery('auto', clock);
    graphs.invalidate();
    await graphs.names(caller, neverAborted());
    await clock.advance(29_999);
    graphs.invalidate();
    await graphs.names(caller, neverAborted());
    await clock.advance(1);
    pool.alsoExpect([schema, answer({ error: false, graphs: [{ graphName: 'renamed' }] })]);
    expect(factsOf(await graphs.names(caller, neverAborted()))).toEqual(['fraud', 'social']);
    await clock.settle();
    expect(factsOf(await graphs.names(caller, neverAborted()))).toEqual(['renamed']);
    graphs.invalidate();
    graphs.invalidate();
    expect(factsOf(await graphs.names(caller, neverAborted()))).toEqual(['renamed']);
  });

  it('are kept while the next request fails, which is retried every half minute', async () => {
    const clock = new FakeClock();
    const pool = new FakePool([schema, two]);
    const caller = callerOver(pool, { clock });
    const graphs = createGraphDiscovery('auto', clock);
    await graphs.names(caller, neverAborted());
    await clock.advance(300_000);
    pool.alsoExpect([schema, answer('', 503)], [endpoints, answer('', 503)]);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(factsOf(await graphs.names(caller, neverAborted()))).toEqual(['fraud', 'social']);
      await clock.settle();
    }
    graphs.invalidate();
    expect(factsOf(await graphs.names(caller, neverAborted()))).toEqual(['fraud', 'social']);
    await clock.advance(30_000);
    pool.alsoExpect([schema, two]);
    await graphs.names(caller, neverAborted());
    await clock.settle();
  });

  it('are awaited for a limited time at a node that hangs', async () => {
    const clock = new FakeClock();
    const graphs = createGraphDiscovery('auto', clock);
    const stop = new AbortController();
    const slow = graphs.names(callerOver(new FakePool([schema, hang], [endpoints, hang]), { clock }), stop.signal);
    const quick = graphs.names(callerOver(new FakePool([schema, two]), { clock }), neverAborted());
    await clock.advance(500);
    expect(factsOf(await quick)).toEqual(['fraud', 'social']);
    // What is left are the deadlines of the slow one.
    expect(clock.sleeping).toBe(1);
    await clock.advance(1500);
    stop.abort();
    expect((await slow).ok).toBe(false);
  });

  it('are those of the latest request, although an earlier one was aborted', async () => {
    const clock = new FakeClock();
    const graphs = createGraphDiscovery('auto', clock);
    const stop = new AbortController();
    const held = Promise.withResolvers<ReturnType<typeof answer>>();
    const first = graphs.names(callerOver(new FakePool([schema, hang], [endpoints, hang]), { clock }), stop.signal);
    const second = graphs.names(callerOver(new FakePool([schema, () => held.promise]), { clock }), neverAborted());
    await clock.advance(600);
    stop.abort();
    expect((await first).ok).toBe(false);
    const third = graphs.names(callerOver(new FakePool(), { clock }), neverAborted());
    await clock.advance(400);
    held.resolve(two);
    expect(factsOf(await second)).toEqual(['fraud', 'social']);
    expect(factsOf(await third)).toEqual(['fraud', 'social']);
    expect(clock.sleeping).toBe(0);
  });
});
