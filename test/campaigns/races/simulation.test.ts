import { describe, expect, it } from 'vitest';
import { createPlan } from '../../../campaigns/races/plan/create-plan.ts';
import { epoch, scenarioKinds } from '../../../campaigns/races/plan/plan.ts';
import { randomSource } from '../../../campaigns/races/plan/random-source.ts';
import { EventQueue } from '../../../campaigns/races/simulation/event-queue.ts';
import { hostileIds, hostileUrls } from '../../../campaigns/races/simulation/faulty-responses.ts';
import { SimulatedNode } from '../../../campaigns/races/simulation/node.ts';
import { simulate } from '../../../campaigns/races/simulation/simulation.ts';
import { parseRequestId } from '../../../src/graphdb/query-identity.ts';
import { node, queryOf } from './logs.ts';

function drawn(seed: number, stream?: number): readonly number[] {
  const draw = randomSource(seed, stream);
  return Array.from({ length: 9 }, () => draw.between(0, 1_000_000));
}

/** Returns a machine with a query that waits for 2 s and runs for 10 s. */
function machine(changes: Partial<typeof node> = {}): SimulatedNode {
  const one = new SimulatedNode({ ...node, ...changes });
  one.startQuery(queryOf({ queuedFor: 2000, runsFor: 10_000 }), { number: 4, now: 1000 });
  return one;
}

describe('the random source', () => {
  it('is equal for the same seed and differs for another seed or stream', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
    expect(drawn(7)).not.toEqual(drawn(7, 1));
    expect(() => randomSource(1).pick([])).toThrow('nothing to choose from');
  });
});

describe('the event queue', () => {
  it('runs events by time, and events of the same time in the order of scheduling', () => {
    const agenda = new EventQueue();
    const done: string[] = [];
    const draw = randomSource(3);
    const times = Array.from({ length: 300 }, () => draw.between(0, 50));
    for (const [index, at] of times.entries()) agenda.schedule(at, () => done.push(`${at} ${index}`));
    agenda.schedule(10.2, () => agenda.schedule(0, () => done.push(`now ${agenda.now}`)));
    agenda.runUntil(40);
    const expected = times.map((at, index) => ({ at, index })).toSorted((one, other) => one.at - other.at);
    const due = expected.filter(({ at }) => at <= 40).map(({ at, index }) => `${at} ${index}`);
    expect(done.filter((one) => !one.startsWith('now'))).toEqual(due);
    expect(done).toContain('now 11');
    expect(agenda.now).toBe(40);
  });
});

describe('a machine', () => {
  const hour = 3_600_000;

  it('lists a query from its start to its end, with its arrival time in its id', () => {
    const one = machine({ clockOffset: hour, zone: -hour });
    expect([2999, 3000, 12_999, 13_000].map((now) => one.list(now).length)).toEqual([0, 1, 1, 0]);
    expect(machine({ clockOffset: hour, zone: -hour }).list(5000)).toMatchObject([
      {
        number: 4,
        entry: {
          requestid: `1.RESTPP_1_1.${epoch + hour + 1000}.N`,
          elapsedTime: 2000,
          startTime: '2026-09-21 14:13:23.000',
        },
      },
    ]);
  });

  it('computes ages by its own clock, and may overstate them', () => {
    expect(machine({ drift: 0.01 }).list(8000)[0]?.entry).toMatchObject({ elapsedTime: 5050 });
    expect(machine({ roundsAges: true }).list(7999)[0]?.entry).toMatchObject({ elapsedTime: 4000 });
    const overstating = new SimulatedNode(node);
    overstating.startQuery(queryOf({ overstatedAge: 600_000 }), { number: 0, now: 0 });
    expect(overstating.list(1000)[0]?.entry).toMatchObject({ elapsedTime: 601_000 });
  });

  it('may compute ages by a clock that is set in the meantime', () => {
    const one = machine({ computesAgesByWallClock: true });
    one.setClock(60_000, 3500);
    expect(one.list(8000)[0]?.entry).toMatchObject({ elapsedTime: 65_000 });
    const steady = machine();
    steady.setClock(60_000, 3500);
    expect(steady.list(8000)[0]?.entry).toMatchObject({ elapsedTime: 5000 });
  });

  it('aborts the running query of an id, but no query that ignores aborts or waits', () => {
    const one = machine();
    const { id = '' } = one.queries[0] ?? {};
    expect(one.abort(id, 2000)).toBeUndefined();
    expect(one.abort('other', 4000)).toBeUndefined();
    expect(one.abort(id, 4000)).toEqual({ number: 4, ignoresAborts: false });
    expect(one.abort(id, 4001)).toBeUndefined();
    one.startQuery(queryOf({ ignoresAborts: true }), { number: 5, now: 5000, id: 'z' });
    expect([one.abort('z', 6000), one.abort('z', 7000)]).toEqual([
      { number: 5, ignoresAborts: true },
      { number: 5, ignoresAborts: true },
    ]);
  });

  it('restarts its ids on a restart, and may be another instance then', () => {
    const one = machine();
    one.restart(5000, { tag: 'RESTPP_2_1', clockOffset: -2000 });
    expect(one.queries[0]).toMatchObject({ endedAt: 5000, isAborted: false });
    one.startQuery(queryOf(), { number: 5, now: 6000 });
    expect(one.queries[1]?.id).toBe(`1.RESTPP_2_1.${epoch + 4000}.N`);
  });
});

describe('hostile lists', () => {
  const place = { tag: 'RESTPP_1_1', now: 0, clockOffset: 0 };

  it('have no valid id with a url of an installed query', () => {
    expect(hostileIds(place).filter((one) => parseRequestId(one) !== undefined)).toEqual([]);
    expect(hostileUrls.filter((url) => /^\/query\/(fraud|sandbox|vault|hidden)\/\w+$/.test(url))).toEqual([]);
  });
});

describe('a plan', () => {
  it('is equal for the same seed and gives the same log', () => {
    expect(createPlan(40)).toEqual(createPlan(40));
    expect(simulate(createPlan(40))).toEqual(simulate(createPlan(40)));
  });

  it('has each kind in turn', () => {
    expect(scenarioKinds.map((_, seed) => createPlan(seed).kind)).toEqual(scenarioKinds);
  });
});
