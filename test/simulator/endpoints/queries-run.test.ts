import { describe, expect, it } from 'vitest';
import type { EndpointCall } from '../../../src/simulator/call.ts';
import { runQuery } from '../../../src/simulator/endpoints/queries.ts';
import type { Reply } from '../../../src/simulator/replies.ts';
import type { World } from '../../../src/simulator/world/world.ts';
import { FakeClock } from '../../support/clock.ts';
import { callOn, jsonOf, nodeOf, noon, withoutLoad, worldOf } from '../test-world.ts';

interface Run {
  readonly world: World;
  readonly clock: FakeClock;
  readonly reply: Promise<Reply>;
}

function run(
  more: Partial<EndpointCall> = {},
  options: { maxConcurrentQueries?: number; maxDelayQueueSize?: number } = {},
): Run {
  const world = withoutLoad(worldOf(options));
  const clock = new FakeClock();
  const begin = clock.now().mono;
  const call = callOn(world, {
    path: { graph: 'fraud', name: 'ring_scan' },
    clock,
    advanceClock: () => world.advance(noon + clock.now().mono - begin),
    ...more,
  });
  return { world, clock, reply: runQuery(call) };
}

describe('runQuery', () => {
  it('responds at the end of the query', async () => {
    const { world, clock, reply } = run({ query: new URLSearchParams('runs_for=250&depth=4') });
    await clock.settle();
    expect(nodeOf(world).load.running.map(({ url }) => url)).toEqual(['/query/fraud/ring_scan?runs_for=250&depth=4']);
    await clock.advance(300);
    expect(await jsonOf(reply)).toMatchObject({ error: false, results: [{ simulated: true, query: 'ring_scan' }] });
  });

  it.each(['soon', '-5', 'Infinity', '', '0'])('runs for half a second with the invalid duration %j', async (text) => {
    const { clock, reply } = run({ query: new URLSearchParams({ runs_for: text }), headers: { 'gsql-timeout': text } });
    await clock.advance(600);
    expect((await reply).status).toBe(200);
  });

  it('responds with 408 after the timeout', async () => {
    const { clock, reply } = run({ query: new URLSearchParams('runs_for=9000'), headers: { 'gsql-timeout': '1000' } });
    await clock.advance(1_000);
    const { status, body } = await reply;
    expect(status).toBe(408);
    expect(JSON.parse(body)).toMatchObject({ code: 'REST-3002', message: expect.stringContaining('(1 seconds)') });
  });

  it('responds with an error if the query is aborted or its node stops', async () => {
    const aborted = run();
    nodeOf(aborted.world).load.abort(() => true, noon);
    await aborted.clock.advance(100);
    expect(await jsonOf(aborted.reply)).toMatchObject({ error: true, code: 'REST-12002' });
    const lost = run();
    nodeOf(lost.world).load.clear();
    await lost.clock.advance(100);
    expect(await jsonOf(lost.reply)).toMatchObject({ error: true, code: 'REST-12001' });
  });

  it('responds at once with an id if the query is detached', async () => {
    const { world, reply } = run({ headers: { 'gsql-async': 'true' } });
    const { request_id: id } = Object(await jsonOf(reply)) as { request_id: string };
    expect(nodeOf(world).load.find(id)).toMatchObject({ detached: true, state: 'running' });
  });

  it('responds with 422 if the queues are full', async () => {
    const { reply } = run({}, { maxConcurrentQueries: 0, maxDelayQueueSize: 0 });
    expect(await reply).toMatchObject({ status: 422, body: expect.stringContaining('REST-14000') });
  });

  it.each([
    [{ graph: 'nowhere', name: 'ring_scan' }, 'REST-1004'],
    [{ graph: 'fraud', name: 'not_installed' }, 'REST-1000'],
  ])('refuses %j with %s', async (path, code) => {
    expect(await jsonOf(run({ path }).reply)).toMatchObject({ error: true, code });
  });

  it('stops waiting when the client disconnects', async () => {
    const gone = new AbortController();
    const { clock, reply } = run({ disconnected: gone.signal });
    gone.abort();
    await clock.settle();
    await expect(reply).resolves.toMatchObject({ status: 500 });
    expect(clock.sleeping).toBe(0);
  });
});
