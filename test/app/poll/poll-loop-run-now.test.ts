import { describe, expect, it } from 'vitest';
import { PollLoop } from '../../../src/app/poll/poll-loop.ts';
import { ListBudget } from '../../../src/app/poll/poll-pacing.ts';
import type { PollTask } from '../../../src/app/poll/poll-task.ts';
import { maxListTime } from '../../../src/model/list-time-share.ts';
import { FakeClock } from '../../support/clock.ts';
import { fixedRandom } from '../fakes.ts';
import { type Run, ScriptedTask } from './scripted-task.ts';

function setUp(script: (run: number) => Run = () => ({}), more: Partial<PollTask> = {}, budget = new ListBudget()) {
  const clock = new FakeClock();
  const task = new ScriptedTask(clock, more);
  task.script = script;
  const loop = new PollLoop(task, { clock, random: fixedRandom(0.5), budget, onRecovered: () => undefined });
  const end = async (): Promise<void> => {
    loop.stop();
    await clock.advance(10_000);
    await loop.ended;
    expect(clock.sleeping).toBe(0);
  };
  return { clock, task, loop, end };
}

describe('runNow', () => {
  it('runs at once, and restarts the interval from there', async () => {
    const { clock, task, loop, end } = setUp();
    await clock.advance(4000);
    const nudged = loop.runNow(false);
    await clock.advance(0);
    expect(await nudged).toBe(true);
    await clock.advance(11_000);
    expect(task.runs).toEqual([1000, 2500, 4000, 9000, 14_000]);
    expect(task.skips).toEqual({});
    await end();
  });

  it('joins the run in progress', async () => {
    const { clock, task, loop, end } = setUp(() => ({ takes: 500 }));
    await clock.advance(1200);
    const over: boolean[] = [];
    const nudges = [loop.runNow(false), loop.runNow(true)].map((one) => one.then((made) => void over.push(made)));
    await clock.advance(200);
    expect([over, task.runs]).toEqual([[], [1000]]);
    await clock.advance(100);
    await Promise.all(nudges);
    await clock.advance(1100);
    expect([over, task.runs]).toEqual([
      [true, true],
      [1000, 2500],
    ]);
    await end();
  });

  it('does not move the first run', async () => {
    const { clock, task, loop, end } = setUp();
    await clock.advance(500);
    expect(await loop.runNow(false)).toBe(false);
    await clock.advance(1000);
    expect(task.runs).toEqual([1000]);
    await end();
  });

  it.each([
    ['the Retry-After of the server', { good: false, retryAfter: 60_000 }, {}],
    ['server time of its lists', { takes: 600 }, { isExpensive: true }],
  ])('waits for %s, unless it is urgent', async (_, run, more) => {
    const budget = new ListBudget();
    budget.charge('prod/facts/m1', { isSuccess: true, cost: maxListTime }, 0);
    const { clock, task, loop, end } = setUp(() => run, more, budget);
    await clock.advance(2000);
    expect(await loop.runNow(false)).toBe(false);
    const urgent = loop.runNow(true);
    await clock.advance(1000);
    expect(await urgent).toBe(true);
    expect(task.runs).toEqual([1000, 2000]);
    await end();
  });

  it('does not wait for the list budget of the node, unlike scheduled runs', async () => {
    const budget = new ListBudget();
    for (const cost of [maxListTime, 1000]) budget.charge('prod/other/m1', { isSuccess: false, cost }, 0);
    const { clock, task, loop, end } = setUp(() => ({ takes: 10 }), { isExpensive: true }, budget);
    await clock.advance(20_000);
    expect(task.runs).toEqual([1000]);
    const nudged = loop.runNow(false);
    await clock.advance(10);
    expect([await nudged, task.runs]).toEqual([true, [1000, 20_000]]);
    await end();
  });

  it('waits for as long as the task would wait if it were alone', async () => {
    const budget = new ListBudget();
    budget.charge('prod/other/m1', { isSuccess: false, cost: 8000 }, 0);
    budget.charge('prod/facts/m1', { isSuccess: true, cost: maxListTime }, 0);
    const { clock, loop, end } = setUp(() => ({ takes: 400 }), { isExpensive: true }, budget);
    await clock.advance(7900);
    expect(await loop.runNow(false)).toBe(false);
    await clock.advance(200);
    const nudged = loop.runNow(false);
    await clock.advance(400);
    expect(await nudged).toBe(true);
    await end();
  });

  it('resolves when the loop ends', async () => {
    const { loop, end } = setUp();
    const nudged = loop.runNow(true);
    loop.stop();
    await end();
    expect([await nudged, await loop.runNow(true)]).toEqual([false, false]);
  });
});
