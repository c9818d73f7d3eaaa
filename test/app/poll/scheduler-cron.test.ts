import { describe, expect, it } from 'vitest';
import type { PollTask } from '../../../src/app/poll/poll-task.ts';
import { CronRunner } from '../../../src/app/poll/scheduler.ts';
import { FakeClock } from '../../support/clock.ts';
import { FakeCron } from '../fake-cron.ts';

import { ScriptedTask } from './scripted-task.ts';

const weekly = '0 3 * * SUN';

function setUp() {
  const clock = new FakeClock();
  const cron = new FakeCron();
  const calendar = new CronRunner(cron.schedule, clock);
  const add = (key: string, takes: number, more: Partial<PollTask> = {}): ScriptedTask => {
    const task = new ScriptedTask(clock, { key, schedule: weekly, ...more });
    task.script = () => ({ takes });
    calendar.add(task, weekly);
    return task;
  };
  const strike = (at: number): void => cron.entries[at]?.run();
  return { clock, cron, calendar, add, strike };
}

describe('a cron schedule', () => {
  it('runs a task at its scheduled time', async () => {
    const { clock, add, strike } = setUp();
    const task = add('one', 100);
    await clock.advance(1000);
    expect(task.runs).toEqual([]);
    strike(0);
    await clock.advance(100);
    expect(task.runs).toEqual([1000]);
    expect(task.intervals).toEqual([0]);
  });

  it('runs two tasks of one cluster one after the other', async () => {
    const { clock, add, strike } = setUp();
    const one = add('one', 100);
    const two = add('two', 100);
    strike(0);
    strike(1);
    await clock.advance(1000);
    expect([one.runs, two.runs]).toEqual([[0], [100]]);
  });

  it('runs tasks of two clusters concurrently', async () => {
    const { clock, add, strike } = setUp();
    const one = add('one', 100);
    const two = add('two', 100, { cluster: 'test' });
    strike(0);
    strike(1);
    await clock.advance(1000);
    expect([one.runs, two.runs]).toEqual([[0], [0]]);
  });

  it('skips a scheduled time while the task still runs, and counts it', async () => {
    const { clock, add, strike } = setUp();
    const task = add('one', 100);
    strike(0);
    strike(0);
    await clock.advance(1000);
    expect(task.runs).toEqual([0]);
    expect(task.skips).toEqual({ overlap: 1 });
    strike(0);
    await clock.advance(1000);
    expect(task.runs).toHaveLength(2);
  });

  it('counts a run without a permit', async () => {
    const { clock, add, strike } = setUp();
    const task = add('one', 0);
    task.script = () => ({ busy: true });
    strike(0);
    await clock.advance(1);
    expect(task.skips).toEqual({ busy: 1 });
    expect(task.intervals).toEqual([]);
  });

  it('removes a task from the queue, and hides its run in progress', async () => {
    const { clock, cron, calendar, add, strike } = setUp();
    const one = add('one', 100);
    const two = add('two', 100);
    strike(0);
    strike(1);
    await clock.advance(50);
    calendar.remove('one');
    calendar.remove('two');
    await clock.advance(1000);
    await calendar.idle();
    expect(one.intervals).toEqual([]);
    expect(two.runs).toEqual([]);
    expect(cron.entries).toEqual([]);
    calendar.remove('unknown task');
  });

  it('is stuck while a run far exceeds its deadline', async () => {
    const { clock, calendar, add, strike } = setUp();
    add('one', 100_000, { stuckAfter: 10_000 });
    strike(0);
    await clock.advance(40_000);
    expect(calendar.isStuck(clock.now().mono, 30_000)).toBe(false);
    await clock.advance(1);
    expect(calendar.isStuck(clock.now().mono, 30_000)).toBe(true);
    await clock.advance(60_000);
    expect(calendar.isStuck(clock.now().mono, 30_000)).toBe(false);
  });

  it('runs all tasks of a cluster before their time, unless one of them runs or waits', async () => {
    const { clock, calendar, add } = setUp();
    const [one, two, other] = [add('one', 100), add('two', 100), add('three', 100, { cluster: 'test' })];
    expect(calendar.runAll('nowhere')).toBe('none');
    expect(calendar.runAll('prod')).toBe('started');
    expect(calendar.runAll('prod')).toBe('running');
    await clock.advance(1000);
    expect([one.runs, two.runs, other.runs]).toEqual([[0], [100], []]);
    expect(calendar.runAll('prod')).toBe('started');
    await clock.advance(1000);
    expect(one.runs).toHaveLength(2);
  });

  it('runs no task before its time that changes the server', async () => {
    const { clock, calendar, add, strike } = setUp();
    const task = add('one', 100, { changesServer: true });
    expect(calendar.runAll('prod')).toBe('none');
    const check = add('two', 100);
    expect(calendar.runAll('prod')).toBe('started');
    await clock.advance(1000);
    expect([task.runs, check.runs]).toEqual([[], [0]]);
    strike(0);
    await clock.advance(1000);
    expect(task.runs).toHaveLength(1);
  });

  it('has the next time of a task', () => {
    const { calendar, cron, add } = setUp();
    add('one', 100);
    cron.next = 5000;
    expect([calendar.nextRun('one'), calendar.nextRun('unknown task')]).toEqual([5000, undefined]);
  });
});
