import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/simulator/seeded-random.ts';
import { bound, policyOf } from '../match-inputs.ts';
import { GuardSimulation, instanceOf, type Running, settingsOf } from './guard-simulation.ts';

const nodes = ['n1', 'n2'];
const instances = Object.fromEntries(nodes.map((node) => [node, instanceOf(node)]));
const unlimited = { max: 1000, within: 1000 };
const changes = {
  budgets: { perNode: unlimited, perCluster: unlimited },
  breakers: { sameQuery: { aborts: 1000, within: 1000 }, noRelief: { aborts: 2 } },
};

/** An enforcing policy that keeps the oldest of the queries with one name in the cluster. */
const dedupe = policyOf(
  { age: bound('> 10000') },
  {
    group: { by: ['graph', 'query'], count: bound('>= 2') },
    victims: { pick: 'newest', keep: 'oldest', max: 5 },
    grace: 5000,
    cooldown: 0,
  },
);

function simulate(policy = dedupe, mode: 'enforce' | 'observe' = 'enforce') {
  return new GuardSimulation(settingsOf([policy], { ...changes, mode }), {}, { nodes, instances }).begin();
}

function outlived() {
  return { answer: { kind: 'accepted', aborted: [] } as const, ends: false };
}

function runningOf({ queries }: GuardSimulation, at: number): readonly Running[] {
  return queries.filter(({ from, until }) => from <= at && at < until);
}

describe('keep: oldest', () => {
  it('aborts all queries but the oldest', () => {
    const simulation = simulate();
    const ages = [30_000, 60_000, 20_000, 45_000];
    const [, oldest] = ages.map((age) => simulation.start({ age }));
    simulation.run(60_000);
    expect(simulation.aborts).toHaveLength(3);
    expect(runningOf(simulation, 60_000)).toEqual([oldest]);
  });

  it('keeps one of two queries of the same age', () => {
    const simulation = simulate();
    simulation.start({ age: 20_000 });
    simulation.start({ age: 20_000, node: 'n2' });
    simulation.run(120_000);
    expect(simulation.aborts).toHaveLength(1);
  });

  it('spares a query that becomes the oldest in its grace period', () => {
    const simulation = simulate({ ...dedupe, group: { by: ['graph', 'query'], count: bound('>= 1') } });
    simulation.start({ age: 60_000, lasts: 9000 });
    simulation.start({ age: 30_000 });
    simulation.run(60_000);
    expect(simulation.of('began')).toHaveLength(1);
    expect(simulation.of('cancelled')).toMatchObject([{ skipReason: 'kept_oldest' }]);
    expect(simulation.aborts).toEqual([]);
  });

  it('does not count a query that outlived its abort as the remaining one', () => {
    const policy = { ...dedupe, victims: { ...dedupe.victims, pick: 'oldest', max: 1 } as const };
    const simulation = new GuardSimulation(
      settingsOf([policy], changes),
      { abort: outlived },
      { nodes, instances },
    ).begin();
    for (const age of [60_000, 50_000, 40_000]) simulation.start({ age });
    simulation.run(300_000);
    const oldest = simulation.queries[0]?.id;
    expect(simulation.aborts.map(({ order }) => order.id)).not.toContain(oldest);
    expect(simulation.aborts).toHaveLength(2);
  });

  it('does not count a query on a node that is not covered', () => {
    const simulation = new GuardSimulation(
      settingsOf([dedupe], changes),
      {},
      { nodes, instances: { n1: instanceOf('n1') } },
    );
    simulation.begin();
    simulation.send({ kind: 'shared', nodes: ['n2'] });
    simulation.start({ age: 60_000, node: 'n2' });
    simulation.start({ age: 30_000 });
    simulation.start({ age: 20_000 });
    simulation.run(60_000);
    expect(simulation.aborts).toHaveLength(1);
    expect(simulation.aborts[0]?.order.node).toBe('n1');
  });

  it('does not count a query on another node whose list failed, because that node may have restarted', () => {
    let isDown = false;
    const body = (results: readonly unknown[], node: string) => (isDown && node === 'n1' ? undefined : { results });
    const policy = { ...dedupe, group: { by: ['graph', 'query'], count: bound('>= 1') } } as const;
    const simulation = new GuardSimulation(settingsOf([policy], changes), { body }, { nodes, instances }).begin();
    simulation.start({ age: 6000, lasts: 7000 });
    const left = simulation.start({ node: 'n2' });
    simulation.run(7000);
    isDown = true;
    simulation.run(60_000);
    expect(simulation.aborts).toEqual([]);
    expect(runningOf(simulation, 67_000)).toEqual([left]);
  });

  it('counts the time since the first list of a query if its server sets the clock back by which it computes ages', () => {
    let back = 0;
    const body = (entries: readonly unknown[]) => ({
      results: entries.map((one) => {
        const { requestid, elapsedTime, ...rest } = { requestid: '', elapsedTime: 0, ...Object(one) };
        const isOnOther = requestid.includes(instanceOf('n2'));
        return { ...rest, requestid, elapsedTime: isOnOther ? elapsedTime - back : elapsedTime };
      }),
    });
    const simulation = new GuardSimulation(settingsOf([dedupe], changes), { body }, { nodes, instances }).begin();
    const oldest = simulation.start({ node: 'n2' });
    simulation.run(8000);
    simulation.start();
    back = 7000;
    simulation.run(60_000);
    expect(simulation.aborts).toHaveLength(1);
    expect(runningOf(simulation, 60_000)).toEqual([oldest]);
  });

  it('applies to reports of a policy in observe mode', () => {
    const simulation = simulate(dedupe, 'observe');
    for (const age of [60_000, 50_000, 40_000]) simulation.start({ age });
    simulation.run(120_000);
    expect(simulation.of('would_abort')).toHaveLength(2);
  });

  it('leaves one query of each group at any time, for 60 random clusters', () => {
    let aborted = 0;
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = seededRandom(seed);
      const upTo = (most: number) => Math.floor(random.next() * (most + 1));
      const simulation = new GuardSimulation(
        settingsOf([{ ...dedupe, victims: { ...dedupe.victims, pick: upTo(1) === 0 ? 'oldest' : 'newest' } }], changes),
        { latency: () => 20 + upTo(800) },
        { nodes, instances },
      ).begin();
      for (let count = 2 + upTo(4); count > 0; count -= 1) {
        const lasts = upTo(3) === 0 ? upTo(60_000) : Number.POSITIVE_INFINITY;
        simulation.start({ age: 12_000 + upTo(3) * 500, node: `n${1 + upTo(1)}`, lasts });
      }
      const length = simulation.queries.length;
      simulation.run(200_000);
      for (const { order, time } of simulation.aborts) {
        const left = runningOf(simulation, time - 1).filter(({ id }) => id !== order.id);
        const tried = simulation.aborts.filter((one) => one.time <= time).map((one) => one.order.id);
        // A query that ended by itself after its last list was the one that was kept.
        const ended = simulation.queries.filter(({ id, until }) => until <= time && !tried.includes(id));
        expect(left.length + ended.length, `seed ${seed}`).toBeGreaterThan(0);
      }
      expect(simulation.aborts.length, `seed ${seed}`).toBeLessThan(length);
      aborted += simulation.aborts.length;
    }
    expect(aborted).toBeGreaterThan(60);
  });
});
