import { describe, expect, it } from 'vitest';
import { gather } from '../../../../src/app/api/landing/gather.ts';
import { services } from '../../../../src/collect/services.ts';
import type { GraphDb } from '../../../../src/graphdb/graph-db.ts';
import { guardSection } from '../../../../src/guard/guard-section.ts';
import { failure } from '../../../../src/kernel/failure.ts';
import { err, ok } from '../../../../src/kernel/result.ts';
import { createRouteDependencies } from '../../fake-route-dependencies.ts';
import { clusterOf, configOf, settingsOf, testbed } from '../../fakes.ts';

const state = { service: 'GPE', partition: '1', replica: '1', process: '', eventId: '', timestampNs: '1' };
const facts = [{ ...state, status: 'Online' }];

/** Two clusters, of which the fake `load` collector reads as `services` does. */
async function setUp() {
  const bed = testbed();
  const parts = {
    ...bed.parts,
    collectors: bed.parts.collectors.map((one) =>
      one.name === 'load'
        ? { ...services, poll: (db: GraphDb, signal: AbortSignal) => one.poll(db, signal), privilege: 'READ_DATA' }
        : one,
    ),
  };
  const every = { services: settingsOf(services, { interval: 10_000, staleAfter: 30_000 }) };
  const config = configOf([clusterOf('prod', ['m1', 'm2']), clusterOf('test', ['t1'])], { collectors: every });
  const site = await createRouteDependencies(config, { ...bed, parts });
  const tell = (result: unknown): void => bed.world.set('load', 'm1', result as never);
  const ofServices = async () => (await gather(site))[0]?.latest.get('services');
  return { ...bed, site, tell, ofServices };
}

describe('what is gathered', () => {
  it('is of each cluster, in the order of the configuration', async () => {
    const { site, clock } = await setUp();
    await clock.advance(2000);
    const gathered = await gather(site);
    expect(gathered.map(({ cluster }) => cluster.name)).toEqual(['prod', 'test']);
    expect(gathered.map(({ doings }) => [...new Set(doings.map(({ cluster }) => cluster))])).toEqual([
      ['prod'],
      ['test'],
    ]);
  });

  it('asks no node', async () => {
    const { site, clock, tell, world } = await setUp();
    tell(ok(facts));
    await clock.advance(11_000);
    const before = world.polled.length;
    await gather(site);
    expect(world.polled).toHaveLength(before);
  });

  it('contains the configured interval of a collector', async () => {
    const { site, clock } = await setUp();
    await clock.advance(2000);
    const doings = (await gather(site))[0]?.doings ?? [];
    const health = doings.filter(({ collector }) => collector === 'health');
    expect(health.map(({ node, everySeconds, privilege }) => [node, everySeconds, privilege])).toEqual([
      ['m1', 5, ''],
      ['m2', 5, ''],
    ]);
    expect(doings.find(({ collector }) => collector === 'services')?.privilege).toBe('READ_DATA');
  });

  it('has how the guard stands where a policy concerns the cluster', async () => {
    const { site, clock } = await setUp();
    await clock.advance(2000);
    expect((await gather(site)).map(({ guard }) => guard)).toEqual([undefined, undefined]);
    const policy = { name: 'runaway', clusters: ['prod'], when: { age: '> 10m' } };
    site.guard.applyConfig({ ...site.config(), guard: guardSection.parse({ policies: [policy] }) });
    const [prod, test] = await gather(site);
    expect(prod?.guard?.policies).toEqual([{ name: 'runaway', mode: 'observe' }]);
    expect(test?.guard).toBeUndefined();
  });

  it('has the samples of the collectors that are spoken of, and of no other', async () => {
    const { site, clock, tell, ofServices } = await setUp();
    expect(await ofServices()).toEqual({ collector: 'services', reported: [], silent: [], waiting: true });
    tell(ok(facts));
    await clock.advance(11_000);
    const latest = await ofServices();
    expect(latest).toMatchObject({ reported: [{ node: '' }], silent: [], waiting: false });
    expect(latest?.reported[0]?.samples.some(({ metric }) => metric.name === 'graphdb_service_status')).toBe(true);
    expect([...((await gather(site))[0]?.latest.keys() ?? [])]).toEqual(['services']);
  });

  it('contains the partial value of a failed poll, and no samples without one', async () => {
    const { clock, tell, ofServices, world } = await setUp();
    tell({ ...err(failure('timeout', 'half')), partial: facts });
    world.set('load', 'm2', err(failure('timeout', 'no')));
    await clock.advance(11_000);
    expect((await ofServices())?.reported).toHaveLength(1);
    tell(err(failure('timeout', 'no')));
    await clock.advance(10_000);
    expect(await ofServices()).toMatchObject({ reported: [], silent: [''] });
  });

  it('contains no samples of a poll result that is overdue', async () => {
    const { site, clock, tell, ofServices } = await setUp();
    tell(ok(facts));
    await clock.advance(11_000);
    for (const node of ['m1', 'm2']) site.world.set('load', node, 'ignores its abort');
    await clock.advance(9_500);
    expect((await ofServices())?.reported).toHaveLength(1);
    await site.pipeline.expire({ wall: 0, mono: 100_000 });
    expect(await ofServices()).toMatchObject({ reported: [], silent: [''] });
  });
});
