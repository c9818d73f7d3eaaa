import { describe, expect, it } from 'vitest';
import { BackOff, Budget, Grid, longest } from '../../src/app/pace.ts';

const once = { beats: 1, atLeast: 0, reason: 'late' } as const;

/** Fails every so often and gives the beats to wait after each failure. */
function failing(every: number, times: number): readonly number[] {
  const backOff = new BackOff();
  let mono = 0;
  return Array.from({ length: times }, () => {
    const beats = backOff.after(false, every, mono);
    mono += beats * every;
    return beats;
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
    const backOff = new BackOff();
    for (let mono = 0; mono < 200_000; mono += 5000) backOff.after(false, 5000, mono);
    expect(backOff.after(true, 5000, 200_000)).toBe(1);
    expect(backOff.after(false, 5000, 205_000)).toBe(1);
  });

  it('begins anew when it is told to forget', () => {
    const backOff = new BackOff();
    for (let mono = 0; mono < 200_000; mono += 5000) backOff.after(false, 5000, mono);
    backOff.forget();
    expect(backOff.after(false, 5000, 200_000)).toBe(1);
  });
});

describe('the budget of the process lists', () => {
  it.each([
    [10, 1],
    [250, 1],
    [251, 2],
    [1000, 4],
    [3000, 12],
  ])('of %i ms every 5 s is kept by waiting %i beats', (cost, beats) => {
    expect(new Budget().charge('lists', { good: true, cost }, 5000)).toBe(beats);
  });

  it('holds for all lists of the node together', () => {
    const budget = new Budget();
    budget.charge('queries', { good: true, cost: 500 }, 5000);
    const beats = budget.charge('delayed', { good: true, cost: 500 }, 5000);
    expect((500 + 500) / (beats * 5000)).toBeLessThanOrEqual(0.05);
  });

  it('stays below a twentieth of the time, whatever the costs', () => {
    for (let cost = 1; cost < 20_000; cost += 97) {
      const beats = new Budget().charge('lists', { good: true, cost }, 5000);
      expect(cost / (beats * 5000)).toBeLessThanOrEqual(0.05);
    }
  });

  it('is given back step by step when listing is cheap again', () => {
    const budget = new Budget();
    budget.charge('lists', { good: true, cost: 2000 }, 5000);
    const beats = Array.from({ length: 5 }, () => budget.charge('lists', { good: true, cost: 10 }, 5000));
    expect(beats).toEqual([4, 2, 1, 1, 1]);
  });

  it('tells what a task alone would have to wait', () => {
    const budget = new Budget();
    budget.charge('delayed', { good: false, cost: 8000 }, 5000);
    expect(budget.charge('queries', { good: true, cost: 500 }, 5000)).toBe(34);
    expect([budget.alone('queries', 5000), budget.alone('unknown', 5000)]).toEqual([2, 1]);
  });

  it('forgives what failed reads cost, and nothing else', () => {
    const budget = new Budget();
    budget.charge('queries', { good: true, cost: 1000 }, 5000);
    budget.charge('delayed', { good: false, cost: 3000 }, 5000);
    budget.forgive();
    expect(budget.charge('other', { good: true, cost: 1 }, 5000)).toBe(5);
  });

  it('is free of tasks that are gone', () => {
    const budget = new Budget();
    budget.charge('queries', { good: true, cost: 3000 }, 5000);
    budget.drop('queries');
    expect(budget.charge('delayed', { good: true, cost: 10 }, 5000)).toBe(1);
  });
});

describe('the longest of several reasons', () => {
  const good = { good: true, cost: 1 };
  const bad = { good: false, cost: 1 };
  it.each([
    ['none', [good, 1, 1], { beats: 1, atLeast: 0, reason: 'late' }],
    ['failures', [bad, 4, 1], { beats: 4, atLeast: 0, reason: 'backoff' }],
    ['dear lists', [good, 1, 3], { beats: 3, atLeast: 0, reason: 'slow_down' }],
    ['both', [bad, 4, 3], { beats: 4, atLeast: 0, reason: 'backoff' }],
    [
      'a request of the server',
      [{ ...bad, retryAfter: 7000 }, 1, 1],
      { beats: 1, atLeast: 7000, reason: 'retry_after' },
    ],
    ['an absurd request', [{ ...bad, retryAfter: 1e9 }, 2, 1], { beats: 2, atLeast: 300_000, reason: 'retry_after' }],
  ] as const)('is told for %s', (_, [effort, backOff, budget], expected) => {
    expect(longest(effort, backOff, budget)).toEqual(expected);
  });
});

describe('the grid of beats', () => {
  it('goes on from its phase, whatever happens in between', () => {
    const grid = new Grid(2500, 5000);
    expect(grid.next(1000, once)).toBe(2500);
    grid.pass(2501);
    expect(grid.next(2700, once)).toBe(7500);
    grid.pass(7500);
    expect(grid.next(7500, once)).toBe(12_500);
  });

  it('passes over beats that work took, and counts them', () => {
    const grid = new Grid(0, 1000);
    expect(grid.pass(0)).toBe(1);
    expect(grid.pass(3400)).toBe(3);
    expect(grid.pass(3400)).toBe(0);
    expect(grid.next(3400, once)).toBe(4000);
  });

  it('does not look back at beats that nobody passed over', () => {
    const grid = new Grid(0, 1000);
    grid.pass(0);
    expect(grid.next(5300, once)).toBe(6000);
    expect(grid.next(5000, once)).toBe(6000);
  });

  it('waits several beats, counted from the one that was made', () => {
    const grid = new Grid(0, 1000);
    grid.pass(5000);
    expect(grid.next(5300, { beats: 4, atLeast: 0, reason: 'backoff' })).toBe(9000);
  });

  it('comes no sooner than the server asked for', () => {
    const grid = new Grid(0, 1000);
    grid.pass(5000);
    expect(grid.next(5300, { beats: 1, atLeast: 2000, reason: 'retry_after' })).toBe(8000);
  });

  it('counts nothing before its phase', () => {
    const grid = new Grid(5000, 1000);
    expect(grid.pass(4000)).toBe(0);
    expect(grid.pass(5000)).toBe(1);
  });
});
