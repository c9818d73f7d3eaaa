import { describe, expect, it } from 'vitest';
import type { AppPorts } from '../../../src/app/ports/app-ports.ts';
import { failure } from '../../../src/kernel/failure.ts';
import { err, ok } from '../../../src/kernel/result.ts';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { RecordedSpans } from '../../support/recorded-spans.ts';
import { clientOptions, createRouteDependencies } from '../fake-route-dependencies.ts';
import { clusterOf, configOf, testbed } from '../fakes.ts';

async function setUp(nodes: readonly string[] = ['m1', 'm2', 'm3'], ports: Partial<AppPorts> = {}) {
  const bed = testbed(ports);
  const dependencies = await createRouteDependencies(configOf([clusterOf('prod', nodes)]), bed);
  const poller = dependencies.pollers()[0] ?? expect.fail();
  const planned = (name: string) =>
    poller.planned.find(({ collector }) => collector.name === name) ?? expect.fail(name);
  const end = async (): Promise<void> => {
    const stopping = poller.stop();
    await bed.clock.advance(5000);
    await stopping;
    await dependencies.scheduler.idle();
    expect(bed.clock.sleeping).toBe(0);
  };
  return { ...bed, dependencies, poller, planned, end };
}

const refused = err(failure('unreachable', 'refused'));

describe('a poll of a cluster-scoped fact', () => {
  it('polls one node if it answers', async () => {
    const { poller, planned, fakeClusters, end } = await setUp();
    expect(await poller.poll(planned('load'), '')).toMatchObject({ result: ok(1), source: 'm1' });
    expect(fakeClusters.polled).toEqual(['load@m1']);
    await end();
  });

  it('fails if every node failed, with the first reason', async () => {
    const { poller, planned, fakeClusters, end } = await setUp();
    fakeClusters.set('load', 'm1', err(failure('auth', 'refused')));
    fakeClusters.set('load', 'm2', refused);
    fakeClusters.set('load', 'm3', refused);
    expect((await poller.poll(planned('load'), ''))?.result).toMatchObject({ error: { reason: 'auth' } });
    expect(fakeClusters.polled).toEqual(['load@m1', 'load@m2', 'load@m3']);
    await end();
  });

  it('reports nodes that failed, whether or not another node answered', async () => {
    const { poller, planned, fakeClusters, end } = await setUp();
    fakeClusters.set('load', 'm1', err(failure('auth', 'no')));
    fakeClusters.set('load', 'm2', refused);
    const tries = [
      { node: 'm1', error: { reason: 'auth' } },
      { node: 'm2', error: { reason: 'unreachable' } },
    ];
    expect(await poller.poll(planned('load'), '')).toMatchObject({ source: 'm3', failedAttempts: tries });
    fakeClusters.set('load', 'm3', refused);
    expect((await poller.poll(planned('load'), ''))?.failedAttempts?.map(({ node }) => node)).toEqual([
      'm1',
      'm2',
      'm3',
    ]);
    fakeClusters.set('load', 'm1', ok(1));
    expect((await poller.poll(planned('load'), ''))?.failedAttempts).toEqual([]);
    await end();
  });

  it('counts the time of all tries', async () => {
    const { clock, poller, planned, fakeClusters, end } = await setUp();
    fakeClusters.set('load', 'm1', 'hangs');
    const reading = poller.poll(planned('load'), '');
    await clock.advance(2000);
    const { result, source, started, ended } = (await reading) ?? expect.fail();
    expect([result.ok, source, ended.mono - started.mono]).toEqual([true, 'm2', 2000]);
    await end();
  });

  it('polls unreachable nodes last', async () => {
    const { clock, poller, planned, fakeClusters, end } = await setUp();
    fakeClusters.set('health', 'm1', refused);
    fakeClusters.set('health', 'm2', { ...err(failure('auth', 'half')), partial: 1 });
    await clock.advance(1000);
    expect([...poller.nodesDown()]).toEqual(['m1']);
    fakeClusters.set('load', 'm2', refused);
    fakeClusters.polled.length = 0;
    await poller.poll(planned('load'), '');
    expect(fakeClusters.polled).toEqual(['load@m2', 'load@m3']);
    await end();
  });

  it('is not stuck within the time of all tries', async () => {
    const nodes = Array.from({ length: 20 }, (_, at) => `m${at}`);
    const { clock, dependencies, poller, fakeClusters, end } = await setUp(nodes);
    for (const node of nodes) fakeClusters.set('load', node, 'hangs');
    await clock.advance(38_000);
    expect(fakeClusters.count('load@m15')).toBe(1);
    expect(dependencies.scheduler.isStuck()).toBe(false);
    expect(poller.nodes()).toHaveLength(20);
    await end();
  });

  it('fails without a known node', async () => {
    const { poller, planned, end } = await setUp([]);
    const reading = await poller.poll(planned('load'), '');
    expect(reading).toMatchObject({ source: '', result: { error: { reason: 'unreachable' } } });
    await end();
  });

  it('has no result while every permit is held by a poll that ignores its abort', async () => {
    const { clock, poller, planned, fakeClusters, end } = await setUp(['m1']);
    fakeClusters.set('load', 'm1', 'ignores its abort');
    const first = poller.poll(planned('load'), '');
    await clock.advance(2200);
    expect((await first)?.result.ok).toBe(false);
    expect(await poller.poll(planned('load'), '')).toBeUndefined();
    await end();
  });
});

