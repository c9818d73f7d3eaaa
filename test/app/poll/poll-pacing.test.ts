import { describe, expect, it } from 'vitest';
import { Backoff, IntervalGrid, ListBudget, longerWait } from '../../../src/app/poll/poll-pacing.ts';

const once = { intervals: 1, minimum: 0, reason: 'late' } as const;

/** Fails `times` times, once every `every` ms, and returns the intervals to wait after each failure. */
function failing(every: number, times: number): readonly number[] {
  const backOff = new Backoff();
  let mono = 0;
  return Array.from({ length: times }, () => {
    const cycles = backOff.intervalsAfter(false, every, mono);
    mono += cycles * every;
    return cycles;
  });
}

describe('backing off', () => {
  it('does not begin within a minute, so that a short trouble is over when it is over', () => {
    expect(failing(5000, 12)).toEqual(Array.from({ length: 12 }, () => 1));
  });

  it('then doubles, up to eight intervals', () => {
    expect(failing(5000, 17).slice(12)).toEqual([2, 4, 8, 8, 8]);
  });

  it.each([
    ['a minute', 60_000, 5],
    ['two minutes', 120_000, 2],
    ['an hour', 3_600_000, 1],
  ])('never makes an interval of %s longer than five minutes, nor shorter than it is', (_, every, most) => {
    expect(Math.max(...failing(every, 10))).toBe(most);
  });

  it('is over with the first success', () => {
    const backOff = new Backoff();
    for (let mono = 0; mono < 200_000; mono += 5000) backOff.intervalsAfter(false, 5000, mono);
    expect(backOff.intervalsAfter(true, 5000, 200_000)).toBe(1);
    expect(backOff.intervalsAfter(false, 5000, 205_000)).toBe(1);
  });

  it('starts from the beginning after a reset', () => {
    const backOff = new Backoff();
    for (let mono = 0; mono < 200_000; mono += 5000) backOff.intervalsAfter(false, 5000, mono);
    backOff.reset();
    expect(backOff.intervalsAfter(false, 5000, 200_000)).toBe(1);
  });
});

describe('the budget of the process lists', () => {
  it.each([
    [10, 1],
    [250, 1],
    [251, 2],
    [1000, 4],
    [3000, 6],
  ])('of %i ms every 5 s is kept with a wait of %i intervals', (cost, cycles) => {
    expect(new ListBudget().charge('lists', { isSuccess: true, cost }, 5000)).toBe(cycles);
  });

  it('holds for all lists of the node together', () => {
    const budget = new ListBudget();
    budget.charge('queries', { isSuccess: true, cost: 500 }, 5000);
    const cycles = budget.charge('delayed', { isSuccess: true, cost: 500 }, 5000);
    expect((500 + 500) / (cycles * 5000)).toBeLessThanOrEqual(cycles < 6 ? 0.05 : 1);
  });

  it('stays below a twentieth of the time, unless lists would be more than 30 s apart', () => {
    for (let cost = 1; cost < 20_000; cost += 97) {
      const cycles = new ListBudget().charge('lists', { isSuccess: true, cost }, 5000);
      expect(cost / (cycles * 5000)).toBeLessThanOrEqual(cycles < 6 ? 0.05 : 1);
    }
  });

  it('is given back step by step when listing is cheap again', () => {
    const budget = new ListBudget();
    budget.charge('lists', { isSuccess: true, cost: 2000 }, 5000);
    const cycles = Array.from({ length: 5 }, () => budget.charge('lists', { isSuccess: true, cost: 10 }, 5000));
    expect(cycles).toEqual([4, 2, 1, 1, 1]);
  });

  it('returns the wait of a task without the other tasks', () => {
    const budget = new ListBudget();
    budget.charge('delayed', { isSuccess: false, cost: 750 }, 5000);
    expect(budget.charge('queries', { isSuccess: true, cost: 500 }, 5000)).toBe(5);
    expect([budget.intervalsAlone('queries', 5000), budget.intervalsAlone('unknown', 5000)]).toEqual([2, 1]);
  });

  it('forgives what failed reads cost, and nothing else', () => {
    const budget = new ListBudget();
    budget.charge('queries', { isSuccess: true, cost: 1000 }, 5000);
    budget.charge('delayed', { isSuccess: false, cost: 3000 }, 5000);
    budget.forgetFailures();
    expect(budget.charge('other', { isSuccess: true, cost: 1 }, 5000)).toBe(5);
  });

  it('is free of tasks that are gone', () => {
    const budget = new ListBudget();
    budget.charge('queries', { isSuccess: true, cost: 3000 }, 5000);
    budget.remove('queries');
    expect(budget.charge('delayed', { isSuccess: true, cost: 10 }, 5000)).toBe(1);
  });
});

describe('the longest of several reasons', () => {
  const good = { isSuccess: true, cost: 1 };
  const bad = { isSuccess: false, cost: 1 };
  it.each([
    ['none', [good, 1, 1], { intervals: 1, minimum: 0, reason: 'late' }],
    ['failures', [bad, 4, 1], { intervals: 4, minimum: 0, reason: 'backoff' }],
    ['dear lists', [good, 1, 3], { intervals: 3, minimum: 0, reason: 'slow_down' }],
    ['both', [bad, 4, 3], { intervals: 4, minimum: 0, reason: 'backoff' }],
    [
      'a request of the server',
      [{ ...bad, retryAfter: 7000 }, 1, 1],
      { intervals: 1, minimum: 7000, reason: 'retry_after' },
    ],
    [
      'an absurd request',
      [{ ...bad, retryAfter: 1e9 }, 2, 1],
      { intervals: 2, minimum: 300_000, reason: 'retry_after' },
    ],
  ] as const)('is returned for %s', (_, [effort, backOff, budget], expected) => {
    expect(longerWait(effort, backOff, budget)).toEqual(expected);
  });
});

describe('the interval grid', () => {
  it('keeps its phase', () => {
    const grid = new IntervalGrid(2500, 5000);
    expect(grid.next(1000, once)).toBe(2500);
    grid.skipTo(2501);
    expect(grid.next(2700, once)).toBe(7500);
    grid.skipTo(7500);
    expect(grid.next(7500, once)).toBe(12_500);
  });

  it('skips intervals that a long run covers, and counts them', () => {
    const grid = new IntervalGrid(0, 1000);
    expect(grid.skipTo(0)).toBe(1);
    expect(grid.skipTo(3400)).toBe(3);
    expect(grid.skipTo(3400)).toBe(0);
    expect(grid.next(3400, once)).toBe(4000);
  });

  it('counts no interval before its start', () => {
    const grid = new IntervalGrid(0, 1000);
    grid.skipTo(0);
    expect(grid.next(5300, once)).toBe(6000);
    expect(grid.next(5000, once)).toBe(6000);
  });

  it('waits several intervals from the last run', () => {
    const grid = new IntervalGrid(0, 1000);
    grid.skipTo(5000);
    expect(grid.next(5300, { intervals: 4, minimum: 0, reason: 'backoff' })).toBe(9000);
  });

  it('comes no sooner than the server asked for', () => {
    const grid = new IntervalGrid(0, 1000);
    grid.skipTo(5000);
    expect(grid.next(5300, { intervals: 1, minimum: 2000, reason: 'retry_after' })).toBe(8000);
  });

  it('counts nothing before its phase', () => {
    const grid = new IntervalGrid(5000, 1000);
    expect(grid.skipTo(4000)).toBe(0);
    expect(grid.skipTo(5000)).toBe(1);
  });
});
