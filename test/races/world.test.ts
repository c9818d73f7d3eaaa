import { describe, expect, it } from 'vitest';
import { drawOf } from '../../races/plan/draw.ts';
import { epoch, kinds } from '../../races/plan/plan.ts';
import { planOf } from '../../races/plan/scene.ts';
import { Agenda } from '../../races/world/agenda.ts';
import { hostileIds, hostileUrls } from '../../races/world/distort.ts';
import { Machine } from '../../races/world/machine.ts';
import { race } from '../../races/world/race.ts';
import { readRequestId } from '../../src/graphdb/request-id.ts';
import { node, queryOf } from './logs.ts';

function drawn(seed: number, stream?: number): readonly number[] {
  const draw = drawOf(seed, stream);
  return Array.from({ length: 9 }, () => draw.between(0, 1_000_000));
}

/** One that has a query which waits for 2 s and runs for 10. */
function machine(changes: Partial<typeof node> = {}): Machine {
  const one = new Machine({ ...node, ...changes });
  one.accept(queryOf({ waits: 2000, lasts: 10_000 }), { number: 4, now: 1000 });
  return one;
}

describe('chance', () => {
  it('is the same for the same seed, and another for another seed or stream', () => {
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
    expect(drawn(7)).not.toEqual(drawn(7, 1));
    expect(() => drawOf(1).of([])).toThrow('nothing to choose from');
  });
});

describe('the agenda', () => {
  it('goes by time, and by the order of putting down where that is the same', () => {
    const agenda = new Agenda();
    const done: string[] = [];
    const draw = drawOf(3);
    const times = Array.from({ length: 300 }, () => draw.between(0, 50));
    for (const [index, at] of times.entries()) agenda.in(at, () => done.push(`${at} ${index}`));
    agenda.in(10.2, () => agenda.in(0, () => done.push(`now ${agenda.now}`)));
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

  it('lists a query from its beginning to its end, with its arrival in its id', () => {
    const one = machine({ ahead: hour, zone: -hour });
    expect([2999, 3000, 12_999, 13_000].map((now) => one.list(now).length)).toEqual([0, 1, 1, 0]);
    expect(machine({ ahead: hour, zone: -hour }).list(5000)).toMatchObject([
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

  it('measures by its own clock, and may say too much', () => {
    expect(machine({ drift: 0.01 }).list(8000)[0]?.entry).toMatchObject({ elapsedTime: 5050 });
    expect(machine({ isRounding: true }).list(7999)[0]?.entry).toMatchObject({ elapsedTime: 4000 });
    const liar = new Machine(node);
    liar.accept(queryOf({ lie: 600_000 }), { number: 0, now: 0 });
    expect(liar.list(1000)[0]?.entry).toMatchObject({ elapsedTime: 601_000 });
  });

  it('may measure by a clock that is set meanwhile', () => {
    const one = machine({ isByWall: true });
    one.setClock(60_000, 3500);
    expect(one.list(8000)[0]?.entry).toMatchObject({ elapsedTime: 65_000 });
    const steady = machine();
    steady.setClock(60_000, 3500);
    expect(steady.list(8000)[0]?.entry).toMatchObject({ elapsedTime: 5000 });
  });

  it('aborts what runs under an id, but no zombie and nothing that waits', () => {
    const one = machine();
    const { id = '' } = one.queries[0] ?? {};
    expect(one.abort(id, 2000)).toBeUndefined();
    expect(one.abort('other', 4000)).toBeUndefined();
    expect(one.abort(id, 4000)).toEqual({ number: 4, isZombie: false });
    expect(one.abort(id, 4001)).toBeUndefined();
    one.accept(queryOf({ isZombie: true }), { number: 5, now: 5000, id: 'z' });
    expect([one.abort('z', 6000), one.abort('z', 7000)]).toEqual([
      { number: 5, isZombie: true },
      { number: 5, isZombie: true },
    ]);
  });

  it('begins its ids anew when it restarts, and may be another instance then', () => {
    const one = machine();
    one.restart(5000, { tag: 'RESTPP_2_1', ahead: -2000 });
    expect(one.queries[0]).toMatchObject({ endedAt: 5000, isAborted: false });
    one.accept(queryOf(), { number: 5, now: 6000 });
    expect(one.queries[1]?.id).toBe(`1.RESTPP_2_1.${epoch + 4000}.N`);
  });
});

describe('hostile lists', () => {
  const place = { tag: 'RESTPP_1_1', now: 0, ahead: 0 };

  it('have no id that is one, and no url that is a call of an installed query', () => {
    expect(hostileIds(place).filter((one) => readRequestId(one) !== undefined)).toEqual([]);
    expect(hostileUrls.filter((url) => /^\/query\/(fraud|sandbox|vault|hidden)\/\w+$/.test(url))).toEqual([]);
  });
});

describe('a plan', () => {
  it('is the same for the same seed, and plays the same', () => {
    expect(planOf(40)).toEqual(planOf(40));
    expect(race(planOf(40))).toEqual(race(planOf(40)));
  });

  it('is of each kind in turn', () => {
    expect(kinds.map((_, seed) => planOf(seed).kind)).toEqual(kinds);
  });
});