describe('a task that changes the server', () => {
  it('is sent to one node, also if that fails', async () => {
    const { poller, planned, fakeClusters, end } = await setUp();
    const { collector, settings } = planned('load');
    fakeClusters.set('load', 'm1', refused);
    const task = { collector: { ...collector, taskRuns: () => [] }, settings };
    expect((await poller.poll(task, ''))?.result.ok).toBe(false);
    expect(fakeClusters.polled).toEqual(['load@m1']);
    await end();
  });
});

describe('a heavy check', () => {
  async function withCheck() {
    const bed = await setUp();
    const check = { ...configOf([]).collectors.check, enabled: true };
    const collector = bed.parts.collectors.find(({ name }) => name === 'check') ?? expect.fail();
    return { ...bed, check: { collector, settings: { ...bed.planned('load').settings, ...check, timeout: 60_000 } } };
  }

  it('is never polled for a probe while a poll is in flight', async () => {
    const { clock, poller, check, fakeClusters, end } = await withCheck();
    fakeClusters.set('check', 'm1', 'takes 2 s');
    const first = poller.probe(check, 'm1');
    expect(await poller.probe(check, 'm2')).toBeUndefined();
    expect(await poller.probe(check, 'm1')).toBeUndefined();
    await clock.advance(2000);
    expect((await first)?.result).toEqual(ok(1));
    expect((await poller.probe(check, 'm2'))?.result).toEqual(ok(1));
    expect(fakeClusters.polled.filter((polled) => polled.startsWith('check'))).toEqual(['check@m1', 'check@m2']);
    await end();
  });

  it('is not polled from another node after a timeout', async () => {
    const { clock, poller, check, fakeClusters, end } = await withCheck();
    fakeClusters.set('check', 'm1', 'hangs');
    const reading = poller.poll(check, '');
    await clock.advance(60_000);
    expect((await reading)?.result).toMatchObject({ error: { reason: 'timeout' } });
    expect(fakeClusters.polled.filter((polled) => polled.startsWith('check'))).toEqual(['check@m1']);
    fakeClusters.set('check', 'm1', refused);
    expect((await poller.poll(check, ''))?.source).toBe('m2');
    await end();
  });
});

describe('a poll of a node', () => {
  it('has no result for an unknown node', async () => {
    const { poller, planned, end } = await setUp();
    expect(await poller.poll(planned('health'), 'm9')).toBeUndefined();
    await end();
  });
});

