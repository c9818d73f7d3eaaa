import { describe, expect, it } from 'vitest';
import { Backoff, IntervalGrid, ListBudget, longerWait } from '../../../src/app/poll/poll-pacing.ts';
import { maxListTime } from '../../../src/model/list-time-share.ts';

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

describe('backoff', () => {
  it('does not begin within a minute, so that polls recover quickly from a short failure', () => {
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

/** A budget whose server time is used up at 0. */
function spent(task = 'queries', isSuccess = true): ListBudget {
  const budget = new ListBudget();
  budget.charge(task, { isSuccess, cost: maxListTime }, 0);
  return budget;
}

describe('list budget', () => {
  it('does not delay lists while there is server time left', () => {
    const budget = new ListBudget();
    budget.charge('queries', { isSuccess: true, cost: 2500 }, 2500);
    expect(budget.nextAt(0)).toBe(0);
  });

  it('counts the lists of all tasks of the node together', () => {
    const budget = spent('delayed');
    budget.charge('queries', { isSuccess: true, cost: 500 }, 0);
    expect(budget.nextAt(0)).toBe(10_000);
    expect(spent().nextAt(0)).toBe(0);
  });

  it('returns the next start of a task without the other tasks', () => {
    const budget = spent('delayed');
    budget.charge('delayed', { isSuccess: true, cost: 3000 }, 3000);
    budget.charge('queries', { isSuccess: true, cost: 3000 }, 3000);
    expect([budget.nextAt(0), budget.nextAloneAt('queries', 0), budget.nextAloneAt('delayed', 0)]).toEqual([
      30_000, 0, 30_000,
    ]);
    expect(budget.nextAloneAt('unknown', 7)).toBe(7);
  });

  it('forgets the time of failed polls only', () => {
    const failed = spent('queries', false);
    failed.charge('queries', { isSuccess: true, cost: 500 }, 0);
    failed.forgetFailures();
    expect([failed.nextAt(0), failed.nextAloneAt('queries', 0)]).toEqual([0, 0]);
    const slow = spent();
    slow.charge('queries', { isSuccess: true, cost: 500 }, 0);
    slow.forgetFailures();
    expect([slow.nextAt(0), slow.nextAloneAt('queries', 0)]).toEqual([10_000, 10_000]);
  });

  it('keeps the time of removed tasks', () => {
    const budget = spent();
    budget.charge('queries', { isSuccess: true, cost: 500 }, 0);
    budget.remove('queries');
    expect([budget.nextAt(0), budget.nextAloneAt('queries', 0)]).toEqual([10_000, 0]);
  });
});

describe('the longest of several reasons', () => {
  const good = { isSuccess: true, cost: 1 };
  const bad = { isSuccess: false, cost: 1 };
  it.each([
    ['none', [good, 1], { intervals: 1, minimum: 0, reason: 'late' }],
    ['failures', [bad, 4], { intervals: 4, minimum: 0, reason: 'backoff' }],
    [
      'a request of the server',
      [{ ...bad, retryAfter: 7000 }, 1],
      { intervals: 1, minimum: 7000, reason: 'retry_after' },
    ],
    ['an absurd request', [{ ...bad, retryAfter: 1e9 }, 2], { intervals: 2, minimum: 300_000, reason: 'retry_after' }],
  ] as const)('is returned for %s', (_, [timing, backOff], expected) => {
    expect(longerWait(timing, backOff)).toEqual(expected);
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

  it('respects the Retry-After of the server', () => {
    const grid = new IntervalGrid(0, 1000);
    grid.skipTo(5000);
    expect(grid.next(5300, { intervals: 1, minimum: 2000, reason: 'retry_after' })).toBe(8000);
  });

  it('returns the first time of the grid that is not before a time', () => {
    const grid = new IntervalGrid(2500, 5000);
    expect([2500, 2501, 7500, 0].map((time) => grid.ceil(time))).toEqual([2500, 7500, 7500, 2500]);
  });

  it('counts no interval before its phase', () => {
    const grid = new IntervalGrid(5000, 1000);
    expect(grid.skipTo(4000)).toBe(0);
    expect(grid.skipTo(5000)).toBe(1);
  });
});