describe('a reload that leaves the timing alone', () => {
  it('applies other settings at the next poll', async () => {
    const { clock, dependencies, poller, fakeClusters, end } = await setUp(['m1']);
    await clock.advance(2000);
    fakeClusters.set('lists', 'm1', 'hangs');
    const slower = poller.planned.map((one) => ({ ...one, settings: { ...one.settings, timeout: 1000 } }));
    await poller.reconfigure({
      settings: poller.settings,
      planned: slower,
      link: clientOptions(dependencies.config()),
    });
    await clock.advance(500 + 1000);
    const entry = dependencies.board.latest({ cluster: 'prod', collector: 'lists', node: 'm1' });
    expect(entry?.pollResult.result).toMatchObject({ ok: false, error: { reason: 'timeout' } });
    expect(entry?.pollResult.ended.mono).toBe(3500);
    await end();
  });
});

describe('a list that is slow', () => {
  it('leaves the page after stale_after although it is polled less often, and health stays', async () => {
    const { clock, dependencies, fakeClusters, poller, end } = await setUp(['m1']);
    const lists = poller.planned.find(({ collector }) => collector.name === 'lists') ?? expect.fail();
    expect(lists.settings.staleAfter).toBe(15_000);
    fakeClusters.set('lists', 'm1', 'takes 2 s');
    const target = { cluster: 'prod', collector: 'lists', node: 'm1' };
    const ages: number[] = [];
    for (let second = 0; second < 180; second += 1) {
      await clock.advance(1000);
      await dependencies.pipeline.expire(clock.now());
      if (dependencies.board.isFresh(target))
        ages.push(clock.now().mono - (dependencies.board.latest(target)?.pollResult.ended.mono ?? 0));
      expect(dependencies.board.isFresh({ ...target, collector: 'health' })).toBe(true);
    }
    expect(dependencies.pipeline.statusOf(target)?.interval).toBe(30_000);
    expect(ages.length).toBeLessThan(150);
    expect(Math.max(...ages)).toBeLessThan(15_000);
    await end();
  });
});

describe('polls that stay partial', () => {
  it('keep their interval, so that the part is always on the page', async () => {
    const { clock, dependencies, fakeClusters, end } = await setUp(['m1']);
    fakeClusters.set('lists', 'm1', { ...err(failure('auth', 'one graph')), partial: 1 });
    const target = { cluster: 'prod', collector: 'lists', node: 'm1' };
    await clock.advance(10_000);
    for (let second = 0; second < 180; second += 1) {
      await clock.advance(1000);
      await dependencies.pipeline.expire(clock.now());
      expect(dependencies.board.latest(target)?.hasFacts).toBe(true);
    }
    expect(dependencies.pipeline.statusOf(target)?.interval).toBe(5000);
    await end();
  });
});

describe('the traces of cycles', () => {
  it('cover each request of the poll, and no other', async () => {
    const recordedSpans = new RecordedSpans();
    const { clock, fakeClusters, poller, planned, end } = await setUp(['m1', 'm2'], {
      spans: recordedSpans,
      random: seededRandom(1),
    });
    fakeClusters.set('load', 'm1', refused);
    await clock.advance(10_000);
    expect(fakeClusters.traced).toHaveLength(fakeClusters.polled.length);
    const before = fakeClusters.traced.length;
    await poller.poll(planned('health'), 'm1');
    expect(fakeClusters.traced).toHaveLength(before);
    expect(recordedSpans.roots('collect health').map(({ attributes }) => attributes['graphwarden.node'])).toContain(
      'm2',
    );
    const [load = expect.fail()] = recordedSpans.roots('collect load');
    expect(
      recordedSpans.childrenOf(load).map(({ error, attributes }) => [attributes['graphwarden.node'], error]),
    ).toEqual([
      ['m1', 'unreachable'],
      ['m2', undefined],
    ]);
    expect(load.attributes).toMatchObject({ 'graphwarden.outcome': 'good', 'graphwarden.series': 2 });
    const traces = new Set(fakeClusters.traced.map((one) => one.split(' ')[1]));
    const roots = recordedSpans.spans.filter(({ parentId }) => parentId === undefined);
    expect(roots.filter(({ traceId }) => !traces.has(traceId))).toEqual([]);
    await end();
  });

  it('do not exist if tracing is off', async () => {
    const { clock, fakeClusters, end } = await setUp();
    await clock.advance(10_000);
    expect(fakeClusters.polled.length).toBeGreaterThan(5);
    expect(fakeClusters.traced).toEqual([]);
    await end();
  });
});
